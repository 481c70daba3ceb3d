// @ts-check
// The offscreen document seen from the service worker: keeps it there, and speaks with it over its port.

import { faultData } from "../fault.js";

export const OFFSCREEN_PORT = "runhome-offscreen";
const PAGE = "offscreen/offscreen.html";

/** @type {chrome.runtime.Port | null} */
let port = null;
/** @type {Promise<void> | null} */
let creating = null;

/** Makes the offscreen document unless it is there. Two calls at once make one. */
export async function ensureOffscreen() {
  creating ??= create().finally(() => {
    creating = null;
  });
  await creating;
}

/**
 * Takes the port that the offscreen document opened.
 * @param {chrome.runtime.Port} opened
 * @param {(method: string, params: object) => Promise<unknown>} answer answers what it asks
 */
export function acceptOffscreen(opened, answer) {
  port = opened;
  opened.onDisconnect.addListener(() => {
    if (port === opened) port = null;
  });
  opened.onMessage.addListener(async ({ id, method, params }) => {
    try {
      const result = await answer(method, params);
      if (id !== undefined) opened.postMessage({ id, result });
    } catch (error) {
      if (id !== undefined) opened.postMessage({ id, error: faultData(error) });
    }
  });
}

/**
 * Tells the offscreen document. Without its port it is not told: it asks for the whole state when it comes back.
 * @param {string} event @param {object} params
 */
export function tellOffscreen(event, params) {
  if (port) port.postMessage({ event, params });
  else void chrome.runtime.sendMessage({ to: "offscreen", event, params }).catch(() => {});
}

async function create() {
  if (await chrome.offscreen.hasDocument()) return;
  await chrome.offscreen.createDocument({
    url: PAGE,
    reasons: [chrome.offscreen.Reason.WORKERS],
    justification: "Holds the connection to the relay on this machine and runs subroutines in a sandboxed Worker.",
  });
}
