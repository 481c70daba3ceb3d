// @ts-check
// What left the tabs of the group, as the service worker's webRequest events tell it. Kept only while a run holds the tab.

import { requestMatches } from "../patterns.js";
import { round } from "./trace.js";

const MOST_REQUESTS = 1_000;
const BODY_LIMIT = 4_000;

/**
 * @typedef {{id: string, method: string, url: string, status: number | null, error: string | null, began: number, ended: number | null, body: string | null}} Seen
 */

export class Network {
  constructor() {
    /** @type {Map<number, Map<string, Seen>>} */
    this.tabs = new Map();
    /** @type {Set<(tab: number) => void>} */
    this.watchers = new Set();
  }

  /** @param {number} tab */
  watch(tab) {
    this.tabs.set(tab, new Map());
  }

  /** @param {number} tab */
  forget(tab) {
    this.tabs.delete(tab);
  }

  /** One event of the worker. @param {Seen & {tab: number}} event */
  add({ tab, ...seen }) {
    const requests = this.tabs.get(tab);
    if (!requests || (requests.size >= MOST_REQUESTS && !requests.has(seen.id))) return;
    const known = requests.get(seen.id);
    requests.set(seen.id, { ...seen, body: seen.body ?? known?.body ?? null });
    for (const watcher of [...this.watchers]) watcher(tab);
  }

  /**
   * @param {number} tab @param {number} startedAt epoch ms @param {(value: unknown) => unknown} mask
   * @returns {import("../types").RequestMade[]}
   */
  list(tab, startedAt, mask) {
    return [...(this.tabs.get(tab)?.values() ?? [])].map(({ method, url, status, error, began, ended, body }) => ({
      source: "network", method, url: String(mask(url)), status, error, at_ms: round(began - startedAt),
      took_ms: ended === null ? null : round(ended - began), request_body: body === null ? null : String(mask(body)).slice(0, BODY_LIMIT), response_body: null,
    }));
  }

  /**
   * Resolves when every pattern has been answered, by a status or by an error.
   * @param {number} tab @param {{method: string, url: string}[]} patterns @param {string} origin @param {AbortSignal} signal
   */
  async answered(tab, patterns, origin, signal) {
    const isDone = () => patterns.every(({ method, url }) => this.#answeredOne(tab, `${method} ${url}`, origin, 0));
    await this.#until(tab, () => isDone() || null, signal);
  }

  /**
   * The first request since `since` (epoch ms) that the pattern covers, once it is answered by a status or by an error.
   * @param {number} tab @param {string} pattern as in a manifest @param {string} origin @param {number} since @param {AbortSignal} signal
   * @returns {Promise<Seen>}
   */
  first(tab, pattern, origin, since, signal) {
    return this.#until(tab, () => this.#answeredOne(tab, pattern, origin, since) ?? null, signal);
  }

  /** @template T @param {number} tab @param {() => T | null} look @param {AbortSignal} signal @returns {Promise<T>} */
  #until(tab, look, signal) {
    return new Promise((resolve, reject) => {
      const stop = () => finish(() => reject(signal.reason));
      const watcher = (/** @type {number} */ changed) => {
        const found = changed === tab ? look() : null;
        if (found !== null) finish(() => resolve(found));
      };
      const finish = (/** @type {() => void} */ settle) => {
        this.watchers.delete(watcher);
        signal.removeEventListener("abort", stop);
        settle();
      };
      const there = look();
      if (there !== null) return resolve(there);
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      this.watchers.add(watcher);
    });
  }

  /** @param {number} tab @param {string} pattern @param {string} origin @param {number} since epoch ms */
  #answeredOne(tab, pattern, origin, since) {
    const seen = [...(this.tabs.get(tab)?.values() ?? [])];
    return seen.find(({ ended, began, method, url }) => ended !== null && began >= since && requestMatches([pattern], method, url, origin));
  }
}
