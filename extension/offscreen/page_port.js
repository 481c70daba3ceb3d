// @ts-check
// One frame of one document: its port, where it is, and the calls that are under way in it.

import { Fault, faultData, faultFrom } from "../fault.js";
import { parseUrl } from "../patterns.js";

/** How long a page may take to say whether what is cut off had begun to act. A run waits a little longer for its calls. */
export const LAST_WORD_MS = 900;
/** Calls that may act: where the page has no last word on one, it may have. */
const MAY_ACT = new Set(["click", "type", "press", "select", "upload", "drag", "extract", "request", "requestJson"]);

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
 * @typedef {{call: string, acted: boolean, cutOff: any, rows: any[] | null, resolve: (answer: {value: any, acted: boolean}) => void, reject: (error: Error) => void, onNote: (note: any) => void, onTrusted?: (actions: object[]) => Promise<void>}} Waiting
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
    /** It is let go of when the calls that are under way have ended. */
    this.closing = false;
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
    if (this.gone || this.closing) return Promise.reject(new Dropped(false));
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      const waiting = { call, acted: false, cutOff: null, rows: null, resolve, reject, onNote, onTrusted };
      this.waiting.set(id, waiting);
      signal?.addEventListener("abort", () => this.#abandon(id, signal.reason), { once: true });
      letGo?.addEventListener("abort", () => this.waiting.has(id) && this.port.postMessage({ id, cancel: true }), { once: true });
      this.port.postMessage({ id, call, args, deadline_ms: deadlineMs, options });
    });
  }

  /** Tells the page to let go, and lets go when it has said what its calls had begun. @param {Error} reason what those fail with */
  close(reason) {
    this.closing = true;
    for (const id of [...this.waiting.keys()]) this.#abandon(id, reason);
    this.#letGo();
  }

  #letGo() {
    if (!this.closing || this.gone || this.waiting.size > 0) return;
    this.port.postMessage({ stop: true });
    this.port.disconnect();
    this.#lost();
  }

  /** Stops a call; it ends with the page's last word on it, which says whether it had acted. @param {number} id @param {any} reason */
  #abandon(id, reason) {
    const waiting = this.waiting.get(id);
    if (!waiting || waiting.cutOff) return;
    waiting.cutOff = reason;
    this.port.postMessage({ id, cancel: true });
    setTimeout(() => this.waiting.has(id) && this.#cutOff(id, waiting, MAY_ACT.has(waiting.call)), LAST_WORD_MS);
  }

  /** @param {number} id @param {Waiting} waiting @param {boolean} acted */
  #cutOff(id, { acted: hasActed, cutOff: reason, reject }, acted) {
    this.waiting.delete(id);
    reject(reason instanceof Fault ? reason.during(hasActed || acted) : reason);
    this.#letGo();
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
    if (waiting.cutOff) return this.#cutOff(id, waiting, acted === true);
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
    for (const [id, waiting] of [...this.waiting]) {
      if (waiting.cutOff) this.#cutOff(id, waiting, false);
      else waiting.reject(new Dropped(waiting.acted, waiting.rows));
    }
    this.waiting.clear();
    this.onChange("gone");
  }
}
