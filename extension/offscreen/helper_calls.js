// @ts-check
// One helper call of a body, from the check to the answer: permitted, traced, routed to its frame, carried over navigations.

import { Fault } from "../fault.js";
import { placeMatches, siteMatches } from "../patterns.js";
import { askInFrames } from "./frame_choice.js";
import { stamped } from "./frames.js";
import { Dropped } from "./page_port.js";
import { isRequestWait, waitForRequest } from "./request_wait.js";
import { TrustedInput } from "./trusted_input.js";
import { checkCookies, checkInput, checkRedirect, checkRequest, checkSite } from "./permits.js";

/** @typedef {import("./page_port.js").PagePort} PagePort */
/** @typedef {import("../types").SubroutineOnWire} SubroutineOnWire */
/** @typedef {(url: string) => Promise<boolean>} AskBody whether a URL matches the call's regular expression */
/** @typedef {{value: any, acted: boolean}} Answer */

/** Helpers that act by the debugger where the manifest says "input: trusted"; `type` does where nothing else helps. */
const TRUSTED = new Set(["click", "hover", "press"]);
/** Helpers after which a page may go away: that they are done when it does is what was wanted. */
const MAY_NAVIGATE = new Set(["click", "press", "type", "select"]);
const HAS_TARGET = new Set(["find", "click", "type", "waitFor", "select", "press", "hover", "drag", "upload", "read", "extract"]);

export class HelperCalls {
  /**
   * @param {{tab: number, subroutine: SubroutineOnWire, trace: import("./trace.js").Trace, signal: AbortSignal, deadline: number, secrets: unknown[]}} run
   *   `deadline` is on the clock of performance.now()
   * @param {import("../types").Services} services
   */
  constructor(run, services) {
    this.run = run;
    this.services = services;
    this.isTrusted = run.subroutine.input === "trusted";
    this.trusted = new TrustedInput(run.tab, services.link);
    /** When the last helper that acted was called, in epoch ms. */
    this.lastAct = 0;
    /** @type {Set<Promise<unknown>>} */
    this.underWay = new Set();
    /** The helpers that are not the page's. @type {Record<string, (args: any[], ask: AskBody) => Promise<Answer> | Answer>} */
    this.own = {
      goto: (args) => this.#goto(args),
      waitForUrl: (args, ask) => this.#waitForUrl(args, ask),
      screenshot: () => this.#screenshot(),
      log: (args) => this.#log(args),
      progress: (args) => this.#progress(args),
    };
  }

  /** Resolves when every call that was begun has ended: a body may return without having awaited its last click. */
  async ended() {
    await Promise.allSettled(this.underWay);
    await this.trusted.end();
  }

  /** @param {string} helper @param {unknown[]} args @param {AskBody} ask @returns {Promise<unknown>} */
  call(helper, args, ask) {
    const call = this.#carryOut(helper, args, ask);
    this.underWay.add(call);
    return call.finally(() => this.underWay.delete(call));
  }

  /**
   * Carries out one call; it is a step of the trace whether it works or not.
   * @param {string} helper @param {unknown[]} args @param {AskBody} ask
   */
  async #carryOut(helper, args, ask) {
    const called = Date.now();
    const endStep = this.run.trace.step(helper, args);
    try {
      const own = Object.hasOwn(this.own, helper) ? this.own[helper] : null;
      const { value, acted } = await (own ? own(args, ask) : this.#inPage(helper, args));
      if (acted) this.lastAct = called;
      endStep({ value, acted });
      return value;
    } catch (error) {
      const fault = error instanceof Dropped ? wentAway(helper, error) : error;
      endStep({ error: fault, acted: /** @type {any} */ (fault)?.acted === true });
      throw fault;
    }
  }

  /** @param {string} helper @param {unknown[]} args @returns {Promise<Answer>} */
  async #inPage(helper, args) {
    const { signal, subroutine, tab } = this.run;
    const { link } = this.services;
    // A worker that died under the run sees no request until it is back: nothing may leave the tab unseen.
    if (!link.isLive) await link.ask("state");
    /** Rows of pages that `extract` has left. @type {any[]} */
    const rows = [];
    for (;;) {
      const top = await this.services.pages.settled(tab, signal);
      checkSite(subroutine, top.url);
      checkInput(subroutine, args);
      if (helper === "getCookie") checkCookies(subroutine);
      try {
        const answer = await this.#route(helper, rows.length ? withLimitLess(args, rows.length) : args, top);
        return rows.length ? { value: [...rows, ...answer.value], acted: true } : answer;
      } catch (error) {
        if (!(error instanceof Dropped)) throw error;
        if (error.acted && !MAY_NAVIGATE.has(helper) && !error.rows) throw error;
        await this.services.navigation.arrived(tab, top.url, signal);
        if (error.rows) rows.push(...error.rows);
        else if (error.acted) return { value: null, acted: true };
      }
    }
  }

  /** @param {string} helper @param {any[]} args @param {PagePort} top @returns {Promise<Answer>} */
  #route(helper, args, top) {
    if (helper === "request" || helper === "requestJson") return this.#request(helper, args, top);
    if (helper === "waitFor" && isRequestWait(args[0])) return this.#waitForRequest(args, top);
    if (!HAS_TARGET.has(helper)) return this.#ask(top, helper, args);
    const { tab, subroutine, signal } = this.run;
    const { pages } = this.services;
    return askInFrames(helper, args, { pages, tab, top, subroutine, signal, ask: (...asked) => this.#ask(...asked) });
  }

  /** @param {any[]} args @param {PagePort} top @returns {Promise<Answer>} */
  async #waitForRequest(args, top) {
    const { tab, signal } = this.run;
    const { network } = this.services;
    return { value: await waitForRequest(args, { network, tab, pageUrl: top.url, since: this.lastAct, signal }), acted: false };
  }

  /** @param {"request" | "requestJson"} helper @param {any[]} args @param {PagePort} top @returns {Promise<Answer>} */
  async #request(helper, args, top) {
    const { method, url } = checkRequest(this.run.subroutine, args, top.url);
    const [place, ...rest] = args;
    const absolute = typeof place === "string" ? url : { ...place, url };
    /** @type {string | undefined} */
    let landed;
    const onNote = (/** @type {any} */ note) => {
      if (note.request?.final_url) landed = note.request.final_url;
    };
    const answer = await this.#ask(top, helper, [absolute, ...rest], this.run.signal, undefined, onNote);
    const last = landed ?? (answer.value?.redirected ? answer.value.url : undefined);
    if (last) this.#afterRedirect(method, last, top.url, answer.acted);
    return answer;
  }

  /** @param {string} method @param {string} url @param {string} pageUrl @param {boolean} acted */
  #afterRedirect(method, url, pageUrl, acted) {
    try {
      checkRedirect(this.run.subroutine, method, url, pageUrl);
    } catch (error) {
      throw Object.assign(/** @type {Fault} */ (error), { acted });
    }
  }

  /** @param {PagePort} frame @param {string} call @param {unknown[]} args @param {AbortSignal} [signal] @param {AbortSignal} [letGo] @param {(note: any) => void} [alsoNote] @returns {Promise<Answer>} */
  async #ask(frame, call, args, signal = this.run.signal, letGo, alsoNote) {
    const { deadline, subroutine, secrets, trace } = this.run;
    const requests = trace.requestsOfCall();
    const onNote = (/** @type {any} */ note) => {
      trace.acted ||= note.acted === true;
      requests(note);
      alsoNote?.(note);
    };
    const options = { csrf: subroutine.csrf, secrets, trusted: this.isTrusted };
    const onTrusted = (/** @type {object[]} */ actions) => this.trusted.act(actions);
    const deadlineMs = deadline - performance.now();
    if (this.isTrusted && TRUSTED.has(call)) return this.#actTrusted(frame, call, args, { deadlineMs, options, signal });
    const answer = await frame.call(call, args, { deadlineMs, options, signal, letGo, onNote, onTrusted });
    return { value: stamped(answer.value, frame), acted: answer.acted };
  }

  /** The page aims, the debugger acts. @param {PagePort} frame @param {string} call @param {any[]} args @param {import("./page_port.js").CallOptions} options @returns {Promise<Answer>} */
  async #actTrusted(frame, call, args, options) {
    await this.trusted.attach();
    const { value: aim } = await frame.call(call === "press" ? "aimKey" : "aim", args, options);
    const value = call === "press" ? aim : await this.#inTab(aim, options);
    const acts = call !== "hover";
    this.run.trace.acted ||= acts;
    try {
      await this.trusted.act([trustedAction(call, value, args[1])]);
    } catch (error) {
      throw Object.assign(/** @type {Error} */ (error), { acted: acts });
    }
    return { value: null, acted: acts };
  }

  /**
   * Asks the frames around an aim where it is, from the inside out. They act on nothing, so none needs to be of the sites.
   * @param {{x: number, y: number, path: string}} aim @param {import("./page_port.js").CallOptions} options
   */
  async #inTab(aim, options) {
    let at = aim;
    while (at.path !== "") {
      const steps = at.path.split(".");
      const index = Number(steps.pop());
      const around = this.services.pages.frames(this.run.tab).find((frame) => frame.path === steps.join("."));
      if (!around) throw new Fault("STALE", "The frame with the target went away before the click.");
      ({ value: at } = await around.call("aimThrough", [index, at], options));
    }
    return { x: at.x, y: at.y };
  }

  /** @param {any[]} args @returns {Promise<Answer>} */
  async #goto([place]) {
    const { tab, signal, subroutine } = this.run;
    const here = this.services.tabs.info(tab).url;
    if (typeof place !== "string" || !URL.canParse(place, here)) throw new Fault("BAD_ARGUMENT", `goto needs a URL, not ${JSON.stringify(place) ?? "nothing"}.`);
    const url = new URL(place, here).href;
    checkSite(subroutine, url);
    const top = await this.services.navigation.go(tab, url, signal);
    checkSite(subroutine, top.url);
    return { value: { url: top.url }, acted: false };
  }

  /** @param {any[]} args @param {AskBody} ask @returns {Promise<Answer>} */
  async #waitForUrl([wanted, options], ask) {
    const { tab, signal, subroutine } = this.run;
    const isPattern = Array.isArray(wanted?.$regexp);
    if (!isPattern && typeof wanted !== "string") throw new Fault("BAD_ARGUMENT", "waitForUrl needs a URL, a glob or a regular expression.");
    const timeout = Number(options?.timeout ?? Infinity);
    const patience = Number.isFinite(timeout) ? AbortSignal.any([signal, AbortSignal.timeout(timeout)]) : signal;
    let last = "";
    try {
      for (;;) {
        const top = await this.services.pages.until(tab, patience, () => this.#elsewhere(last));
        last = top.url;
        // Where the page is on other sites is none of the body's business.
        if (!siteMatches(subroutine.sites, last)) continue;
        if (isPattern ? await ask(last) : placeMatches(wanted, last)) {
          await this.services.pages.settled(tab, patience);
          return { value: { url: last }, acted: false };
        }
      }
    } catch (error) {
      if (signal.aborted || !patience.aborted) throw error;
      const sought = isPattern ? `/${wanted.$regexp[0]}/` : wanted;
      if (last) checkSite(subroutine, last);
      throw new Fault("TIMEOUT", `The page did not get to ${sought} within ${timeout} ms; it is at ${last}.`, { sought, url: last });
    }
  }

  /** The top frame, when it is at another URL than `last`. @param {string} last */
  #elsewhere(last) {
    const top = this.services.pages.top(this.run.tab);
    return top && top.url !== last ? top : null;
  }

  /** @returns {Promise<Answer>} */
  async #screenshot() {
    const { tab, subroutine } = this.run;
    checkSite(subroutine, this.services.tabs.info(tab).url);
    return { value: await this.services.link.ask("screenshot", { tab }), acted: false };
  }

  /** @param {any[]} args @returns {Answer} */
  #log(args) {
    this.run.trace.log(args.map((word) => (typeof word === "string" ? word : JSON.stringify(word))).join(" "));
    return { value: null, acted: false };
  }

  /** @param {any[]} args @returns {Answer} */
  #progress([text, fraction = null]) {
    this.run.trace.progress(String(text), typeof fraction === "number" ? Math.min(1, Math.max(0, fraction)) : null);
    return { value: null, acted: false };
  }
}

/** @param {string} call @param {any} aim a spot, or a key @param {any} options */
function trustedAction(call, aim, options) {
  if (call === "press") return { key: aim };
  return call === "hover" ? { move: aim } : { click: { ...options, ...aim } };
}

/** The arguments of `extract` for the pages after those that gave `count` rows. @param {any[]} args @param {number} count */
function withLimitLess([schema, options], count) {
  return options?.limit === undefined ? [schema, options] : [schema, { ...options, limit: options.limit - count }];
}

/** @param {string} helper @param {Dropped} error */
function wentAway(helper, { acted }) {
  const fault = new Fault("NAVIGATED", `The page went to another document while "${helper}" was under way, so its outcome is not known.`);
  fault.acted = acted;
  return fault;
}
