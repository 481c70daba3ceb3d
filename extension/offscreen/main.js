// @ts-check
// The offscreen document put together: socket, sandbox, page ports, and the line to the service worker.

import { Fault } from "../fault.js";
import { LIFE_PORT, isRequest } from "../protocol.js";
import { Methods } from "./methods.js";
import { Navigation } from "./navigation.js";
import { Network } from "./network.js";
import { Pages } from "./pages.js";
import { pausedFault } from "./run.js";
import { Sandbox } from "./sandbox.js";
import { Socket } from "./socket.js";
import { Tabs } from "./tabs.js";
import { WorkerLink } from "./worker_link.js";

const pages = new Pages();
const network = new Network();
const link = new WorkerLink(onWorkerEvent, onWorkerLost);
const tabs = new Tabs(pages, link);
const navigation = new Navigation(pages, link);
const sandbox = new Sandbox(await workerSource(), chrome.runtime.getURL("sandbox/sandbox.html"));
const socket = new Socket({ onFrame, onStatus });
/** @type {Set<chrome.runtime.Port>} */
const popups = new Set();
let paused = false;
const BADGES = { unpaired: "", connecting: "…", waiting: "…", connected: "ON", stopped: "!" };
let shownBadge = "";
const methods = new Methods({
  pages, network, link, tabs, navigation, sandbox,
  isPaused: () => paused,
  tell: (event, params) => socket.send({ event, params }),
});

chrome.runtime.onConnect.addListener((port) => {
  if (port.name === "runhome-popup") welcomePopup(port);
  else if (port.name === LIFE_PORT && !port.sender?.tab) link.lives(port);
  else pages.accept(port);
});
link.tell("started", {});

async function workerSource() {
  return (await fetch(chrome.runtime.getURL("sandbox/worker.js"))).text();
}

/** @param {Record<string, any>} frame */
async function onFrame(frame) {
  if (isRequest(frame)) socket.send(await methods.answer(/** @type {any} */ (frame)));
}

/** @param {import("../types").SocketStatus} status */
function onStatus(status) {
  if (status.status !== "connected") methods.abandon();
  else socket.send({ event: "tabs", params: { tabs: tabs.list() } });
  for (const popup of popups) popup.postMessage(status);
  const badge = BADGES[status.status];
  if (badge !== shownBadge) link.tell("badge", { badge });
  shownBadge = badge;
}

/** @param {chrome.runtime.Port} port */
function welcomePopup(port) {
  popups.add(port);
  port.onDisconnect.addListener(() => popups.delete(port));
  port.onMessage.addListener((message) => message.connect && socket.connect());
  port.postMessage(socket.status);
}

/** @param {string} event @param {any} params */
function onWorkerEvent(event, params) {
  if (event === "state") applyState(params);
  else if (event === "network") network.add(params);
  else if (event === "navigation_failed") navigation.failed(params);
  else if (event === "closed") {
    tabs.closed(params.tab);
    dropTab(params.tab, new Fault("TAB_CLOSED", "The tab was closed."));
  }
}

/** @param {{pairing: import("./socket.js").Pairing | null, paused: boolean, tabs: {id: number, url: string, title: string}[]}} state */
function applyState(state) {
  if (state.paused !== paused) {
    paused = state.paused;
    if (paused) stopEverything();
    socket.send({ event: "state", params: { paused } });
  }
  for (const tab of tabs.update(state.tabs)) {
    dropTab(tab, new Fault("TAB_CLOSED", "The tab was closed or taken out of the Runhome group."));
  }
  socket.send({ event: "tabs", params: { tabs: tabs.list() } });
  socket.configure(state.pairing);
}

function stopEverything() {
  methods.stopRuns(pausedFault());
  for (const { id } of tabs.list()) pages.drop(id, pausedFault());
}

/** @param {number} tab @param {Fault} reason */
function dropTab(tab, reason) {
  methods.stopRuns(reason, tab);
  pages.drop(tab, reason);
}

/** While a run is under way its evidence comes through the worker: bring it back at once. Else let it sleep. */
function onWorkerLost() {
  if (methods.runs.size > 0) link.tell("state", {});
}
