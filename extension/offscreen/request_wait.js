// @ts-check
// `waitFor({request})`: what the page has sent since the last act of the run, by what the browser saw leave the tab.

import { Fault } from "../fault.js";

const PATIENCE_MS = 10_000;
const METHOD = /^([A-Z]+|\*) +/;

/** @param {any} target */
export function isRequestWait(target) {
  return target !== null && typeof target === "object" && typeof target.request === "string";
}

/**
 * @param {any[]} args `{request: "POST /api/*"}` (any method where none is said; patterns as in a manifest), `{timeout}` in ms
 * @param {{network: import("./network.js").Network, tab: number, pageUrl: string, since: number, signal: AbortSignal}} where
 *   since: epoch ms
 * @returns {Promise<{method: string, url: string, status: number | null}>} status null: it got no answer
 */
export async function waitForRequest([{ request }, options], { network, tab, pageUrl, since, signal }) {
  const timeout = Number(options?.timeout ?? PATIENCE_MS);
  const patience = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const pattern = METHOD.test(request) ? request.replace(METHOD, "$1 ") : `* ${request}`;
  try {
    const { method, url, status } = await network.first(tab, pattern, new URL(pageUrl).origin, since, patience);
    return { method, url, status };
  } catch (error) {
    if (signal.aborted) throw error;
    const made = network.list(tab, since, (value) => value).filter(({ at_ms }) => at_ms >= 0);
    const list = made.slice(-5).map(({ method, url }) => `${method} ${url}`).join(", ") || "none";
    throw new Fault("TIMEOUT", `The page made no request ${request} within ${timeout} ms. Since the last act: ${list}.`, { sought: request });
  }
}
