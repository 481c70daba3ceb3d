// A helper call whose document goes away under it: what is done, what is asked again, and what is not known.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Fault } from "../../../extension/fault.js";
import { HelperCalls } from "../../../extension/offscreen/helper_calls.js";
import { Dropped } from "../../../extension/offscreen/page_port.js";
import { Trace } from "../../../extension/offscreen/trace.js";

const SITE = "https://a.test";
const subroutine = { name: "test", sites: [`${SITE}/*`], input: "dom", csrf: null, permissions: { requests: ["* /**"], cookies: false } };

/** A document that answers each call with the next of `answers`. */
class FakePage {
  constructor(...answers) {
    this.answers = answers;
    this.url = `${SITE}/`;
    this.frame = 0;
    this.path = "";
    this.origin = SITE;
  }

  async call() {
    const answer = this.answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

function callsIn(page, signal = new AbortController().signal) {
  const trace = new Trace([], () => {});
  const services = {
    pages: { settled: async () => page, frames: () => [page], until: untilFound },
    navigation: { arrived: async () => page },
    link: { isLive: true },
  };
  const run = { tab: 1, subroutine, trace, signal, deadline: performance.now() + 1_000, secrets: [] };
  return { calls: new HelperCalls(run, services), trace };
}

/** What `look` finds, else nothing until the signal is aborted. */
function untilFound(_tab, signal, look) {
  return look() ?? new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

test("a click that is cut off acted where the page says so, later than it was cut off", async () => {
  const run = new AbortController();
  const page = new FakePage();
  page.call = (_call, _args, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => setTimeout(() => reject(signal.reason.during(true)), 5)));
  const { calls, trace } = callsIn(page, run.signal);
  const ended = calls.call("click", [{ role: "button" }]);
  setTimeout(() => run.abort(new Fault("CANCELLED", "The run was cancelled.")));
  await assert.rejects(ended, { code: "CANCELLED", acted: true });
  assert.deepEqual([trace.steps[0].acted, trace.acted], [true, true]);
});

test("a click that had acted when the page went away is done", async () => {
  const { calls, trace } = callsIn(new FakePage(new Dropped(true)));
  assert.equal(await calls.call("click", [{ role: "button" }]), null);
  assert.deepEqual([trace.steps[0].acted, trace.steps[0].error], [true, null]);
});

for (const helper of ["click", "find", "read"]) {
  test(`a ${helper} that had not acted is asked again in the next document`, async () => {
    const page = new FakePage(new Dropped(false), { value: "second", acted: false });
    assert.equal(await callsIn(page).calls.call(helper, [{ role: "button" }]), "second");
  });
}

test("a request that had left when the page went away is not known, and never sent again", async () => {
  const page = new FakePage(new Dropped(true), { value: "second", acted: true });
  const { calls, trace } = callsIn(page);
  await assert.rejects(calls.call("request", ["/x", { method: "POST" }]), { code: "NAVIGATED" });
  assert.deepEqual([trace.steps[0].acted, trace.acted, page.answers.length], [true, true, 1]);
});
