// Which other text of a field is still what was typed (a phone number, a card, an amount), and which is another text.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

globalThis.runhome = { page: {} };
const source = await readFile(new URL("../../../extension/page/masks.js", import.meta.url), "utf8");
new Function(source)();
const { explains } = globalThis.runhome.page.masks;

const SAME = [
  ["5551234567", "+1 (555) 123-4567"],
  ["555-123-4567", "(555) 123-4567"],
  ["4242424242424242", "4242 4242 4242 4242"],
  ["24.12.2026", "24/12/2026"],
  ["1234567", "$1,234,567"],
  ["12.50", "12,50"],
  ["1234567.89", "1.234.567,89"],
  ["DE8937040044", "DE89 3704 0044"],
  ["aabbcc", "aa:bb:cc"],
  ["hello", "HELLO"],
];

const OTHER = [
  ["12.50", "1250"],
  ["1250", "12.50"],
  ["1.234", "1,234"],
  ["-5", "5"],
  ["123", "7123"],
  ["Hello", "old textHello"],
  ["hello, world!", "hello world"],
  ["Room 5, please", "Room 5 please"],
  ["a  b", "a b"],
  ["123", ""],
];

for (const [wanted, got] of SAME) {
  test(`${wanted} shown as ${got} is the same`, () => assert.ok(explains(got, wanted)));
}

for (const [wanted, got] of OTHER) {
  test(`${wanted} shown as ${JSON.stringify(got)} is another text`, () => assert.ok(!explains(got, wanted)));
}
