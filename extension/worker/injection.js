// @ts-check
// Brings the page scripts into a frame. Who may be injected into is decided by those who call.

import { ISOLATED_FILES, MAIN_FILES } from "../page/files.js";

/**
 * Both worlds, MAIN first: its script waits for the private line that the first ISOLATED ones open.
 * @param {chrome.scripting.InjectionTarget} target
 * @returns whether there was something to inject into
 */
export async function inject(target) {
  const main = chrome.scripting.executeScript({ target, files: MAIN_FILES, world: "MAIN", injectImmediately: true });
  const isolated = chrome.scripting.executeScript({ target, files: ISOLATED_FILES, injectImmediately: true });
  // A frame that is gone again, or Chrome's own page in the tab, cannot be injected into: there is nothing to act in.
  const [, ended] = await Promise.allSettled([main, isolated]);
  return ended.status === "fulfilled";
}

/**
 * The same, where the scripts may be there already with a port that leads nowhere.
 * @param {chrome.scripting.InjectionTarget} target
 */
export async function injectAnew(target) {
  const forget = chrome.scripting.executeScript({ target, func: () => globalThis.runhome?.page.port?.disconnect(), injectImmediately: true });
  forget.catch(() => {});
  return inject(target);
}
