// @ts-check
// The sandbox seen from outside: gives each body a Worker, answers its calls, and ends it when told.
//
// A Worker runs one body only. After a body returned, its Worker waits a while for the same body with other arguments, as in
// a queue: making a Worker takes longer than most runs.
//
// A box (one iframe) whose body had to be killed gets no new bodies and is removed when its last one ends: its thread burns
// on for a while, and only removing the iframe surely ends its process.

import { Fault } from "../fault.js";
import { HELPERS } from "../protocol.js";
import { Box } from "./box.js";
import { isTooDeep } from "./nesting.js";

/** How many Workers wait for their body to come again, and for how long. */
const WARM_MOST = 4;
const WARM_MS = 60_000;
/** A waiting Worker that does not begin within this time is still busy with what its last run left behind. */
const STUCK_MS = 300;
const RESULT_LIMIT = 4 * 1024 * 1024;
const STUCK = Symbol("stuck");

/** @typedef {import("./box.js").Slot} Slot */
/**
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
    /** @type {Set<Slot>} the longest waiting first */
    this.warm = new Set();
    this.runs = 0;
    addEventListener("message", (event) => this.boxes.forEach((box) => box.hear(event)));
    this.#keepSpare();
  }

  /**
   * Runs one body to its end. Resolves with its JSON value; rejects with what it threw, or with the signal's reason.
   * @param {BodyRun} run @returns {Promise<unknown>}
   */
  async run(run) {
    run.signal.throwIfAborted();
    const slot = this.#take(JSON.stringify([run.params, run.body]));
    try {
      const value = await this.#play(slot, run);
      this.#keepWarm(slot);
      return value;
    } catch (error) {
      this.#end(slot, run.signal.aborted || error === STUCK);
      if (error === STUCK) return this.run(run);
      throw error;
    } finally {
      slot.receive = () => {};
      this.#keepSpare();
    }
  }

  /** @param {Slot} slot @param {BodyRun} run */
  #play(slot, run) {
    const isWarm = slot.run > 0;
    this.runs += 1;
    slot.run = this.runs;
    return new Promise((resolve, reject) => {
      const stuck = isWarm ? setTimeout(() => reject(STUCK), STUCK_MS) : 0;
      run.signal.addEventListener("abort", () => reject(run.signal.reason), { once: true });
      slot.settle = ({ value, error }) => (error ? reject(error) : resolve(value));
      slot.receive = (data) => {
        clearTimeout(stuck);
        this.#receive(slot, run, data);
      };
      void slot.ready.then(() => {
        const { params, body } = run;
        slot.port.postMessage({ run: { n: slot.run, params, args: JSON.stringify(run.args), body } });
      });
    });
  }

  /** One message of a body's Worker. The body may have forged it: nothing is taken on trust. @param {Slot} slot @param {BodyRun} run @param {any} data */
  #receive(slot, run, data) {
    if (typeof data !== "object" || data === null || data.run !== slot.run) return;
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
      if (!HELPERS.includes(helper)) throw new Fault("NO_SUCH_HELPER", `There is no helper "${helper.slice(0, 40)}". There is: ${HELPERS.join(", ")}.`);
      if (isTooDeep(args)) throw new Fault("BAD_ARGUMENT", "An argument is nested too deeply.");
      const value = await run.onCall(helper, args, (url) => this.#test(slot, id, url, run.signal));
      slot.port.postMessage({ id, value: value === undefined ? undefined : JSON.stringify(value) });
    } catch (error) {
      const { code, message, details } = error instanceof Fault ? error : new Fault("BAD_ARGUMENT", String(error));
      slot.port.postMessage({ id, error: { code, message, details } });
    }
  }

  /** Asks the Worker whether the call's regular expression matches: it must not run here, where it could hang everything. @param {Slot} slot @param {number} id @param {string} url @param {AbortSignal} signal @returns {Promise<boolean>} */
  #test(slot, id, url, signal) {
    const test = Math.random();
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
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
    this.spare ??= this.#box().spawn();
  }

  #box() {
    const open = [...this.boxes].find((box) => !box.retired);
    if (open) return open;
    const box = new Box(this.page, this.workerSource, (dead) => this.#died(dead));
    this.boxes.add(box);
    return box;
  }

  /** @param {string} key */
  #take(key) {
    const slot = [...this.warm].find((one) => one.key === key) ?? this.spare ?? this.#box().spawn();
    if (slot === this.spare) this.spare = null;
    this.warm.delete(slot);
    clearTimeout(slot.cooling);
    slot.key = key;
    slot.box.startWatching();
    return slot;
  }

  /** @param {Slot} slot */
  #keepWarm(slot) {
    if (slot.box.retired) return this.#end(slot, false);
    this.warm.add(slot);
    slot.cooling = setTimeout(() => this.#end(slot, false), WARM_MS);
    const [oldest] = this.warm;
    if (this.warm.size > WARM_MOST) this.#end(oldest, false);
    this.#restIfIdle(slot.box);
  }

  /** @param {Slot} slot @param {boolean} killed */
  #end(slot, killed) {
    clearTimeout(slot.cooling);
    this.warm.delete(slot);
    slot.box.end(slot);
    if (killed) this.#retire(slot.box);
    this.#restIfIdle(slot.box);
  }

  /** @param {Box} box */
  #retire(box) {
    box.retired = true;
    for (const slot of [...box.slots].filter((one) => this.#isWaiting(one))) {
      if (slot === this.spare) this.spare = null;
      clearTimeout(slot.cooling);
      this.warm.delete(slot);
      box.end(slot);
    }
  }

  /** No body runs in the box: it need not be watched, and if it is retired it can go. @param {Box} box */
  #restIfIdle(box) {
    if ([...box.slots].some((slot) => !this.#isWaiting(slot))) return;
    box.stopWatching();
    if (!box.retired) return;
    this.boxes.delete(box);
    box.remove();
  }

  /** @param {Slot} slot */
  #isWaiting(slot) {
    return slot === this.spare || this.warm.has(slot);
  }

  /** @param {Box} box */
  #died(box) {
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
  const value = parsed(text);
  if (value === undefined) return { error: new Fault("RESULT_NOT_JSON", "The body returned something that is not JSON.") };
  return isTooDeep(value) ? { error: new Fault("RESULT_NOT_JSON", "The returned value is nested too deeply. Return flatter lists and objects.") } : { value };
}

/** @param {string} text @returns {unknown} undefined when it is not JSON */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {any} threw */
function thrownFault({ code, message, details }) {
  return new Fault(String(code), String(message).slice(0, 4_000), plainDetails(details));
}

/** As JSON holds them, else none: what a body throws may be anything. @param {unknown} details @returns {Record<string, unknown>} */
function plainDetails(details) {
  try {
    const plain = JSON.parse(JSON.stringify(details) ?? "null");
    return plain === null || typeof plain !== "object" || isTooDeep(plain) ? {} : plain;
  } catch {
    return {}; // it holds itself, or a BigInt
  }
}
