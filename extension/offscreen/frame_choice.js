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
 * @property {(frame: PagePort, call: string, args: unknown[], signal?: AbortSignal, letGo?: AbortSignal) => Promise<Answer>} ask
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
  if (helper === "waitFor" && target.gone !== undefined) return waitUntilGone(args, place);
  if (helper === "waitFor") return firstOf(() => frames(place), (frame, signal) => ask(frame, helper, args, signal), place);
  if (foreignFrames(top, pages.frames(tab)).length === 0) return topUnlessFrameComes(helper, args, target, place);
  const frame = await onlyFrameWith(target, args.at(-1)?.timeout, place);
  return ask(frame, helper, args);
}

/** The top frame, and those that it cannot see into and the run may act in, as far as they are parsed. @param {Place} place */
function frames({ pages, tab, top, subroutine }) {
  return [top, ...foreignFrames(top, pages.frames(tab)).filter((frame) => frame.ready && mayActIn(subroutine, frame.url))];
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

/** Waits until something is gone from every frame that is there now. @param {any[]} args @param {Place} place @returns {Promise<Answer>} */
async function waitUntilGone(args, place) {
  const [answer] = await Promise.all(frames(place).map((frame) => place.ask(frame, "waitFor", args)));
  return answer;
}

/**
 * The top frame is asked at once. Where a frame comes that has the target while the top one still looks for it, that one is
 * asked; what the top frame has begun counts all the same.
 * @param {string} helper @param {any[]} args @param {any} target @param {Place} place @returns {Promise<Answer>}
 */
async function topUnlessFrameComes(helper, args, target, place) {
  const [letGo, over] = [new AbortController(), new AbortController()];
  const fromTop = place.ask(place.top, helper, args, place.signal, letGo.signal);
  const newcomers = () => frames(place).filter((frame) => frame !== place.top);
  const signal = AbortSignal.any([place.signal, over.signal]);
  const comes = firstOf(newcomers, (frame, within) => has(frame, target, undefined, { ...place, signal: within }), { ...place, signal });
  const topEnded = fromTop.then(() => null, () => null);
  // When the run is cut off the top frame has the last word: it may have acted.
  const frame = await Promise.race([topEnded, comes.catch(() => topEnded)]);
  over.abort();
  if (frame === null) return fromTop;
  letGo.abort();
  return fromTop.catch((error) => {
    if (error.acted) throw error;
    return place.ask(frame, helper, args);
  });
}

/**
 * Asks all these frames at once, and each that comes meanwhile: the first answer. Throws what the top frame says when none has one.
 * @template T @param {() => PagePort[]} there @param {(frame: PagePort, signal: AbortSignal) => Promise<T>} question
 * @param {Place} place @returns {Promise<T>}
 */
async function firstOf(there, question, place) {
  const over = new AbortController();
  const signal = AbortSignal.any([place.signal, over.signal]);
  /** @type {Set<PagePort>} */
  const asked = new Set();
  try {
    return await new Promise((resolve, reject) => {
      const askNewOnes = () => {
        for (const frame of there()) {
          if (asked.has(frame)) continue;
          asked.add(frame);
          question(frame, signal).then(resolve, (error) => frame === place.top && reject(error));
        }
        return null;
      };
      place.pages.until(place.tab, signal, askNewOnes).catch(reject);
    });
  } finally {
    over.abort();
  }
}

/**
 * The one frame in which the target is, or comes to be. Throws what the top frame says when it is in none, AMBIGUOUS when it
 * is in several.
 * @param {any} target @param {number | undefined} timeout in ms @param {Place} place
 */
async function onlyFrameWith(target, timeout, place) {
  const first = await firstOf(() => frames(place), (frame, signal) => has(frame, target, timeout, { ...place, signal }), place);
  const others = frames(place).filter((frame) => frame !== first);
  const also = await Promise.allSettled(others.map((frame) => has(frame, target, 0, place)));
  const there = [first, ...others.filter((_, i) => also[i].status === "fulfilled")];
  if (there.length === 1) return first;
  const matches = there.sort((a, b) => a.frame - b.frame).map(({ path, name, url }) => ({ frame: path, name, url }));
  throw new Fault("AMBIGUOUS", `${there.length} frames have a match. Name one of them as "frame".`, { sought: target, matches });
}

/** The frame, once the target is in it. @param {PagePort} frame @param {any} target @param {number | undefined} timeout in ms @param {Place} place */
async function has(frame, target, timeout, { ask, signal }) {
  await ask(frame, "find", [target, { timeout }], signal).catch(exceptAmbiguous);
  return frame;
}

/** Several matches in one frame are matches: the helper itself will say so. @param {unknown} error */
function exceptAmbiguous(error) {
  if (!(error instanceof Fault) || error.code !== "AMBIGUOUS") throw error;
}
