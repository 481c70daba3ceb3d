// @ts-check
// Chrome's debugger, attached to a tab of the group only while something needs it. Its bar tells the person; cancelling the
// bar is the person's Stop.

import { Fault } from "../fault.js";
import { pause } from "./pause.js";

const PROTOCOL = "1.3";

/** @type {Map<number, number>} tab -> how many need the debugger now; while it is attached Chrome keeps this worker alive */
const users = new Map();

/** @typedef {(method: string, params?: object) => Promise<any>} Send */

/** Attaches, or joins who is there already. @param {number} tabId @returns {Promise<Send>} */
export async function attach(tabId) {
  const target = { tabId };
  const others = users.get(tabId) ?? 0;
  users.set(tabId, others + 1);
  if (others === 0) await attachFirst(target);
  return (method, params = {}) => chrome.debugger.sendCommand(target, method, params);
}

/** Detaches when nobody needs it any more. @param {number} tabId */
export async function detach(tabId) {
  const left = (users.get(tabId) ?? 1) - 1;
  users.set(tabId, left);
  if (left > 0) return;
  users.delete(tabId);
  await chrome.debugger.detach({ tabId }).catch(() => {}); // the tab is gone, and with it the debugger
}

/**
 * Runs `work` with the debugger attached.
 * @template T @param {number} tabId @param {(send: Send) => Promise<T>} work @returns {Promise<T>}
 */
export async function withDebugger(tabId, work) {
  const send = await attach(tabId);
  try {
    return await work(send);
  } finally {
    await detach(tabId);
  }
}

/** @param {chrome.debugger.Debuggee} source @param {string} reason */
export async function onDebuggerDetached({ tabId }, reason) {
  if (tabId !== undefined) users.delete(tabId);
  if (reason === "canceled_by_user") await pause(true);
}

/** @param {{tabId: number}} target */
async function attachFirst(target) {
  try {
    await chrome.debugger.attach(target, PROTOCOL);
  } catch (error) {
    users.delete(target.tabId);
    const reason = /** @type {Error} */ (error).message;
    throw new Fault("INPUT_REFUSED", `Chrome's debugger cannot be attached to the tab (${reason}). Close its developer tools and try again.`);
  }
}
