// Which frame a target is meant for, and what the top frame cannot see.

import assert from "node:assert/strict";
import { test } from "node:test";

import { foreignFrames, namedFrame, stamped, withoutFrame } from "../../../extension/offscreen/frames.js";

const frame = (number, path, url, name = "") => ({ frame: number, path, url, name, origin: new URL(url).origin, document: `D${number}` });
const top = frame(0, "", "https://a.test/");
const same = frame(3, "0", "https://a.test/inner", "inner");
const other = frame(4, "1", "https://b.test/pay", "pay");
const within = frame(5, "1.0", "https://a.test/back");
const twin = frame(6, "2", "https://b.test/pay");
const all = [top, same, other, within, twin];

test("a frame is named by its index path, its name or its URL", () => {
  assert.equal(namedFrame({ role: "button", frame: "1.0" }, all), within);
  assert.equal(namedFrame({ role: "button", frame: 1 }, all), other);
  assert.equal(namedFrame({ frame: "inner" }, all), same);
  assert.equal(namedFrame({ frame: "https://a.test/b*" }, all), within);
  assert.equal(namedFrame({ role: "button" }, all), null);
  assert.equal(namedFrame(undefined, all), null);
});

test("a name for two frames is ambiguous, a name for none lists what is there", () => {
  assert.throws(() => namedFrame({ frame: "https://b.test/*" }, all), { code: "AMBIGUOUS" });
  assert.throws(() => namedFrame({ frame: "nowhere" }, all), { code: "NOT_FOUND", message: /0 "inner" https:\/\/a.test\/inner/ });
});

test("a handle goes to its own frame, and so does what is sought within it", () => {
  assert.equal(namedFrame({ $handle: "h1", frame: 4 }, all), other);
  assert.equal(namedFrame({ role: "button", within: { $handle: "h1", frame: 4 } }, all), other);
  assert.equal(namedFrame({ $handle: "h1", frame: 99 }, all), null);
});

test("the top frame cannot see frames of another origin, nor what is below them", () => {
  assert.deepEqual(foreignFrames(top, all), [other, within, twin]);
});

test("the page reads a target without its frame, and its handles are stamped on the way back", () => {
  assert.deepEqual(withoutFrame({ role: "button", frame: "1" }), { role: "button" });
  assert.deepEqual(withoutFrame({ $handle: "h1", frame: 4 }), { $handle: "h1", frame: 4 });
  assert.deepEqual(stamped([{ $handle: "h1" }, 5, null], other), [{ $handle: "h1", frame: 4, document: "D4" }, 5, null]);
});
