// @ts-check
// The line to the service worker, which may be dead at any moment: asking wakes it, and a question it did not live to
// answer is asked again.
//
// 1. The line is a MessagePort: it needs no other process, where a port of chrome.runtime goes through the browser. And were
//    the worker to listen for such ports, it would be sent all that the pages tell us over theirs.
// 2. A MessagePort does not say that a worker died. So the worker opens one port of chrome.runtime to us, its sign of life,
//    over which nothing is said.

import { Fault, faultFrom } from "../fault.js";

const ATTEMPTS = 3;

export class WorkerLink {
  /**
   * @param {(event: string, params: any) => void} onEvent what the worker tells
   * @param {() => void} onLost the worker died, or the line broke
   */
  constructor(onEvent, onLost) {
    this.onEvent = onEvent;
    this.onLost = onLost;
    /** @type {MessagePort | null} */
    this.port = null;
    /** The sign of life of the worker that lives now. @type {chrome.runtime.Port | null} */
    this.life = null;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.asked = 0;
    /** The worker that lives now has told the state: it watches what leaves the tabs. */
    this.isLive = false;
  }

  /**
   * Asks the worker; wakes it if need be. Rejects with a Fault.
   * @param {string} method @param {object} [params] @returns {Promise<any>}
   */
  async ask(method, params = {}) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#askOnce(method, params);
      } catch (error) {
        if (error instanceof Fault || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Tells the worker something that needs no answer; wakes it if need be. @param {string} method @param {object} params */
  tell(method, params) {
    this.#open().postMessage({ method, params });
  }

  /** @param {string} method @param {object} params */
  #askOnce(method, params) {
    const port = this.#open();
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      port.postMessage({ id, method, params });
    });
  }

  /** The worker has started. What it had to tell before it had a line is in its state. @param {chrome.runtime.Port} life */
  lives(life) {
    if (this.life) this.#lost();
    this.life = life;
    life.onDisconnect.addListener(() => this.life === life && this.#lost());
    this.tell("state", {});
  }

  #open() {
    if (this.port) return this.port;
    const { port1: port, port2: theirs } = new MessageChannel();
    port.onmessage = ({ data }) => this.#receive(data);
    void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ line: true }, [theirs]));
    this.port = port;
    return port;
  }

  /** @param {any} message */
  #receive(message) {
    this.isLive ||= message.event === "state";
    if (message.event) return this.onEvent(message.event, message.params);
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) asked?.reject(faultFrom(message.error));
    else asked?.resolve(message.result);
  }

  #lost() {
    this.port?.close();
    this.port = null;
    this.life = null;
    this.isLive = false;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of lost) reject(new Error("the service worker ended before it answered"));
    this.onLost();
  }
}
