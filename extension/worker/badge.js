// @ts-check
// The toolbar badge: empty, …, ON, !. What it says comes from the live socket.

import { loaded, remember } from "./state.js";

/** @type {Record<string, {color: string, title: string}>} */
const LOOKS = {
  "": { color: "#64748b", title: "Runhome: not paired" },
  "…": { color: "#b45309", title: "Runhome: waiting for the relay" },
  ON: { color: "#0f766e", title: "Runhome: connected" },
  "!": { color: "#b91c1c", title: "Runhome: paused or refused, click to see" },
};

/** @param {string} [badge] without it, what was shown last */
export async function showBadge(badge) {
  if (badge !== undefined) await remember({ badge });
  const state = await loaded();
  const text = state.paused ? "!" : state.badge;
  const { color, title } = LOOKS[text] ?? LOOKS["!"];
  await chrome.action.setBadgeText({ text });
  await chrome.action.setBadgeBackgroundColor({ color });
  await chrome.action.setBadgeTextColor({ color: "#ffffff" });
  await chrome.action.setTitle({ title });
}
