// @ts-check
// What others may ask of the service worker: the offscreen document over its port, and our own pages by message.

import { Fault, faultData } from "../fault.js";
import { showBadge } from "./badge.js";
import { adopt, isMember, join, leave, open, publish } from "./group.js";
import { beginInput, endInput, input } from "./input.js";
import { navigate, revive, urge } from "./navigation.js";
import { ensureOffscreen } from "./offscreen_document.js";
import { pair, unpair } from "./pairing.js";
import { pause } from "./pause.js";
import { takePicture } from "./pictures.js";
import { loaded } from "./state.js";

/** What the offscreen document asks. @type {Record<string, (params: any) => Promise<unknown>>} */
const ANSWERS = {
  started: async () => {
    await publish();
    await adopt();
  },
  state: publish,
  badge: ({ badge }) => showBadge(badge),
  open: ({ url }) => open(url),
  navigate: ({ tab, url }) => navigate(tab, url),
  revive: ({ tab }) => revive(tab),
  urge: ({ tab, again }) => urge(tab, again),
  screenshot: ({ tab }) => takePicture(tab),
  "input.attach": ({ tab }) => beginInput(tab),
  "input.act": ({ tab, actions }) => input(tab, actions),
  "input.detach": ({ tab }) => endInput(tab),
};

/** What the popup, the options page, or a managed browser's starter asks. @type {Record<string, (message: any) => Promise<unknown>>} */
const COMMANDS = {
  pair: async (message) => {
    await pair(message);
    await publish();
  },
  unpair: async () => {
    await unpair();
    await publish();
  },
  pause: ({ paused }) => pause(paused === true),
  share: ({ tab }) => join(tab),
  unshare: ({ tab }) => leave(tab),
  status: async ({ tab }) => {
    await ensureOffscreen();
    const { pairing, paused } = await loaded();
    const about = pairing && { name: pairing.name, port: pairing.port };
    return { pairing: about, paused, shared: tab !== undefined && (await isMember(tab)) };
  },
};

/** @param {string} method @param {object} [params] */
export async function answer(method, params = {}) {
  if (!Object.hasOwn(ANSWERS, method)) throw new Fault("UNKNOWN_METHOD", `The service worker does not know "${method}".`);
  return ANSWERS[method](params);
}

/** Never rejects: gives `{ok: true, value}` or `{ok: false, error}`. @param {{type: string}} message */
export async function onCommand(message) {
  try {
    if (!Object.hasOwn(COMMANDS, message.type)) throw new Fault("UNKNOWN_METHOD", `There is no command "${message.type}".`);
    return { ok: true, value: await COMMANDS[message.type](message) };
  } catch (error) {
    return { ok: false, error: faultData(error) };
  }
}
