// @ts-check
// Asking the right frame: the one that is named, else the top one, else those that the top one cannot see into.

import { Fault } from "../fault.js";
import { foreignFrames, namedFrame, withoutFrame } from "./frames.js";
import { checkFrame, mayActIn } from "./permits.js";

/** How long a frame that is named may take to be there. */
const FRAME_MS = 5_000;

/** @typedef {import("./page_port.js").PagePort} PagePort */
/** @typedef {{value: any, acted: boolean}} Answer */
/**
 * @typedef {object} Place
 * @property {import("./pages.js").Pages} pages
 * @property {number} tab
 * @property {PagePort} top
 * @property {import("../types").SubroutineOnWire} subroutine
 * @property {AbortSignal} signal
 * @property {(frame: PagePort, call: string, args: unknown[], signal?: AbortSignal) => Promise<Answer>} ask
 */

/**
 * @param {string} helper one that has a target @param {any[]} args @param {Place} place
 * @returns {Promise<Answer>}
 */
export async function askInFrames(helper, args, place) {
  const { pages, tab, top, subroutine, ask } = place;
  const at = helper === "press" ? 1 : 0; // press names its key first
  const target = args[at];
  if (target === undefined || target === null) return ask(top, helper, args);
  const named = await frameOf(target, place);
  if (named) {
    checkFrame(subroutine, named.url);
    return ask(named, helper, args.with(at, withoutFrame(target)));
  }
  const others = foreignFrames(top, pages.frames(tab)).filter((frame) => frame.ready && mayActIn(subroutine, frame.url));
  if (others.length === 0) return ask(top, helper, args);
  const all = [top, ...others];
  if (helper === "waitFor") return waitInAll(args, all, place);
  const frame = await onlyFrameWith(target, args.at(-1)?.timeout, all, place);
  return ask(frame, helper, args);
}

/**
 * The frame that a target names, once it is there and parsed; null when it names none.
 * @param {any} target @param {Place} place @returns {Promise<PagePort | null>}
 */
async function frameOf(target, { pages, tab, signal }) {
  if (target?.frame === undefined && !target?.within?.$handle) return null;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(FRAME_MS)]);
  /** @type {unknown} */
  let missing = null;
  const look = () => {
    try {
      const frame = namedFrame(target, pages.frames(tab));
      return frame === null || frame.ready ? { frame } : null;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "NOT_FOUND") throw error;
      missing = error;
      return null;
    }
  };
  try {
    return (await pages.until(tab, patience, look)).frame;
  } catch (error) {
    throw patience.aborted && !signal.aborted ? (missing ?? error) : error;
  }
}

/** Waits in every frame at once: for something to be gone, in all of them; for something to come, in any. @param {any[]} args @param {PagePort[]} frames @param {Place} place @returns {Promise<Answer>} */
async function waitInAll(args, frames, { ask, signal }) {
  const over = new AbortController();
  const within = AbortSignal.any([signal, over.signal]);
  const waits = frames.map((frame) => ask(frame, "waitFor", args, within));
  try {
    return args[0]?.gone === undefined ? await Promise.any(waits) : (await Promise.all(waits))[0];
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    over.abort();
  }
}

/**
 * The one frame in which the target is, or comes to be. Throws what the top frame says when it is in none, AMBIGUOUS when it
 * is in several.
 * @param {any} target @param {number | undefined} timeout in ms @param {PagePort[]} frames @param {Place} place
 */
async function onlyFrameWith(target, timeout, frames, { ask, signal }) {
  const over = new AbortController();
  const within = AbortSignal.any([signal, over.signal]);
  const finds = frames.map(async (frame) => {
    await ask(frame, "find", [target, { timeout }], within).catch(exceptAmbiguous);
    return frame;
  });
  try {
    const first = await Promise.any(finds);
    const others = frames.filter((frame) => frame !== first);
    const also = await Promise.allSettled(others.map((frame) => ask(frame, "find", [target, { timeout: 0 }], within).catch(exceptAmbiguous)));
    const there = [first, ...others.filter((_, i) => also[i].status === "fulfilled")];
    if (there.length === 1) return first;
    const matches = there.map(({ path, name, url }) => ({ frame: path, name, url }));
    throw new Fault("AMBIGUOUS", `${there.length} frames have a match. Name one of them as "frame".`, { sought: target, matches });
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    over.abort();
  }
}

/** Several matches in one frame are matches: the helper itself will say so. @param {unknown} error */
function exceptAmbiguous(error) {
  if (!(error instanceof Fault) || error.code !== "AMBIGUOUS") throw error;
}
