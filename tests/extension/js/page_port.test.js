// A call that is cut off: whether it had acted is the page's last word, not what was known when it was cut off.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Fault } from "../../../extension/fault.js";
import { PagePort } from "../../../extension/offscreen/page_port.js";

/** chrome.runtime.Port with the page's end in the test's hands. */
class FakePort {
  sent = [];
  sender = { tab: { id: 1 }, frameId: 0, url: "https://a.test/" };
  onMessage = { addListener: (listener) => (this.say = listener) };
  onDisconnect = { addListener: (listener) => (this.drop = listener) };

  postMessage(message) {
    this.sent.push(message);
  }

  disconnect() {
    this.sent.push("disconnected");
  }
}

function begin(call) {
  const port = new FakePort();
  const page = new PagePort(port, () => {});
  const run = new AbortController();
  const ended = page.call(call, [], { deadlineMs: 1_000, signal: run.signal }).catch((error) => error);
  return { port, page, run, ended };
}

const CANCELLED = new Fault("CANCELLED", "The run was cancelled.");

test("a click that the page began before it heard of the end had acted", async () => {
  const { port, run, ended } = begin("click");
  run.abort(CANCELLED);
  port.say({ id: 1, note: { acted: true } });
  port.say({ id: 1, ok: true, value: null, acted: true });
  const { code, acted } = await ended;
  assert.deepEqual([code, acted, port.sent.at(-1)], ["CANCELLED", true, { id: 1, cancel: true }]);
});

test("a click that the page gave up had not", async () => {
  const { port, run, ended } = begin("click");
  run.abort(CANCELLED);
  port.say({ id: 1, ok: false, error: { code: "TIMEOUT", message: "", details: {} }, acted: false });
  assert.equal((await ended).acted, false);
});

for (const [call, acted] of [["click", true], ["request", true], ["find", false]]) {
  test(`of a ${call} in a page that says nothing more it is ${acted ? "not known" : "sure"} that it did not act`, async () => {
    const { run, ended } = begin(call);
    run.abort(CANCELLED);
    assert.equal((await ended).acted, acted);
  });
}

test("a page that is let go of has the last word first", async () => {
  const { port, page, ended } = begin("press");
  page.close(new Fault("PAUSED", "Paused."));
  assert.deepEqual(port.sent.slice(1), [{ id: 1, cancel: true }]);
  await assert.rejects(page.call("find", [], { deadlineMs: 1_000 }));
  port.say({ id: 1, ok: false, error: { code: "TIMEOUT", message: "", details: {} }, acted: false });
  assert.deepEqual(port.sent.slice(2), [{ stop: true }, "disconnected"]);
  const { code, acted } = await ended;
  assert.deepEqual([code, acted], ["PAUSED", false]);
});

test("a document that goes away after the end of a run has said all that it had to say", async () => {
  const { port, run, ended } = begin("click");
  run.abort(CANCELLED);
  port.drop();
  const { code, acted } = await ended;
  assert.deepEqual([code, acted], ["CANCELLED", false]);
});
