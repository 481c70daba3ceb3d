// @ts-check
// The offscreen document seen from the service worker: keeps it there, and speaks with it over the line it opens.

import { faultData } from "../fault.js";
import { LIFE_PORT } from "../protocol.js";

const PAGE = "offscreen/offscreen.html";

/** @type {MessagePort | null} */
let line = null;
/** Its end tells the offscreen document that this worker died. @type {chrome.runtime.Port | null} */
let life = null;
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
 * Takes the line that the offscreen document opened.
 * @param {MessagePort} opened
 * @param {(method: string, params: object) => Promise<unknown>} answer answers what it asks
 */
export function acceptOffscreen(opened, answer) {
  line = opened;
  giveSignOfLife();
  opened.onmessage = async ({ data: { id, method, params } }) => {
    try {
      const result = await answer(method, params);
      if (id !== undefined) opened.postMessage({ id, result });
    } catch (error) {
      if (id !== undefined) opened.postMessage({ id, error: faultData(error) });
    }
  };
}

/**
 * Tells the offscreen document. Without a line it is only woken: it opens one, and asks for the whole state.
 * @param {string} event @param {object} params
 */
export function tellOffscreen(event, params) {
  if (line) line.postMessage({ event, params });
  else giveSignOfLife();
}

function giveSignOfLife() {
  if (life) return;
  const port = chrome.runtime.connect({ name: LIFE_PORT });
  port.onDisconnect.addListener(() => {
    void chrome.runtime.lastError; // No offscreen document is there yet: it will open a line when it is.
    if (life === port) life = line = null;
  });
  life = port;
}

async function create() {
  if (await chrome.offscreen.hasDocument()) return;
  await chrome.offscreen.createDocument({
    url: PAGE,
    reasons: [chrome.offscreen.Reason.WORKERS],
    justification: "Holds the connection to the relay on this machine and runs subroutines in a sandboxed Worker.",
  });
}
