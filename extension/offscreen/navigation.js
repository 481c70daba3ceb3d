// @ts-check
// Taking a tab to a page and knowing when it is there. The service worker steers; the page ports tell of the arrival.

import { Fault } from "../fault.js";
import { placeMatches, sameSpot } from "../patterns.js";

/** @typedef {import("./pages.js").Pages} Pages */
/** @typedef {import("./worker_link.js").WorkerLink} WorkerLink */
/** @typedef {import("./page_port.js").PagePort} PagePort */

/** A page may take long; what was lost on the way is looked for so often. */
const URGE_MS = 3_000;

export class Navigation {
  /** @param {Pages} pages @param {WorkerLink} link */
  constructor(pages, link) {
    this.pages = pages;
    this.link = link;
    /** What went wrong with a tab's last navigation, and which document it was to replace. @type {Map<number, {error: string, document: string | null}>} */
    this.failures = new Map();
    pages.watchers.add((tab) => this.#forgetIfOver(tab));
  }

  /**
   * Goes to `url` and resolves with the top frame once it can be acted in. Rejects with NETWORK where it cannot be reached.
   * @param {number} tab @param {string} url @param {AbortSignal} signal @returns {Promise<PagePort>}
   */
  async go(tab, url, signal) {
    const before = this.pages.top(tab);
    this.failures.delete(tab);
    await this.link.ask("navigate", { tab, url });
    if (before && url.includes("#") && sameSpot(before.url, url)) {
      await this.pages.until(tab, signal, () => this.#checked(tab, url) ?? (placeMatches(url, before.url) || null));
      return before;
    }
    return this.arrived(tab, url, signal, before?.document ?? null);
  }

  /**
   * The top frame of a document that is not `notDocument`, once it can be acted in.
   * @param {number} tab @param {string} url for the message when it fails @param {AbortSignal} signal
   * @param {string | null} [notDocument] @param {string | null} [again] where to send the tab if it rests at a blank page
   */
  async arrived(tab, url, signal, notDocument = null, again = null) {
    const over = new AbortController();
    /** @type {Promise<any>} */
    const failed = this.pages.until(tab, AbortSignal.any([signal, over.signal]), () => this.#checked(tab, url));
    failed.catch(() => {});
    const urging = setInterval(() => this.#urge(tab, again), URGE_MS);
    try {
      return await Promise.race([this.pages.settled(tab, signal, notDocument), failed]);
    } finally {
      clearInterval(urging);
      over.abort();
    }
  }

  /** The top frame of a tab that was just opened for `url`. @param {number} tab @param {string} url @param {AbortSignal} signal */
  opened(tab, url, signal) {
    return this.arrived(tab, url, signal, null, url);
  }

  /** @param {number} tab @param {string | null} again */
  #urge(tab, again) {
    if (!this.pages.top(tab)) this.link.ask("urge", { tab, again }).catch(() => {}); // the wait itself says what went wrong
  }

  /**
   * The top frame of a tab of the group, brought back first if Chrome had put the tab to sleep or shows its own error page.
   * @param {number} tab @param {string} url @param {AbortSignal} signal @returns {Promise<PagePort>}
   */
  async awake(tab, url, signal) {
    const top = this.pages.top(tab);
    if (top?.isSettled) return top;
    this.failures.delete(tab);
    if (!top) await this.link.ask("revive", { tab });
    return this.arrived(tab, url, signal);
  }

  /** The service worker saw a navigation fail. @param {{tab: number, error: string}} event */
  failed({ tab, error }) {
    // Another navigation took its place, or it became a download: not a page that cannot be reached.
    if (error === "net::ERR_ABORTED") return;
    this.failures.set(tab, { error, document: this.pages.top(tab)?.document ?? null });
    this.pages.nudge(tab);
  }

  /** @param {number} tab @param {string} url @returns {any} null, or throws */
  #checked(tab, url) {
    const failure = this.failures.get(tab);
    if (!failure) return null;
    throw new Fault("NETWORK", `The page ${url} did not open: ${failure.error}. Is the address right and the site up?`);
  }

  /** @param {number} tab */
  #forgetIfOver(tab) {
    const now = this.pages.top(tab)?.document ?? null;
    if (now !== null && this.failures.get(tab)?.document !== now) this.failures.delete(tab);
  }
}
