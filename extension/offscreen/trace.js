// @ts-check
// The trace of one run: its steps, the requests its helpers made, its log lines; with secrets masked and sizes capped. Pure.

import { faultData } from "../fault.js";
import { isTooDeep } from "./nesting.js";

const MASK = "•••";
const MOST_STEPS = 2_000;
const MOST_REQUESTS = 1_000;
const MOST_LOGS = 1_000;
/** Characters kept of one log line, of one argument or value of a step, and of one body of a request. */
const TEXT_LIMIT = 4_000;

/** @typedef {import("../types").Step} Step */

export class Trace {
  /** @param {unknown[]} secrets values that must not show @param {(event: string, params: object) => void} tell */
  constructor(secrets, tell) {
    this.mask = masker(secrets);
    this.tell = tell;
    this.startedAt = performance.now();
    /** @type {Step[]} */
    this.steps = [];
    this.count = 0;
    /** @type {Map<number, string>} steps that have begun and not ended */
    this.open = new Map();
    /** @type {import("../types").RequestMade[]} */
    this.requests = [];
    /** @type {string[]} */
    this.logs = [];
    this.acted = false;
  }

  /** Milliseconds since the body started. */
  now() {
    return round(performance.now() - this.startedAt);
  }

  /** The helper that was called last and has not ended, or null. */
  underWay() {
    return [...this.open.values()].at(-1) ?? null;
  }

  /**
   * Begins a step; the result ends it, once.
   * @param {string} helper @param {unknown[]} args
   * @returns {(end: {value?: unknown, error?: unknown, acted?: boolean}) => void}
   */
  step(helper, args) {
    this.count += 1;
    const n = this.count;
    this.open.set(n, helper);
    const at_ms = this.now();
    const shown = args.map((argument) => cut(this.mask(argument)));
    return ({ value = null, error, acted = false }) => {
      this.acted ||= acted;
      this.open.delete(n);
      if (this.steps.length >= MOST_STEPS) return;
      const fault = error === undefined ? null : /** @type {any} */ (this.mask(faultData(error)));
      const took_ms = round(this.now() - at_ms);
      const step = { n, helper, args: shown, at_ms, took_ms, acted, value: cut(this.mask(value)), error: fault };
      this.steps.push(step);
      this.tell("step", { step });
    };
  }

  /**
   * Takes the notes of one page call about requests that it has begun and ended: one that never ended stays without a status.
   * @returns {(note: {request_begun?: any, request?: any}) => void}
   */
  requestsOfCall() {
    /** @type {Map<number, import("../types").RequestMade>} */
    const begun = new Map();
    return ({ request_begun: beginning, request: ending }) => {
      const known = ending && begun.get(ending.id);
      if (known) Object.assign(known, this.#maskedRequest({ ...ending, at_ms: known.at_ms }));
      if (!beginning || this.requests.length >= MOST_REQUESTS) return;
      const made = this.#maskedRequest(beginning);
      begun.set(beginning.id, made);
      this.requests.push(made);
    };
  }

  /** @param {string} line */
  log(line) {
    if (this.logs.length >= MOST_LOGS) return;
    const last = this.logs.length === MOST_LOGS - 1;
    const text = last ? `(more than ${MOST_LOGS} lines; the rest is left out)` : cutText(String(this.mask(line)));
    this.logs.push(text);
    this.tell("log", { text });
  }

  /** @param {string} text @param {number | null} fraction */
  progress(text, fraction) {
    this.tell("progress", { text: cutText(String(this.mask(text))), fraction });
  }

  /** @param {Partial<import("../types").RequestMade>} request */
  #maskedRequest(request) {
    const { source = "helper", method = "GET", url = "", status = null, error = null, at_ms = this.now(), took_ms = null } = request;
    const bodies = { request_body: this.#body(request.request_body), response_body: this.#body(request.response_body) };
    return { source, method, url: String(this.mask(url)), status, error, at_ms, took_ms: took_ms === null ? null : round(took_ms), ...bodies };
  }

  /** @param {unknown} body */
  #body(body) {
    return body === null || body === undefined ? null : cutText(String(this.mask(String(body))));
  }
}

/**
 * A function that replaces every secret in a JSON value, also where it was escaped for JSON or for a URL.
 * @param {unknown[]} secrets @returns {(value: unknown) => unknown}
 */
export function masker(secrets) {
  const texts = secrets.flatMap(textsOf).filter((text) => text !== "");
  const forms = new Set(texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed()), new URLSearchParams([["", text]]).toString().slice(1)]));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (value) => value;
  /** @param {unknown} value @returns {unknown} */
  return function mask(value) {
    if (typeof value === "string") return longestFirst.reduce((text, form) => text.replaceAll(form, MASK), value);
    if (typeof value === "number") return texts.includes(String(value)) ? MASK : value;
    if (Array.isArray(value)) return value.map(mask);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), mask(item)]));
  };
}

/** @param {unknown} value @returns {string[]} */
function textsOf(value) {
  if (value === null || value === undefined || typeof value === "boolean") return [];
  if (typeof value === "object") return Object.values(value).flatMap(textsOf);
  return [String(value)];
}

/** A JSON value small enough for a trace. @param {any} value */
function cut(value) {
  if (value === null || value === undefined || typeof value === "number" || typeof value === "boolean") return value ?? null;
  if (typeof value === "string") return cutText(value);
  const text = JSON.stringify(value);
  return text.length > TEXT_LIMIT || isTooDeep(value) ? cutText(text) : value;
}

/** @param {string} text */
function cutText(text) {
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT - 1)}…` : text;
}

/** @param {number} ms */
export function round(ms) {
  return Math.round(ms * 10) / 10;
}
