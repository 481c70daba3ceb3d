// @ts-check
// Which frame of a tab a target is meant for. The top frame sees the frames of its own origin itself; others have ports.

import { Fault } from "../fault.js";
import { placeMatches } from "../patterns.js";

/** @typedef {import("./page_port.js").PagePort} PagePort */

/**
 * The frame that a call's first argument names: by `frame` (name, URL glob or index path) or by being a handle.
 * Null when it names none. Throws NOT_FOUND when what it names is not there, AMBIGUOUS when it is more than one.
 * @param {any} target @param {PagePort[]} frames
 */
export function namedFrame(target, frames) {
  if (target === null || typeof target !== "object") return null;
  const handle = target.$handle ? target : target.within?.$handle ? target.within : null;
  if (handle) return frames.find((frame) => frame.frame === handle.frame) ?? null;
  if (typeof target.frame !== "string" && typeof target.frame !== "number") return null;
  const wanted = String(target.frame);
  const found = frames.filter((frame) => frame.path === wanted || frame.name === wanted || placeMatches(wanted, frame.url));
  if (found.length === 1) return found[0];
  const there = frames.filter((frame) => frame.path !== "").map(({ path, name, url }) => ({ path, name, url }));
  if (found.length > 1) {
    throw new Fault("AMBIGUOUS", `${found.length} frames fit "${wanted}". Use the index path of one.`, { sought: target, matches: there });
  }
  const list = there.map(({ path, name, url }) => `${path}${name ? ` "${name}"` : ""} ${url}`).join("; ") || "none";
  throw new Fault("NOT_FOUND", `No frame "${wanted}" in this page. Frames: ${list}.`, { sought: target, candidates: [] });
}

/**
 * The frames that the top frame cannot look into: those of another origin, and all below them.
 * @param {PagePort} top @param {PagePort[]} frames
 */
export function foreignFrames(top, frames) {
  const foreign = frames.filter((frame) => frame.path !== "" && frame.origin !== top.origin);
  return frames.filter((frame) => foreign.some(({ path }) => frame.path === path || frame.path.startsWith(`${path}.`)));
}

/** The argument as the frame itself is to read it: without the frame's name. @param {any} target */
export function withoutFrame(target) {
  if (target === null || typeof target !== "object" || target.$handle || target.frame === undefined) return target;
  const { frame: _, ...rest } = target;
  return rest;
}

/** Marks handles in a page's answer with the frame and document that they belong to. @param {any} value @param {PagePort} frame @returns {any} */
export function stamped(value, frame) {
  if (Array.isArray(value)) return value.map((item) => stamped(item, frame));
  return value?.$handle ? { ...value, frame: frame.frame, document: frame.document } : value;
}
