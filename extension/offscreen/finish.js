// @ts-check
// What `finish` looks at when a body has ended: waits for what should show, then collects the evidence. Acts on nothing.

import { Fault, faultData } from "../fault.js";
import { foreignFrames } from "./frames.js";
import { Dropped } from "./page_port.js";
import { mayActIn } from "./permits.js";

/** How long one look waits before the frames are counted anew: one may have come that shows what is wanted. */
const LOOK_MS = 250;
/** Less is not worth another look. */
const LEAST_MS = 60;

/** @typedef {import("./page_port.js").PagePort} PagePort */
/** @typedef {import("./run.js").Run} Run */
/** @typedef {{run: string, texts: string[], gone: string[], requests: {method: string, url: string}[], timeout_ms: number, screenshot: boolean, hold?: boolean}} FinishParams */
/** @typedef {{text: string, found: boolean, excerpt: string}} TextSeen */
/** @typedef {{texts: TextSeen[], notices: string[], title: string | null, url: string | null}} Observed */

/**
 * @param {Run} run @param {FinishParams} params
 * @returns {Promise<object>} as in docs/wire.md
 */
export async function finish(run, params) {
  const { services, trace, startedEpoch } = run;
  const tab = /** @type {number} */ (run.tab);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Fault("TIMEOUT", "the time for the outcome to show is over")), params.timeout_ms);
  const origin = services.pages.top(tab)?.origin ?? "null";
  const [observed] = await Promise.all([
    observe(run, tab, params, late.signal),
    services.network.answered(tab, params.requests, origin, late.signal).catch(() => {}),
  ]);
  clearTimeout(timer);
  return {
    texts: observed.texts,
    notices: observed.notices.map((notice) => trace.mask(notice)),
    requests: services.network.list(tab, startedEpoch, trace.mask),
    final_url: observed.url,
    title: observed.title,
    ...(await picture(run, tab, params.screenshot)),
  };
}

/** Whether there is nothing to wait for and nothing to look at: the run lets go, no more. @param {FinishParams} params */
export function isFarewell({ texts, gone, requests, screenshot, hold = false }) {
  return !hold && !screenshot && texts.length + gone.length + requests.length === 0;
}

/** What is known without asking anybody. @param {Run} run */
export function known({ services, trace, startedEpoch, tab }) {
  const there = /** @type {number} */ (tab);
  const { url, title } = services.tabs.info(there);
  const requests = services.network.list(there, startedEpoch, trace.mask);
  return { texts: [], notices: [], requests, final_url: url || null, title: title || null, screenshot: null, screenshot_problem: null };
}

/**
 * Looks at the page, again in each new document, until everything holds or the time is over.
 * @param {Run} run @param {number} tab @param {FinishParams} params @param {AbortSignal} signal @returns {Promise<Observed>}
 */
async function observe(run, tab, { texts, gone, timeout_ms: limit }, signal) {
  const until = performance.now() + limit;
  const info = run.services.tabs.info(tab);
  /** @type {Observed} */
  let seen = { texts: [...texts, ...gone].map(unseen), notices: [], title: info.title || null, url: info.url || null };
  const holds = () => seen.texts.every(({ found }, i) => found === i < texts.length);
  try {
    for (let patience_ms = 0; ; patience_ms = LOOK_MS) {
      const top = await run.services.pages.settled(tab, signal);
      const left_ms = Math.max(0, until - performance.now());
      try {
        seen = await lookInto(framesOf(run, top), { texts, gone }, Math.min(patience_ms, left_ms), signal);
      } catch (error) {
        if (!(error instanceof Dropped)) throw error;
        continue;
      }
      if (holds() || left_ms < LEAST_MS) return seen;
    }
  } catch {
    return seen;
  }
}

/** @param {string} text @returns {TextSeen} */
function unseen(text) {
  return { text, found: false, excerpt: "" };
}

/** The top frame, and those that it cannot see into, as far as they are parsed and the run may act there. @param {Run} run @param {PagePort} top */
function framesOf({ services, params, tab }, top) {
  const foreign = foreignFrames(top, services.pages.frames(/** @type {number} */ (tab)));
  return [top, ...foreign.filter((frame) => frame.ready && mayActIn(params.subroutine, frame.url))];
}

/**
 * Looks into all of these frames at once. As soon as one of them has nothing more to wait for, the others say what they see.
 * @param {PagePort[]} frames the top one first @param {{texts: string[], gone: string[]}} wanted @param {number} deadlineMs
 * @param {AbortSignal} signal @returns {Promise<Observed>} a text that is in any of them is there
 */
async function lookInto(frames, wanted, deadlineMs, signal) {
  const letGo = new AbortController();
  const looks = frames.map((frame) => frame.call("observe", [wanted], { deadlineMs, signal, letGo: letGo.signal }));
  await Promise.race(looks).catch(() => {});
  letGo.abort();
  const [top, ...others] = await Promise.allSettled(looks);
  if (top.status === "rejected") throw top.reason;
  const answers = [top, ...others].flatMap((look) => (look.status === "fulfilled" ? [look.value.value] : []));
  const texts = [...wanted.texts, ...wanted.gone].map((text, i) => answers.map((answer) => answer.texts[i]).find(({ found }) => found) ?? unseen(text));
  return { ...answers[0], texts, notices: answers.flatMap(({ notices }) => notices) };
}

/** @param {Run} run @param {number} tab @param {boolean} wanted */
async function picture(run, tab, wanted) {
  if (!wanted) return { screenshot: null, screenshot_problem: null };
  try {
    const { mime, data } = await run.services.link.ask("screenshot", { tab });
    return { screenshot: { mime, data }, screenshot_problem: null };
  } catch (error) {
    return { screenshot: null, screenshot_problem: faultData(error).message };
  }
}
