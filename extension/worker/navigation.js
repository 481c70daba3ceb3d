// @ts-check
// The group's tabs on their way: steering them, waking them, and the page scripts for each new document.

import { Fault } from "../fault.js";
import { isMember } from "./group.js";
import { inject, injectAnew } from "./injection.js";
import { tellOffscreen } from "./offscreen_document.js";
import { loaded } from "./state.js";

/** @param {chrome.webNavigation.WebNavigationTransitionCallbackDetails} details */
export async function onCommitted({ tabId, documentId }) {
  const { paused } = await loaded();
  if (!paused && (await isMember(tabId))) await inject({ tabId, documentIds: [documentId] });
}

/** @param {chrome.webNavigation.WebNavigationFramedErrorCallbackDetails} details */
export async function onNavigationFailed({ tabId, frameId, error }) {
  if (frameId === 0 && (await isMember(tabId))) tellOffscreen("navigation_failed", { tab: tabId, error });
}

/** @param {number} tab @param {string} url */
export async function navigate(tab, url) {
  if (!(await isMember(tab))) throw new Fault("NO_TAB", `Tab ${tab} is not in the Runhome group.`);
  if (!/^https?:/i.test(url)) throw new Fault("BAD_ARGUMENT", `Only http and https pages can be opened, not ${url}.`);
  await chrome.tabs.update(tab, { url });
}

/**
 * A tab that Chrome put to sleep, or that shows Chrome's own error page, is loaded again; one that has lost its scripts gets
 * them.
 * @param {number} tab
 */
export async function revive(tab) {
  if (!(await isMember(tab))) throw new Fault("NO_TAB", `Tab ${tab} is not in the Runhome group.`);
  const { discarded, status } = await chrome.tabs.get(tab);
  const isInjected = !discarded && status !== "unloaded" && (await injectAnew({ tabId: tab, allFrames: true }));
  if (!isInjected && status !== "loading") await chrome.tabs.reload(tab);
}

/**
 * A tab that has come to rest without our scripts gets them; a new one whose way was cut short by its own blank page goes
 * again. Nothing is loaded twice: that could send a form again.
 * @param {number} tab @param {string | null} again where a new tab was to go
 */
export async function urge(tab, again) {
  if (!(await isMember(tab))) throw new Fault("NO_TAB", `Tab ${tab} is not in the Runhome group.`);
  const { status, url: at, pendingUrl } = await chrome.tabs.get(tab);
  if (status === "loading" || pendingUrl) return;
  if (at === "about:blank") {
    if (again !== null) await navigate(tab, again);
  } else if (status === "complete") await inject({ tabId: tab, allFrames: true });
}
