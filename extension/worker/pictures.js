// @ts-check
// A picture of a tab of the group as it looks now: without the debugger where the tab is in front, else with it.

import { Fault } from "../fault.js";
import { withDebugger } from "./debugger.js";
import { isMember } from "./group.js";

const QUALITY = 80;
const MIME = "image/jpeg";
const PATIENCE_MS = 10_000;

/**
 * @param {number} tabId
 * @returns {Promise<{mime: string, data: string, width: number, height: number}>} `data` is base64, sizes in pixels
 */
export async function takePicture(tabId) {
  if (!(await isMember(tabId))) throw new Fault("NO_TAB", `Tab ${tabId} is not in the Runhome group.`);
  const tab = await chrome.tabs.get(tabId);
  const data = tab.active ? await capture(tab) : await withDebugger(tabId, captureInBackground);
  return { mime: MIME, data, ...(await size(data)) };
}

/** @param {chrome.tabs.Tab} tab */
async function capture({ id, windowId }) {
  try {
    const url = await chrome.tabs.captureVisibleTab(windowId, { format: "jpeg", quality: QUALITY });
    return url.slice(url.indexOf(",") + 1);
  } catch {
    // Chrome allows two a second, and none of a window that is minimized.
    return withDebugger(/** @type {number} */ (id), captureInBackground);
  }
}

/**
 * A background tab draws nothing until a screencast wakes it.
 * @param {import("./debugger.js").Send} send
 */
async function captureInBackground(send) {
  await send("Page.startScreencast", { format: "jpeg", quality: 1, everyNthFrame: 1 });
  try {
    const picture = await Promise.race([send("Page.captureScreenshot", { format: "jpeg", quality: QUALITY }), tooLate()]);
    return /** @type {string} */ (picture.data);
  } finally {
    await send("Page.stopScreencast").catch(() => {});
  }
}

async function tooLate() {
  await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  throw new Fault("TAB_HUNG", `The tab gave no picture within ${PATIENCE_MS / 1000} s.`);
}

/** @param {string} data */
async function size(data) {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: MIME }));
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}
