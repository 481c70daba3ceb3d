// @ts-check
// One run: chooses a tab, brings it to the first page, plays the body, and gathers what happened.
//
// 1. It holds a tab. 2. The body plays until it returns, throws, is cancelled or reaches its deadline. 3. The tab stays held
// for `finish`, which looks at the outcome and lets go; else it is let go after HOLD_MS.

import { Fault, faultData } from "../fault.js";
import { HelperCalls } from "./helper_calls.js";
import { LAST_WORD_MS } from "./page_port.js";
import { Trace, round } from "./trace.js";

export const HOLD_MS = 60_000;
/** How long a step may wait to be told: a person sees no difference. */
const TELL_MS = 100;

/** @typedef {import("../types").RunParams} RunParams */
/** @typedef {import("../types").Services} Services */

export class Run {
  /** @param {RunParams} params @param {Services} services */
  constructor(params, services) {
    this.id = params.run;
    this.params = params;
    this.services = services;
    this.startedAt = performance.now();
    this.startedEpoch = Date.now();
    this.deadline = this.startedAt + params.timeout_ms;
    this.abort = new AbortController();
    /** @type {number | null} */
    this.tab = null;
    this.secrets = params.secrets.map((name) => params.arguments[name]);
    this.isPlaying = false;
    /** Steps that the relay has not been told of. @type {object[]} */
    this.untold = [];
    this.telling = 0;
    /** Ends the hold on the tab when no `finish` comes. */
    this.holding = 0;
    this.trace = new Trace(this.secrets, (event, what) => this.#tell(event, what));
    this.timings = { tab_ms: 0, body_ms: 0, total_ms: 0 };
  }

  /** Plays it. Never rejects. @returns {Promise<import("../types").RunResult>} */
  async play() {
    const timer = setTimeout(() => this.stop(this.#lateFault()), this.params.timeout_ms);
    let outcome;
    try {
      outcome = (await this.#prepare()) ?? (await this.#playBody());
    } finally {
      clearTimeout(timer);
      clearTimeout(this.telling);
    }
    this.timings.total_ms = round(performance.now() - this.startedAt);
    return this.#result(outcome);
  }

  /** Ends the body, or what comes before it. @param {Fault} reason */
  stop(reason) {
    this.abort.abort(reason);
  }

  /** Lets go of the tab. */
  release() {
    this.services.tabs.release(this);
    if (this.tab !== null) this.services.network.forget(this.tab);
  }

  /** A step waits a moment: the result of a run that ends meanwhile has it all. @param {string} event @param {object} what */
  #tell(event, what) {
    if (event === "step") {
      this.untold.push(what);
      this.telling ||= setTimeout(() => this.#tellSteps(), TELL_MS);
      return;
    }
    this.#tellSteps();
    this.services.tell(event, { run: this.id, ...what });
  }

  #tellSteps() {
    clearTimeout(this.telling);
    this.telling = 0;
    for (const step of this.untold.splice(0)) this.services.tell("step", { run: this.id, ...step });
  }

  #lateFault() {
    const limit = this.params.timeout_ms;
    const details = { timeout_ms: limit };
    if (!this.isPlaying) {
      return new Fault("TAB_HUNG", `The tab was not ready within ${limit / 1000} s; the body has not begun. Look at the tab, or close it and try again.`, details);
    }
    const doing = this.trace.underWay();
    const where = doing === null ? "" : `, while "${doing}" was under way`;
    return new Fault("BODY_TOO_LONG", `The body did not end within ${limit / 1000} s and was stopped${where}.`, details);
  }

  /** Everything before the body; gives an outcome when it cannot begin. */
  async #prepare() {
    const { tabs, navigation, network } = this.services;
    const { subroutine, tab } = this.params;
    const { signal } = this.abort;
    try {
      if (this.services.isPaused()) throw pausedFault();
      const opened = await untilAborted(signal, tabs.choose(this, subroutine, tab));
      this.tab = opened.tab;
      network.watch(this.tab);
      if (!this.services.link.isLive) await untilAborted(signal, this.services.link.ask("state"));
      await this.#settle(this.tab, opened.isNew);
      const { start } = subroutine;
      const isTidy = opened.isNew || !tabs.untidy.has(this.tab);
      if (start && !(isTidy && tabs.isAtStart(tabs.info(this.tab).url, start))) await navigation.go(this.tab, start, signal);
      return null;
    } catch (error) {
      return this.#stopped(error) ?? { outcome: "refused", error };
    } finally {
      this.timings.tab_ms = round(performance.now() - this.startedAt);
    }
  }

  /** @param {number} tab @param {boolean} isNew */
  #settle(tab, isNew) {
    const { navigation, tabs } = this.services;
    const { url } = tabs.info(tab);
    return isNew ? navigation.opened(tab, url, this.abort.signal) : navigation.awake(tab, url, this.abort.signal);
  }

  async #playBody() {
    const { services, trace, secrets, params, deadline } = this;
    const { subroutine } = params;
    const { signal } = this.abort;
    const tab = /** @type {number} */ (this.tab);
    const landing = services.tabs.info(tab).url;
    const began = performance.now();
    trace.startedAt = began;
    this.isPlaying = true;
    services.tabs.untidy.add(tab);
    const calls = new HelperCalls({ tab, subroutine, trace, signal, deadline, secrets }, services);
    try {
      const value = await services.sandbox.run({
        params: subroutine.params,
        args: subroutine.params.map((name) => params.arguments[name] ?? null),
        body: subroutine.body,
        signal,
        onCall: (helper, args, ask) => calls.call(helper, args, ask),
        onLog: (line) => trace.log(line),
      });
      services.tabs.untidy.delete(tab);
      if (subroutine.start) services.tabs.landings.set(subroutine.start, landing);
      return { outcome: "returned", value };
    } catch (error) {
      return this.#stopped(error) ?? { outcome: "threw", error };
    } finally {
      await (signal.aborted ? Promise.race([calls.ended(), aMoment()]) : untilAborted(signal, calls.ended()).catch(() => {}));
      this.timings.body_ms = round(performance.now() - began);
    }
  }

  /** The outcome when the run was ended from outside; null when it was not. @param {unknown} error */
  #stopped(error) {
    if (!this.abort.signal.aborted) return null;
    const reason = /** @type {Fault} */ (this.abort.signal.reason);
    const outcome = { BODY_TOO_LONG: "timed_out", TAB_HUNG: "timed_out", CANCELLED: "cancelled" }[reason.code] ?? "threw";
    return { outcome, error: reason ?? error };
  }

  /** @param {{outcome: string, value?: unknown, error?: unknown}} ended @returns {import("../types").RunResult} */
  #result({ outcome, value = null, error }) {
    const { steps, requests, logs, acted, mask } = this.trace;
    const { url = null, title = null } = this.tab === null ? {} : this.services.tabs.info(this.tab);
    const fault = error === undefined ? null : /** @type {any} */ (mask(faultData(error)));
    return {
      outcome, value, error: fault, acted, tab: this.tab, steps, requests, logs,
      final_url: url, title, timings: this.timings,
    };
  }
}

/** Calls that are cut off end with the page's last word, but for those that wait for the service worker. */
function aMoment() {
  return new Promise((resolve) => setTimeout(resolve, LAST_WORD_MS + 100));
}

export function pausedFault() {
  return new Fault("PAUSED", "Runhome is paused in this browser. Press Resume in its toolbar popup.");
}

/**
 * @template T @param {AbortSignal} signal @param {Promise<T>} work @returns {Promise<T>}
 */
export function untilAborted(signal, work) {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
    if (signal.aborted) reject(signal.reason);
  });
}
