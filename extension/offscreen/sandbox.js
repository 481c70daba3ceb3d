// @ts-check
// The sandbox seen from outside: gives each body a Worker, ends it when told, and notices when the sandbox has died.
//
// A box is one sandboxed iframe with its Workers. A box whose body had to be killed gets no new bodies and is removed
// when its last one ends: its thread burns on for a while, and only removing the iframe surely ends its process.

import { Fault } from "../fault.js";
import { HELPERS } from "../protocol.js";

/** An out-of-memory death gives no event: a box that says nothing for so long, while a body runs, is dead. */
const SILENCE_MS = 6_000;
const PING_MS = 1_000;
const RESULT_LIMIT = 4 * 1024 * 1024;

/**
 * @typedef {{id: number, box: Box, port: MessagePort, ready: Promise<void>, settle: (ended: {value?: unknown, error?: unknown}) => void, receive: (data: any) => void}} Slot
 * @typedef {{frame: HTMLIFrameElement, loaded: Promise<void>, slots: Set<Slot>, retired: boolean, heard: number, watch: number}} Box
 * @typedef {object} BodyRun
 * @property {string[]} params
 * @property {unknown[]} args
 * @property {string} body
 * @property {AbortSignal} signal ends the body when aborted
 * @property {(helper: string, args: unknown[], ask: (url: string) => Promise<boolean>) => Promise<unknown>} onCall
 * @property {(text: string) => void} onLog
 */

export class Sandbox {
  /** @param {string} workerSource text of sandbox/worker.js @param {string} page URL of sandbox.html */
  constructor(workerSource, page) {
    this.workerSource = workerSource;
    this.page = page;
    /** @type {Set<Box>} */
    this.boxes = new Set();
    /** @type {Slot | null} */
    this.spare = null;
    this.spawned = 0;
    addEventListener("message", (event) => this.#heard(event));
    this.#keepSpare();
  }

  /**
   * Runs one body to its end. Resolves with its JSON value; rejects with what it threw, or with the signal's reason.
   * @param {BodyRun} run @returns {Promise<unknown>}
   */
  async run(run) {
    const slot = this.#take();
    try {
      run.signal.throwIfAborted();
      return await this.#play(slot, run);
    } finally {
      this.#end(slot, run.signal.aborted);
      this.#keepSpare();
    }
  }

  /** @param {Slot} slot @param {BodyRun} run */
  #play(slot, run) {
    return new Promise((resolve, reject) => {
      run.signal.addEventListener("abort", () => reject(run.signal.reason), { once: true });
      slot.settle = ({ value, error }) => (error ? reject(error) : resolve(value));
      slot.receive = (data) => this.#receive(slot, run, data);
      void slot.ready.then(() => {
        const args = JSON.stringify(run.args);
        slot.port.postMessage({ run: { params: run.params, args, body: run.body } });
      });
    });
  }

  /** One message of a body's Worker. It may be forged by the body: nothing is taken on trust. @param {Slot} slot @param {BodyRun} run @param {any} data */
  #receive(slot, run, data) {
    if (typeof data !== "object" || data === null) return;
    if (typeof data.log === "string") run.onLog(data.log);
    else if (typeof data.call === "number") void this.#answer(slot, run, data);
    else if (typeof data.returned === "string") slot.settle(parsedResult(data.returned));
    else if (data.threw) slot.settle({ error: thrownFault(data.threw) });
  }

  /** @param {Slot} slot @param {BodyRun} run @param {{call: number, helper: unknown, args: unknown}} data */
  async #answer(slot, run, { call: id, helper, args: text }) {
    try {
      const args = JSON.parse(String(text));
      if (!Array.isArray(args) || typeof helper !== "string") throw new Fault("BAD_ARGUMENT", "A helper call needs a name and a list.");
      const value = await run.onCall(helper, args, (url) => this.#test(slot, id, url));
      slot.port.postMessage({ id, value: value === undefined ? undefined : JSON.stringify(value) });
    } catch (error) {
      const { code, message, details } = error instanceof Fault ? error : new Fault("BAD_ARGUMENT", String(error));
      slot.port.postMessage({ id, error: { code, message, details } });
    }
  }

  /** Asks the Worker whether the call's regular expression matches: it must not run here, where it could hang everything. @param {Slot} slot @param {number} id @param {string} url @returns {Promise<boolean>} */
  #test(slot, id, url) {
    const test = Math.random();
    return new Promise((resolve) => {
      /** @param {MessageEvent} event */
      const listen = ({ data }) => {
        if (data?.tested !== test) return;
        slot.port.removeEventListener("message", listen);
        resolve(data.matches === true);
      };
      slot.port.addEventListener("message", listen);
      slot.port.postMessage({ id, test, url });
    });
  }

  #keepSpare() {
    this.spare ??= this.#spawn();
  }

  #take() {
    const slot = this.spare ?? this.#spawn();
    this.spare = null;
    slot.box.heard = performance.now();
    slot.box.watch ||= setInterval(() => this.#check(slot.box), PING_MS);
    return slot;
  }

  #spawn() {
    const box = [...this.boxes].find((one) => !one.retired) ?? this.#openBox();
    const { port1, port2 } = new MessageChannel();
    this.spawned += 1;
    /** @type {Slot} */
    const slot = { id: this.spawned, box, port: port1, ready: Promise.resolve(), settle: () => {}, receive: () => {} };
    slot.ready = new Promise((resolve) => {
      port1.onmessage = ({ data }) => (data?.ready ? resolve() : slot.receive(data));
    });
    box.slots.add(slot);
    void box.loaded.then(() => box.frame.contentWindow?.postMessage({ spawn: slot.id, helpers: HELPERS }, "*", [port2]));
    return slot;
  }

  /** @returns {Box} */
  #openBox() {
    const frame = document.createElement("iframe");
    frame.src = this.page;
    const loaded = /** @type {Promise<void>} */ (new Promise((resolve) => {
      frame.onload = () => {
        frame.contentWindow?.postMessage({ source: this.workerSource }, "*");
        resolve();
      };
    }));
    document.documentElement.append(frame);
    const box = { frame, loaded, slots: new Set(), retired: false, heard: performance.now(), watch: 0 };
    this.boxes.add(box);
    return box;
  }

  /** @param {Slot} slot @param {boolean} killed */
  #end(slot, killed) {
    const { box } = slot;
    slot.port.onmessage = null;
    slot.port.close();
    box.slots.delete(slot);
    box.frame.contentWindow?.postMessage({ end: slot.id }, "*");
    if (killed) this.#retire(box);
    const idle = [...box.slots].every((other) => other === this.spare);
    if (idle) {
      clearInterval(box.watch);
      box.watch = 0;
    }
    if (idle && box.retired) this.#remove(box);
  }

  /** @param {Box} box */
  #retire(box) {
    box.retired = true;
    if (this.spare?.box === box) {
      box.slots.delete(this.spare);
      this.spare = null;
    }
  }

  /** @param {Box} box */
  #remove(box) {
    this.boxes.delete(box);
    box.frame.remove();
  }

  /** @param {MessageEvent} event */
  #heard({ source, data }) {
    for (const box of this.boxes) {
      if (data?.pong && box.frame.contentWindow === source) box.heard = performance.now();
    }
  }

  /** @param {Box} box */
  #check(box) {
    box.frame.contentWindow?.postMessage({ ping: 1 }, "*");
    if (performance.now() - box.heard < SILENCE_MS) return;
    this.#retire(box);
    const error = new Fault("BODY_THREW", "The sandbox died while the body ran: most likely the body used up its memory.");
    for (const slot of [...box.slots]) slot.settle({ error });
  }
}

/** @param {string} text @returns {{value?: unknown, error?: Fault}} */
function parsedResult(text) {
  const size = text.length > RESULT_LIMIT / 4 ? new TextEncoder().encode(text).length : text.length;
  if (size > RESULT_LIMIT) {
    const limit = `${RESULT_LIMIT / 1024 / 1024} MiB`;
    return { error: new Fault("TOO_LARGE", `The body returned ${size} bytes of JSON; at most ${limit} may be returned. Return less, or a link.`) };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { error: new Fault("RESULT_NOT_JSON", "The body returned something that is not JSON.") };
  }
}

/** @param {any} threw */
function thrownFault({ code, message, details }) {
  const plain = typeof details === "object" && details !== null ? JSON.parse(JSON.stringify(details)) : {};
  return new Fault(String(code), String(message).slice(0, 4_000), plain);
}
