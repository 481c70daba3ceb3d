// @ts-check
// The tabs of the group as the service worker last told, and which run holds which. Chooses a tab for a run.

import { Fault } from "../fault.js";
import { rootOf, sameSpot, siteMatches } from "../patterns.js";

/** @typedef {import("../types").TabInfo} TabInfo */
/** @typedef {import("../types").SubroutineOnWire} SubroutineOnWire */

export class Tabs {
  /** @param {import("./pages.js").Pages} pages @param {import("./worker_link.js").WorkerLink} link */
  constructor(pages, link) {
    this.pages = pages;
    this.link = link;
    /** @type {Map<number, {id: number, url: string, title: string}>} */
    this.members = new Map();
    /** @type {Map<number, object>} tab -> the run that holds it */
    this.held = new Map();
    /** @type {Map<string, string>} where a `start` led in the last run that worked */
    this.landings = new Map();
    /** @type {Set<number>} tabs as a run left them that did not return: half a text, an open dialog */
    this.untidy = new Set();
  }

  /** @returns {TabInfo[]} */
  list() {
    return [...this.members.keys()].map((id) => this.info(id));
  }

  /** @param {number} id @returns {TabInfo} */
  info(id) {
    const { url, title } = this.pages.top(id) ?? this.members.get(id) ?? { url: "", title: "" };
    return { id, url, title, busy: this.held.has(id) };
  }

  /** Takes the worker's word; resolves with the tabs that are no longer ours. @param {{id: number, url: string, title: string}[]} members */
  update(members) {
    const now = new Map(members.map((tab) => [tab.id, tab]));
    const left = [...this.members.keys()].filter((id) => !now.has(id));
    this.members = now;
    for (const { id, url, title } of members) {
      const top = this.pages.top(id);
      if (top?.url === url) top.moved(url, title);
    }
    for (const id of left) this.untidy.delete(id);
    return left;
  }

  /** No run may choose it any more, before the worker tells which tabs there are now. @param {number} id */
  closed(id) {
    this.members.delete(id);
    this.untidy.delete(id);
  }

  /** @param {number} id */
  check(id) {
    if (this.members.has(id)) return;
    throw new Fault("NO_TAB", `Tab ${id} is not in the Runhome group. Tabs there: ${this.list().map((tab) => tab.id).join(", ") || "none"}.`);
  }

  /**
   * Holds a tab for a run: the one that was asked for, else an idle one on a matching site, else a new one.
   * @param {object} run @param {SubroutineOnWire} subroutine @param {number | null} wanted
   * @returns {Promise<{tab: number, isNew: boolean}>}
   */
  async choose(run, subroutine, wanted) {
    const chosen = wanted ?? this.#idle(subroutine);
    if (chosen === null) return { tab: await this.open(firstPage(subroutine), run), isNew: true };
    // A tab that was shared a moment ago may not have been told of yet.
    if (!this.members.has(chosen)) await this.link.ask("state");
    this.check(chosen);
    const holder = this.held.get(chosen);
    if (holder && holder !== run) throw new Fault("BUSY", `Tab ${chosen} is in use by another run. Wait for it, or name no tab.`);
    this.held.set(chosen, run);
    return { tab: chosen, isNew: false };
  }

  /** Opens a page in the background, in the group, held from the first moment. @param {string} url @param {object} [run] @returns {Promise<number>} */
  async open(url, run) {
    const tab = await this.link.ask("open", { url });
    this.members.set(tab.id, tab); // the worker may have told of its blank page
    if (run) this.held.set(tab.id, run);
    return tab.id;
  }

  /** @param {object} run */
  release(run) {
    for (const [tab, holder] of this.held) if (holder === run) this.held.delete(tab);
  }

  /** Whether a page is the subroutine's first page, or where that led last time. @param {string} url @param {string} start */
  isAtStart(url, start) {
    return sameSpot(url, start) || sameSpot(url, this.landings.get(start) ?? "");
  }

  /** @param {SubroutineOnWire} subroutine @returns {number | null} */
  #idle({ sites, start }) {
    const fitting = this.list().filter((tab) => !tab.busy && siteMatches(sites, tab.url));
    const there = start ? fitting.find((tab) => this.isAtStart(tab.url, start)) : undefined;
    return (there ?? fitting[0])?.id ?? null;
  }
}

/** @param {SubroutineOnWire} subroutine */
function firstPage({ name, sites, start }) {
  const page = start ?? sites.map(rootOf).find((root) => root !== null);
  if (page) return page;
  throw new Fault("NO_TAB", `"${name}" names no page to open (sites: ${sites.join(", ")}). Add "start" to its manifest, or open the page in a tab of the group.`);
}
