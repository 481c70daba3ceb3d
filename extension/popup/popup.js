// @ts-check
// The toolbar popup: pairs, shares the tab, pauses; shows the live socket's state as the offscreen document tells it.

import { command, element } from "../options/commands.js";

/** @typedef {import("../types").SocketStatus} SocketStatus */

const WORDS = {
  unpaired: "Not paired",
  connecting: "Connecting…",
  waiting: "Waiting for the relay…",
  connected: "Connected",
  stopped: "Stopped",
  paused: "Paused",
};

const tab = await currentTab();
/** @type {{pairing: {name: string} | null, paused: boolean, shared: boolean}} */
let state = await command("status", { tab: tab?.id });
/** @type {SocketStatus} */
let socket = { status: state.pairing ? "connecting" : "unpaired", reason: "" };

const line = chrome.runtime.connect({ name: "runhome-popup" });
line.onMessage.addListener((status) => {
  socket = status;
  show();
});

element("share").addEventListener("click", async () => {
  await act(state.shared ? "unshare" : "share", { tab: tab?.id });
});
element("pause").addEventListener("click", async () => {
  await act("pause", { paused: !state.paused });
});
element("retry").addEventListener("click", () => line.postMessage({ connect: true }));
element("options").addEventListener("click", () => chrome.runtime.openOptionsPage());
element("pair").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { port = undefined, name = undefined } = await chrome.storage.local.get(["port", "name"]);
  await act("pair", { code: /** @type {HTMLInputElement} */ (element("code")).value, port, name });
});
show();

/** @param {string} type @param {object} params */
async function act(type, params) {
  const problem = element("problem");
  problem.hidden = true;
  try {
    await command(type, params);
    state = await command("status", { tab: tab?.id });
  } catch (error) {
    problem.textContent = /** @type {Error} */ (error).message;
    problem.hidden = false;
  }
  show();
}

function show() {
  const { pairing, paused, shared } = state;
  const status = paused && pairing ? "paused" : socket.status;
  const place = element("status");
  place.textContent = status === "connected" && pairing?.name ? `Connected to ${pairing.name}` : WORDS[status];
  place.dataset.status = status;
  showReason(pairing ? socket.reason : "");
  element("paired").hidden = !pairing;
  element("pair").hidden = pairing !== null;
  const share = /** @type {HTMLButtonElement} */ (element("share"));
  share.textContent = shared ? "Remove this tab" : "Share this tab";
  share.setAttribute("aria-pressed", String(shared));
  share.disabled = !canShare();
  element("shared").textContent = hint(shared);
  element("pause").textContent = paused ? "Resume" : "Pause";
  element("retry").hidden = socket.status !== "stopped" && socket.status !== "waiting";
}

/** @param {string} reason */
function showReason(reason) {
  const place = element("reason");
  place.textContent = reason;
  place.hidden = reason === "";
  place.dataset.tone = socket.status === "waiting" ? "wait" : "bad";
}

function canShare() {
  return /^https?:/.test(tab?.url ?? "");
}

/** @param {boolean} shared */
function hint(shared) {
  if (state.paused) return "Nothing runs in this browser until you press Resume.";
  if (!canShare()) return "This page cannot be shared: only web pages can.";
  return shared
    ? "It is in the Runhome group. Runs may act here; nothing else in this browser is touched."
    : "Puts it into the Runhome group. Runs act in the group's tabs and in no other.";
}

async function currentTab() {
  // A popup that is opened as a page of its own, as tests do, is told which tab it is about.
  const asked = new URLSearchParams(location.search).get("tab");
  if (asked) return chrome.tabs.get(Number(asked));
  const [active] = await chrome.tabs.query({ active: true, currentWindow: true });
  return active;
}
