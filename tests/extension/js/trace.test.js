// The trace of a run: what is masked, and what is cut.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Fault } from "../../../extension/fault.js";
import { Trace, masker } from "../../../extension/offscreen/trace.js";

test("a secret is masked as it is, in JSON, and in a URL", () => {
  const mask = masker(['p"ä w']);
  assert.equal(mask('it is p"ä w!'), "it is •••!");
  assert.equal(mask(JSON.stringify({ pin: 'p"ä w' })), '{"pin":"•••"}');
  assert.equal(mask(`?pin=${encodeURIComponent('p"ä w')}`), "?pin=•••");
  assert.equal(mask(`${new URLSearchParams({ pin: 'p"ä w' })}`), "pin=•••");
  assert.deepEqual(mask({ 'p"ä w': ['p"ä w', 1, null] }), { "•••": ["•••", 1, null] });
});

test("of two secrets the longer one is masked first, and numbers and lists are secrets too", () => {
  assert.equal(masker(["ab", "abc"])("abc ab"), "••• •••");
  assert.equal(masker([4711])(4711), "•••");
  assert.equal(masker([{ a: ["deep"] }])("so deep"), "so •••");
  assert.equal(masker(["", null, true])("true"), "true");
});

test("a step is told when it ends, with its arguments and its error", () => {
  const told = [];
  const trace = new Trace(["s3cret"], (event, params) => told.push([event, params.step]));
  const end = trace.step("type", [{ role: "textbox" }, "s3cret"]);
  assert.deepEqual(told, []);
  const fault = new Fault("TEXT_DIFFERS", "wanted s3cret", { wanted: "s3cret" });
  end({ error: fault, acted: true });
  const [[event, step]] = told;
  assert.equal(event, "step");
  assert.deepEqual(step.args, [{ role: "textbox" }, "•••"]);
  assert.deepEqual(step.error, { code: "TEXT_DIFFERS", message: "wanted •••", details: { wanted: "•••" } });
  assert.equal(trace.acted, true);
});

test("at most 2,000 steps and 1,000 lines are kept, and what was done is still known", () => {
  const trace = new Trace([], () => {});
  for (let i = 0; i < 2_500; i += 1) trace.step("find", [])({ acted: i === 2_400 });
  for (let i = 0; i < 1_500; i += 1) trace.log("x".repeat(10_000));
  assert.equal(trace.steps.length, 2_000);
  assert.equal(trace.acted, true);
  assert.equal(trace.logs.length, 1_000);
  assert.equal(trace.logs[0].length, 4_000);
  assert.match(trace.logs[999], /left out/);
});

test("a request that was begun and never answered stays in the trace", () => {
  const trace = new Trace(["s3cret"], () => {});
  const note = trace.requestsOfCall();
  note({ request_begun: { id: 1, method: "POST", url: "/a?x=s3cret", request_body: "s3cret" } });
  note({ request_begun: { id: 2, method: "GET", url: "/b" } });
  note({ request: { id: 2, method: "GET", url: "/b", status: 200, took_ms: 1.2345, response_body: "ok" } });
  const [first, second] = trace.requests;
  assert.deepEqual([first.url, first.status, first.request_body], ["/a?x=•••", null, "•••"]);
  assert.deepEqual([second.status, second.took_ms, second.response_body], [200, 1.2, "ok"]);
});
