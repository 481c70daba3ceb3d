// @ts-check
// Mouse and keys by Chrome's debugger: what a page cannot tell from a person's. Source: CDP, domain Input.

import { attach, detach } from "./debugger.js";
import { isMember } from "./group.js";
import { Fault } from "../fault.js";

/** Longer texts go in at once: a page that counts keys does not get so many. */
const MOST_KEYS = 2_000;

/** @typedef {{key: string, code: string, keyCode: number, modifiers: {altKey: boolean, ctrlKey: boolean, metaKey: boolean, shiftKey: boolean}}} Key */
/** @typedef {{move: {x: number, y: number}} | {click: {x: number, y: number, button?: "left" | "right", double?: boolean}} | {key: Key} | {text: string}} Action */
/** @typedef {import("./debugger.js").Send} Send */

const ENTER = { key: "Enter", code: "Enter", keyCode: 13, modifiers: { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false } };

/** Attaches until `endInput`; a tab behind others behaves as if it had the focus. @param {number} tabId */
export async function beginInput(tabId) {
  if (!(await isMember(tabId))) throw new Fault("NO_TAB", `Tab ${tabId} is not in the Runhome group.`);
  const send = await attach(tabId);
  await send("Emulation.setFocusEmulationEnabled", { enabled: true });
}

/** @param {number} tabId */
export async function endInput(tabId) {
  await detach(tabId);
}

/** @param {number} tabId @param {Action[]} actions */
export async function input(tabId, actions) {
  const send = await attach(tabId);
  try {
    for (const action of actions) {
      if ("move" in action) await mouse(send, "mouseMoved", action.move, {});
      else if ("click" in action) await click(send, action.click);
      else if ("key" in action) await press(send, action.key);
      else await type(send, action.text);
    }
  } finally {
    await detach(tabId);
  }
}

/** @param {Send} send @param {{x: number, y: number, button?: "left" | "right", double?: boolean}} where */
async function click(send, { x, y, button = "left", double = false }) {
  await mouse(send, "mouseMoved", { x, y }, {});
  for (const clickCount of double ? [1, 2] : [1]) {
    await mouse(send, "mousePressed", { x, y }, { button, clickCount });
    await mouse(send, "mouseReleased", { x, y }, { button, clickCount });
  }
}

/** @param {Send} send @param {string} type @param {{x: number, y: number}} spot @param {object} more */
async function mouse(send, type, { x, y }, more) {
  await send("Input.dispatchMouseEvent", { type, x, y, pointerType: "mouse", ...more });
}

/** @param {Send} send @param {string} text */
async function type(send, text) {
  for (const part of text.split(/(\n)/)) {
    if (part === "\n") await press(send, ENTER);
    else if (part.length > MOST_KEYS) await send("Input.insertText", { text: part });
    else for (const character of part) await typeOne(send, character);
  }
}

/** @param {Send} send @param {string} character */
async function typeOne(send, character) {
  if (!/^[ -~]$/.test(character)) return send("Input.insertText", { text: character });
  await send("Input.dispatchKeyEvent", { type: "keyDown", key: character, text: character, unmodifiedText: character });
  await send("Input.dispatchKeyEvent", { type: "keyUp", key: character });
}

/** @param {Send} send @param {Key} key */
async function press(send, { key, code, keyCode, modifiers: { altKey, ctrlKey, metaKey, shiftKey } }) {
  const modifiers = (altKey ? 1 : 0) | (ctrlKey ? 2 : 0) | (metaKey ? 4 : 0) | (shiftKey ? 8 : 0);
  const isCommand = ctrlKey || metaKey || altKey;
  const text = isCommand ? undefined : key === "Enter" ? "\r" : [...key].length === 1 ? key : undefined;
  const commands = (ctrlKey || metaKey) && key.toLowerCase() === "a" ? ["selectAll"] : [];
  const about = { key, code, windowsVirtualKeyCode: keyCode, modifiers };
  await send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, commands, ...about });
  await send("Input.dispatchKeyEvent", { type: "keyUp", ...about });
}
