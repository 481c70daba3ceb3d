// @ts-check
// What the service worker remembers over its own death: the pairing and Pause for good, the group until the browser ends.

/**
 * @typedef {{browser: string, key: string, name: string, port: number}} Pairing
 * @typedef {{pairing: Pairing | null, paused: boolean, groups: number[] | null, badge: string}} State
 *   `groups` is null until the first look after the browser's start
 */

/** @type {State} */
const state = { pairing: null, paused: false, groups: null, badge: "" };

const loading = (async () => {
  const { pairing = null, paused = false } = await chrome.storage.local.get(["pairing", "paused"]);
  const { groups = null, badge = "" } = await chrome.storage.session.get(["groups", "badge"]);
  Object.assign(state, { pairing, paused, groups, badge });
})();

/** The state, once it is loaded. @returns {Promise<Readonly<State>>} */
export async function loaded() {
  await loading;
  return state;
}

/** Changes what outlives the browser. @param {Partial<Pick<State, "pairing" | "paused">>} change */
export async function keep(change) {
  Object.assign(await loaded(), change);
  await chrome.storage.local.set(change);
}

/** Changes what outlives only this worker. @param {Partial<Pick<State, "groups" | "badge">>} change */
export async function remember(change) {
  Object.assign(await loaded(), change);
  await chrome.storage.session.set(change);
}
