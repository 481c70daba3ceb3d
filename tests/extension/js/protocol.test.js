// The handshake and its frames, checked against the examples that the Python tests read too.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { Handshake, backoffMs, isRequest, parseFrame, prove, proves, reconnects } from "../../../extension/protocol.js";

const WIRE = new URL("../../wire/", import.meta.url);
const KEY = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, "0")).join("");
const example = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, WIRE), "utf8")).frame;
const pairing = { browser: example("hello").browser, key: KEY };
const begun = () => new Handshake(pairing, () => example("proof").nonce);

test("every example is a frame that both sides would take", () => {
  for (const file of readdirSync(WIRE).filter((name) => name !== "patterns.json")) {
    const { about, from, frame } = JSON.parse(readFileSync(new URL(file, WIRE), "utf8"));
    assert.match(about, /[.?]$/, file);
    assert.ok(["relay", "extension"].includes(from), file);
    assert.deepEqual(parseFrame(JSON.stringify(frame)), frame);
    if (frame.method) assert.ok(isRequest(frame), file);
  }
});

test("the handshake goes as in the examples", async () => {
  const handshake = begun();
  assert.deepEqual(handshake.hello(), example("hello"));
  assert.deepEqual(await handshake.receive(example("challenge")), { send: example("proof") });
  assert.deepEqual(await handshake.receive(example("welcome")), { welcome: { name: "home" } });
});

const wrong = [
  ["a welcome before the challenge", [example("welcome")], 4002],
  ["a second challenge", [example("challenge"), example("challenge")], 4002],
  ["a challenge without a nonce", [{ type: "challenge" }], 4002],
  ["a challenge with a short nonce", [{ type: "challenge", nonce: "11" }], 4002],
  ["a request before the welcome", [{ id: 1, method: "tabs" }], 4002],
  ["another version", [example("challenge"), { ...example("welcome"), version: 2 }], 4003],
  ["our own proof sent back", [example("challenge"), { ...example("welcome"), hmac: example("proof").hmac }], 4001],
  ["a proof that is no text", [example("challenge"), { ...example("welcome"), hmac: 5 }], 4001],
  ["no proof", [example("challenge"), { type: "welcome", version: 1 }], 4001],
];
for (const [what, frames, code] of wrong) {
  test(`${what} ends the handshake with ${code}`, async () => {
    const handshake = begun();
    let answer = {};
    for (const frame of frames) answer = await handshake.receive(frame);
    assert.equal(answer.close?.code, code);
    assert.equal(answer.welcome, undefined);
  });
}

test("two handshakes never use one nonce", () => {
  assert.notEqual(new Handshake(pairing).browserNonce, new Handshake(pairing).browserNonce);
});

test("a proof holds for its role, browser and nonces only", async () => {
  const claim = { role: "browser", browser: "b1", relayNonce: "11", browserNonce: "22" };
  const proof = await prove(KEY, claim);
  assert.equal(await proves(KEY, claim, proof), true);
  for (const change of [{ role: "relay" }, { browser: "b2" }, { relayNonce: "12" }, { browserNonce: "23" }]) {
    assert.equal(await proves(KEY, { ...claim, ...change }, proof), false);
  }
});

test("what is not a JSON object is no frame", () => {
  for (const text of ["", "{", "[]", "null", "5", '"x"']) assert.equal(parseFrame(text), null);
});

test("only some close codes are final, and waiting grows to five seconds", () => {
  assert.deepEqual([1000, 1006, 4002, 4008].map(reconnects), [true, true, true, true]);
  assert.deepEqual([4000, 4001, 4003, 4010].map(reconnects), [false, false, false, false]);
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 60].map(backoffMs), [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
});
