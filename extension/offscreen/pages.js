// @ts-check
// All frames of all tabs of the group that have a port, and waiting for the one that is to come.

import { PagePort } from "./page_port.js";

const PORT_NAME = "runhome-page";
/** How long a document that said it leaves may take to be gone: a download or an empty answer never takes it away. */
const LEAVING_MS = 3_000;

export class Pages {
  constructor() {
    /** @type {Map<number, Map<number, PagePort>>} */
    this.tabs = new Map();
    /** @type {Set<(tab: number) => void>} */
    this.watchers = new Set();
  }

  /** Takes a port that a content script opened. @param {chrome.runtime.Port} port */
  accept(port) {
    if (port.name !== PORT_NAME || port.sender?.tab?.id === undefined) return;
    const frame = new PagePort(port, (change) => this.#changed(frame, change));
    const frames = this.tabs.get(frame.tab) ?? new Map();
    this.tabs.set(frame.tab, frames.set(frame.frame, frame));
  }

  /** The top frame's port, if there is one now. @param {number} tab */
  top(tab) {
    return this.tabs.get(tab)?.get(0) ?? null;
  }

  /** Every frame of a tab that has a port, the top one first. @param {number} tab @returns {PagePort[]} */
  frames(tab) {
    return [...(this.tabs.get(tab)?.values() ?? [])].sort((a, b) => a.frame - b.frame);
  }

  /**
   * The top frame once it can be acted in.
   * @param {number} tab @param {AbortSignal} signal gives up with the signal's reason
   * @param {string | null} [notDocument] wait for another document than this
   * @returns {Promise<PagePort>}
   */
  settled(tab, signal, notDocument = null) {
    const giveUpOn = performance.now() + LEAVING_MS;
    return this.until(tab, signal, () => {
      const top = this.top(tab);
      if (!top?.ready || top.gone || top.document === notDocument) return null;
      return top.leaving && performance.now() < giveUpOn ? null : top;
    }, LEAVING_MS);
  }

  /**
   * Resolves with the first truthy value of `look`, which is asked again whenever something changes in the tab; rejects
   * with what `look` throws.
   * @template T @param {number} tab @param {AbortSignal} signal @param {() => T | null} look
   * @param {number} [lookAgainMs] ask once more after so long, change or not
   * @returns {Promise<T>}
   */
  until(tab, signal, look, lookAgainMs) {
    return new Promise((resolve, reject) => {
      const again = () => {
        try {
          const found = look();
          if (found) finish(() => resolve(found));
        } catch (error) {
          finish(() => reject(error));
        }
      };
      const watcher = (/** @type {number} */ changed) => changed === tab && again();
      const timer = lookAgainMs === undefined ? 0 : setTimeout(again, lookAgainMs + 1);
      const stop = () => finish(() => reject(signal.reason));
      const finish = (/** @type {() => void} */ settle) => {
        clearTimeout(timer);
        this.watchers.delete(watcher);
        signal.removeEventListener("abort", stop);
        settle();
      };
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      this.watchers.add(watcher);
      again();
    });
  }

  /** Something about the tab changed that no port tells of: whoever waits looks again. @param {number} tab */
  nudge(tab) {
    for (const watcher of [...this.watchers]) watcher(tab);
  }

  /** Lets go of every frame of a tab. @param {number} tab @param {Error} reason what calls under way fail with */
  drop(tab, reason) {
    for (const frame of this.frames(tab)) frame.close(reason);
    this.tabs.delete(tab);
  }

  /** @param {PagePort} frame @param {"moved" | "gone"} change */
  #changed(frame, change) {
    const frames = this.tabs.get(frame.tab);
    if (change === "gone" && frames?.get(frame.frame) === frame) frames.delete(frame.frame);
    if (frames?.size === 0) this.tabs.delete(frame.tab);
    this.nudge(frame.tab);
  }
}
