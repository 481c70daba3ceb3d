// @ts-check
// What the relay may ask, and the runs that are under way. One method, one answer.

import { Fault, faultData } from "../fault.js";
import { VERSION } from "../protocol.js";
import { finish, isFarewell, known } from "./finish.js";
import { HOLD_MS, Run, pausedFault, untilAborted } from "./run.js";

const OPEN_MS = 30_000;

/** @typedef {import("../types").Services} Services */

export class Methods {
  /** @param {Services} services */
  constructor(services) {
    this.services = services;
    /** @type {Map<string, Run>} */
    this.runs = new Map();
    /** @type {Record<string, (params: any) => Promise<unknown> | unknown>} */
    this.table = {
      run: (params) => this.#run(params),
      finish: (params) => this.#finish(params),
      cancel: (params) => this.#cancel(params),
      tabs: () => ({ tabs: services.tabs.list() }),
      open: (params) => this.#open(params),
      screenshot: (params) => this.#screenshot(params),
    };
  }

  /** Answers one request frame. Never rejects. @param {{id: number, method: string, params?: object}} request */
  async answer({ id, method, params = {} }) {
    try {
      if (!Object.hasOwn(this.table, method)) {
        throw new Fault("UNKNOWN_METHOD", `This extension does not know the method "${method}". It speaks version ${VERSION}.`);
      }
      return { id, result: (await this.table[method](params)) ?? null };
    } catch (error) {
      return { id, error: faultData(error) };
    }
  }

  /** Ends every run that uses a tab, or all of them. @param {Fault} reason @param {number} [tab] */
  stopRuns(reason, tab) {
    for (const run of this.runs.values()) if (tab === undefined || run.tab === tab) run.stop(reason);
  }

  /** The relay went away: nobody will ask how the runs ended. */
  abandon() {
    this.stopRuns(new Fault("CANCELLED", "The connection to the relay was lost while the body ran."));
    for (const run of this.runs.values()) this.#release(run);
  }

  /** @param {import("../types").RunParams} params */
  async #run(params) {
    if (this.runs.has(params.run)) throw new Fault("BUSY", `Run ${params.run} is already under way.`);
    const run = new Run(params, this.services);
    this.runs.set(run.id, run);
    const result = await run.play();
    if (run.tab === null) this.#release(run);
    else run.holding = setTimeout(() => this.#release(run), HOLD_MS);
    return result;
  }

  /** @param {import("./finish.js").FinishParams} params */
  async #finish(params) {
    const run = this.runs.get(params.run);
    if (!run || run.tab === null) throw new Fault("NO_TAB", `Run ${params.run} holds no tab: it was never started, or it was let go.`);
    try {
      // Let go before anything is awaited: a `run` sent right behind it finds the tab idle.
      return isFarewell(params) ? known(run) : await finish(run, params);
    } finally {
      if (!params.hold) this.#release(run);
    }
  }

  /** @param {{run: string}} params */
  #cancel({ run: id }) {
    const run = this.runs.get(id);
    run?.stop(new Fault("CANCELLED", "The run was cancelled."));
    return { cancelled: run !== undefined };
  }

  /** @param {{url: string}} params */
  async #open({ url }) {
    if (this.services.isPaused()) throw pausedFault();
    const late = new AbortController();
    const why = new Fault("TAB_HUNG", `The page ${url} was not there within ${OPEN_MS / 1000} s. Is the site up?`);
    const timer = setTimeout(() => late.abort(why), OPEN_MS);
    try {
      const tab = await untilAborted(late.signal, this.services.tabs.open(url));
      await this.services.navigation.opened(tab, url, late.signal);
      return { tab: this.services.tabs.info(tab) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {{tab: number}} params */
  async #screenshot({ tab }) {
    if (this.services.isPaused()) throw pausedFault();
    this.services.tabs.check(tab);
    return this.services.link.ask("screenshot", { tab });
  }

  /** @param {Run} run */
  #release(run) {
    clearTimeout(run.holding);
    run.release();
    if (this.runs.get(run.id) === run) this.runs.delete(run.id);
  }
}
