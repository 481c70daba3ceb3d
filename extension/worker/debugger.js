// @ts-check
// Chrome's debugger, attached to a tab of the group only while something needs it. Its bar tells the person; cancelling the
// bar is the person's Stop.

import { Fault } from "../fault.js";
import { pause } from "./pause.js";

const PROTOCOL = "1.3";

/** @type {Map<number, number>} tab -> how many need the debugger now */
const users = new Map();

/** @typedef {(method: string, params?: object) => Promise<any>} Send */

/**
 * Runs `work` with the debugger attached; detaches when nobody needs it any more.
 * @template T @param {number} tabId @param {(send: Send) => Promise<T>} work @returns {Promise<T>}
 */
export async function withDebugger(tabId, work) {
  const target = { tabId };
  if (!users.get(tabId)) await attach(target);
  users.set(tabId, (users.get(tabId) ?? 0) + 1);
  try {
    return await work((method, params = {}) => chrome.debugger.sendCommand(target, method, params));
  } finally {
    const left = (users.get(tabId) ?? 1) - 1;
    users.set(tabId, left);
    if (left === 0) await chrome.debugger.detach(target).catch(() => {});
  }
}

/** @param {chrome.debugger.Debuggee} source @param {string} reason */
export async function onDebuggerDetached({ tabId }, reason) {
  if (tabId !== undefined) users.delete(tabId);
  if (reason === "canceled_by_user") await pause(true);
}

/** @param {chrome.debugger.Debuggee} target */
async function attach(target) {
  try {
    await chrome.debugger.attach(target, PROTOCOL);
  } catch (error) {
    throw new Fault("TAB_HUNG", `Chrome's debugger cannot be attached to tab ${target.tabId}: ${/** @type {Error} */ (error).message}`);
  }
}
