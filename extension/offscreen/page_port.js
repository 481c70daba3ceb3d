// @ts-check
// One frame of one document: its port, where it is, and the calls that are under way in it.

import { Fault, faultData, faultFrom } from "../fault.js";
import { parseUrl } from "../patterns.js";

/**
 * How a call ended when the document went away under it.
 */
export class Dropped extends Error {
  /**
   * @param {boolean} acted something that may change the site had begun
   * @param {any[] | null} [rows] what the call had gathered before it asked for the next page
   */
  constructor(acted, rows = null) {
    super("the document went away");
    this.acted = acted;
    this.rows = rows;
  }
}

/**
 * @typedef {{acted: boolean, rows: any[] | null, resolve: (answer: {value: any, acted: boolean}) => void, reject: (error: Error) => void, onNote: (note: any) => void, onTrusted?: (actions: object[]) => Promise<void>}} Waiting
 * @typedef {{deadlineMs: number, options?: object, signal?: AbortSignal, letGo?: AbortSignal, onNote?: (note: any) => void, onTrusted?: (actions: object[]) => Promise<void>}} CallOptions
 *   letGo: the page is told to look no further; what it had begun still counts
 */

export class PagePort {
  /** @param {chrome.runtime.Port} port @param {(change: "moved" | "gone") => void} onChange */
  constructor(port, onChange) {
    const { tab, frameId = 0, documentId = "", url = "" } = port.sender ?? {};
    this.port = port;
    this.tab = tab?.id ?? -1;
    this.frame = frameId;
    this.document = documentId;
    this.url = url;
    this.title = "";
    this.path = "";
    this.name = "";
    /** The document is parsed: it can be acted in. */
    this.ready = false;
    /** The document has begun to navigate away. */
    this.leaving = false;
    this.gone = false;
    this.onChange = onChange;
    this.asked = 0;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    port.onMessage.addListener((message) => this.#receive(message));
    port.onDisconnect.addListener(() => this.#lost());
  }

  get origin() {
    return parseUrl(this.url)?.origin ?? "null";
  }

  /** Whether a call sent now will be carried out in this document. */
  get isSettled() {
    return this.ready && !this.leaving && !this.gone;
  }

  /**
   * Runs a page call. Rejects with a Fault, with Dropped, or with the signal's reason; the error has `acted`.
   * @param {string} call @param {unknown[]} args @param {CallOptions} options
   * @returns {Promise<{value: any, acted: boolean}>}
   */
  call(call, args, { deadlineMs, options = {}, signal, letGo, onNote = () => {}, onTrusted }) {
    if (this.gone) return Promise.reject(new Dropped(false));
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      const waiting = { acted: false, rows: null, resolve, reject, onNote, onTrusted };
      this.waiting.set(id, waiting);
      signal?.addEventListener("abort", () => this.#abandon(id, signal.reason), { once: true });
      letGo?.addEventListener("abort", () => this.waiting.has(id) && this.port.postMessage({ id, cancel: true }), { once: true });
      this.port.postMessage({ id, call, args, deadline_ms: deadlineMs, options });
    });
  }

  /** Tells the page to let go, and lets go. @param {Error} reason what calls under way fail with */
  close(reason) {
    for (const id of [...this.waiting.keys()]) this.#abandon(id, reason);
    this.port.postMessage({ stop: true });
    this.port.disconnect();
    this.#lost();
  }

  /** @param {number} id @param {any} reason */
  #abandon(id, reason) {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    if (!this.gone) this.port.postMessage({ id, cancel: true });
    waiting.reject(reason instanceof Fault ? reason.during(waiting.acted) : reason);
  }

  /** The page's own word, or the browser's. @param {string} url @param {string} title */
  moved(url, title) {
    this.url = url;
    this.title = title;
  }

  /** @param {any} message */
  #receive(message) {
    if (message.id) return this.#answered(message);
    if (message.hello) Object.assign(this, message.hello);
    if (message.url) this.moved(message.url, message.title);
    if (message.ready) this.ready = true;
    if (message.leaving !== undefined) this.leaving = message.leaving;
    this.onChange("moved");
  }

  /** @param {any} message */
  #answered({ id, ok, value, error, acted, note, trusted, actions }) {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    if (trusted) return void this.#actTrusted(waiting, trusted, actions);
    if (note) {
      waiting.acted ||= note.acted === true;
      waiting.rows = note.rows ?? waiting.rows;
      waiting.onNote(note);
    }
    if (ok === undefined) return;
    this.waiting.delete(id);
    if (ok) return waiting.resolve({ value, acted: acted === true });
    const fault = error ? faultFrom(error) : new Fault("INTERNAL", "The page gave an answer without an error.");
    fault.acted = acted === true;
    waiting.reject(fault);
  }

  /** @param {Waiting} waiting @param {number} trusted @param {object[]} actions */
  async #actTrusted({ onTrusted }, trusted, actions) {
    /** @type {import("../types").FaultData | null} */
    let error = null;
    try {
      await onTrusted?.(actions);
    } catch (reason) {
      error = faultData(reason);
    }
    if (!this.gone) this.port.postMessage({ trusted, error });
  }

  #lost() {
    if (this.gone) return;
    this.gone = true;
    for (const { reject, acted, rows } of this.waiting.values()) reject(new Dropped(acted, rows));
    this.waiting.clear();
    this.onChange("gone");
  }
}
