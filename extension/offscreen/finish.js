// @ts-check
// What `finish` looks at when a body has ended: waits for what should show, then collects the evidence. Acts on nothing.

import { Fault, faultData } from "../fault.js";
import { Dropped } from "./page_port.js";

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
  const unseen = [...texts, ...gone].map((text) => ({ text, found: false, excerpt: "" }));
  try {
    for (;;) {
      const top = await run.services.pages.settled(tab, signal);
      try {
        const deadlineMs = Math.max(0, until - performance.now());
        const { value } = await top.call("observe", [{ texts, gone }], { deadlineMs });
        return value;
      } catch (error) {
        if (!(error instanceof Dropped)) throw error;
      }
    }
  } catch {
    return { texts: unseen, notices: [], title: info.title || null, url: info.url || null };
  }
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
