// @ts-check
// The Runhome tab group: the only tabs that are ours. A tab is in it, or it is none of our business.
//
// A group is ours by its id, which lasts until the browser ends; after a start, the groups that Chrome restored under our
// title are ours again.

import { GROUP_TITLE } from "../protocol.js";
import { inject, injectAnew } from "./injection.js";
import { watchOnly } from "./network.js";
import { tellOffscreen } from "./offscreen_document.js";
import { loaded, remember } from "./state.js";

const COLOR = "cyan";
const BLANK_MS = 3_000;

/** The group's tabs. @returns {Promise<chrome.tabs.Tab[]>} */
export async function members() {
  const ids = await groups();
  const tabs = await Promise.all(ids.map((groupId) => chrome.tabs.query({ groupId })));
  return tabs.flat();
}

/** Whether a tab is in the group now. @param {number} tabId */
export async function isMember(tabId) {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  return tab !== null && (await groups()).includes(tab.groupId);
}

const joins = oneAfterAnother();
const tellings = oneAfterAnother();
/** @type {Promise<void> | null} */
let waiting = null;

/** Puts a tab into the group of its window. Two at once would make two groups. @param {number} tabId */
export function join(tabId) {
  return joins(() => joinNow(tabId));
}

/** @param {number} tabId */
async function joinNow(tabId) {
  const { windowId } = await chrome.tabs.get(tabId);
  const ours = await groups();
  const inWindow = await chrome.tabGroups.query({ windowId });
  const known = inWindow.find((group) => ours.includes(group.id));
  const options = known ? { groupId: known.id } : { createProperties: { windowId } };
  const groupId = await chrome.tabs.group({ tabIds: [tabId], ...options });
  if (known) return;
  await remember({ groups: [...(await groups()), groupId] });
  await chrome.tabGroups.update(groupId, { title: GROUP_TITLE, color: COLOR });
  await joined(tabId);
}

/** Takes a tab out of the group. @param {number} tabId */
export async function leave(tabId) {
  await chrome.tabs.ungroup([tabId]);
}

/** Opens a page in the background. The tab is in the group before it goes there. @param {string} url */
export async function open(url) {
  const { id = -1 } = await openTab();
  await Promise.all([join(id), untilLoaded(id)]);
  await chrome.tabs.update(id, { url });
  await publish(); // whatever is told of the tabs after our answer has this one in it
  return { ...about(await chrome.tabs.get(id)), url };
}

/** Tells the offscreen document which tabs are ours, and all else it should know; listens to what leaves those tabs. */
export function publish() {
  // One that waits for its turn has not looked yet: it will tell of this change too.
  waiting ??= tellings(() => {
    waiting = null;
    return publishNow();
  });
  return waiting;
}

async function publishNow() {
  const { pairing, paused } = await loaded();
  const tabs = (await members()).map(about);
  watchOnly(tabs.map((tab) => tab.id));
  tellOffscreen("state", { pairing, paused, tabs });
}

/** Connects every tab of the group anew; when the offscreen document has started, or Pause is over. */
export async function adopt() {
  const { paused } = await loaded();
  if (paused) return;
  await Promise.all((await members()).map(({ id = -1 }) => injectAnew({ tabId: id, allFrames: true })));
}

/** @param {chrome.tabs.Tab} tab */
export async function onTabCreated({ id, groupId }) {
  if (id !== undefined && (await groups()).includes(groupId)) await joined(id);
}

/** @param {number} tabId @param {{groupId?: number, url?: string, title?: string}} change @param {chrome.tabs.Tab} tab */
export async function onTabUpdated(tabId, change, tab) {
  const isOurs = (await groups()).includes(tab.groupId);
  if (change.groupId !== undefined) await (isOurs ? joined(tabId) : publish());
  else if (isOurs && (change.url !== undefined || change.title !== undefined)) await publish();
}

/** @param {number} tabId */
export async function onTabRemoved(tabId) {
  tellOffscreen("closed", { tab: tabId });
  await publish();
}

/** A tab that Chrome puts to sleep gets a new number. @param {number} _ @param {number} oldId */
export async function onTabReplaced(_, oldId) {
  await onTabRemoved(oldId);
}

/** @param {chrome.tabGroups.TabGroup} group */
export async function onGroupRemoved({ id }) {
  const ours = await groups();
  if (ours.includes(id)) await remember({ groups: ours.filter((one) => one !== id) });
}

/** @param {number} tabId */
async function joined(tabId) {
  await publish();
  const { paused } = await loaded();
  // Not awaited: into a page that is about to go away it may never end, and a new tab goes on from its blank page at once.
  if (!paused) void inject({ tabId, allFrames: true });
}

/** @returns {Promise<number[]>} */
async function groups() {
  const state = await loaded();
  if (state.groups) return state.groups;
  const restored = await chrome.tabGroups.query({ title: GROUP_TITLE });
  if (!state.groups) await remember({ groups: restored.map((group) => group.id) });
  return state.groups ?? [];
}

async function openTab() {
  const windows = await chrome.windows.getAll({ windowTypes: ["normal"] });
  const [there] = await members();
  const window = windows.find(({ id }) => id === there?.windowId) ?? windows.find(({ incognito }) => !incognito);
  if (window) return chrome.tabs.create({ url: "about:blank", active: false, windowId: window.id });
  const made = await chrome.windows.create({ url: "about:blank", focused: false });
  return /** @type {chrome.tabs.Tab} */ (made?.tabs?.[0]);
}

/** Where we went before a new tab's blank page is there, that page would take ours away again. @param {number} tabId */
async function untilLoaded(tabId) {
  /** @type {(change: unknown) => void} */
  let done = () => {};
  const loaded = new Promise((resolve) => (done = resolve));
  /** @param {number} changed @param {{status?: string}} change */
  const listen = (changed, { status }) => changed === tabId && status === "complete" && done(null);
  chrome.tabs.onUpdated.addListener(listen);
  if ((await chrome.tabs.get(tabId)).status === "complete") done(null);
  const timer = setTimeout(done, BLANK_MS);
  await loaded;
  clearTimeout(timer);
  chrome.tabs.onUpdated.removeListener(listen);
}

/** Makes a queue: what is given to it begins when all that was given before has ended. */
function oneAfterAnother() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @param {() => Promise<void>} work */
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** @param {chrome.tabs.Tab} tab */
function about({ id, url = "", pendingUrl, title = "" }) {
  return { id: /** @type {number} */ (id), url: url || pendingUrl || "", title };
}
