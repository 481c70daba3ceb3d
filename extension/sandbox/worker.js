// @ts-check
// The Worker that runs one body. It has no network, no DOM and no chrome.*: all it can do is call helpers over its port.
//
// 1. It is given a port and the helpers' names, takes away what a Worker could otherwise reach, and says `ready`.
// 2. It is given a body and its arguments, compiles it and runs it.
// 3. It says `returned` or `threw`, once. The same body may be run again with other arguments; another body never is.
//
// The body shares this global scope and may change any prototype in it. What it gains by that is only its own confusion:
// the checks are made in the offscreen document. Even so, what is needed after the start is taken before the body runs.

(() => {
  const BODY_NAME = "body.js";
  /** Lines that `new AsyncFunction` puts before the body. */
  const LINES_BEFORE = 2;
  const POLL_MS = 50;
  const PATIENCE_MS = 10_000;
  const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);
  const { stringify, parse } = JSON;
  const NativeWorker = self.Worker;
  const later = self.setTimeout.bind(self);
  const now = performance.now.bind(performance);
  /** @type {Function | null} */
  let compiled = null;
  const objectUrl = URL.createObjectURL.bind(URL);

  self.onmessage = ({ data }) => {
    self.onmessage = null;
    begin(data.port, data.helpers);
  };

  /** @param {MessagePort} port @param {string[]} helpers */
  function begin(port, helpers) {
    const post = port.postMessage.bind(port);
    /** @type {Map<number, {resolve: (value: unknown) => void, reject: (error: unknown) => void, args: unknown[], here: Error}>} */
    const waiting = new Map();
    let calls = 0;

    /** @param {number} run @param {string} helper @param {unknown[]} args */
    async function call(run, helper, args) {
      const here = new Error(helper);
      const text = stringify(await encode(args, []));
      return new Promise((resolve, reject) => {
        calls += 1;
        waiting.set(calls, { resolve, reject, args, here });
        post({ run, call: calls, helper, args: text });
      });
    }

    port.onmessage = ({ data }) => {
      const asked = waiting.get(data.id);
      if (data.run) void play(data.run, tabOf(helpers, (helper, args) => call(data.run.n, helper, args)), post);
      else if (!asked) return;
      else if (data.test !== undefined) post({ tested: data.test, id: data.id, matches: matchesFirst(asked.args, data.url) });
      else {
        waiting.delete(data.id);
        if (data.error) asked.reject(helperError(data.error, asked.here));
        else asked.resolve(data.value === undefined ? undefined : parse(data.value));
      }
    };
    takeAway();
    post({ ready: true });
  }

  /**
   * @param {string[]} helpers @param {(helper: string, args: unknown[]) => Promise<unknown>} call
   * @returns {Record<string, (...args: any[]) => Promise<unknown>>}
   */
  function tabOf(helpers, call) {
    /** @type {Record<string, (...args: any[]) => Promise<unknown>>} */
    const tab = Object.create(null);
    for (const name of helpers) tab[name] = (...args) => call(name, args);
    tab.waitFor = (target, options) =>
      typeof target === "function" ? poll(target, options) : call("waitFor", options === undefined ? [target] : [target, options]);
    tab.request = async (...args) => asResponse(await call("request", args));
    return Object.freeze(tab);
  }

  /** With `text()` and `json()`, as an answer of fetch has them; they are no part of it when it is returned as JSON. @param {any} reply */
  function asResponse(reply) {
    const { body } = reply;
    return Object.defineProperties(reply, { text: { value: async () => body }, json: { value: async () => parse(body) } });
  }

  /**
   * Asks a function of the body again and again until it gives something truthy. "Not found" is not yet.
   * @param {() => unknown} condition @param {{timeout?: number}} [options] `timeout` in ms
   */
  async function poll(condition, { timeout = PATIENCE_MS } = {}) {
    const end = now() + timeout;
    for (;;) {
      const value = await attempt(condition);
      if (value) return value;
      if (now() > end) throw Object.assign(new Error(`Nothing truthy came from the function within ${timeout} ms.`), { code: "TIMEOUT" });
      await new Promise((resolve) => later(resolve, POLL_MS));
    }
  }

  /** @param {() => unknown} condition */
  async function attempt(condition) {
    try {
      return await condition();
    } catch (error) {
      if (/** @type {any} */ (error)?.code === "NOT_FOUND") return null;
      throw error;
    }
  }

  /**
   * @param {{n: number, params: string[], args: string, body: string}} run @param {object} tab
   * @param {(message: object) => void} post
   */
  async function play({ n: run, params, args, body }, tab, post) {
    captureConsole(run, post);
    post({ run, begun: true });
    try {
      compiled ??= new AsyncFunction(...params, "tab", "rtrvr", `${body}\n//# sourceURL=${BODY_NAME}`);
    } catch (error) {
      return post({ run, threw: await syntaxError(error, params, body) });
    }
    try {
      const value = await compiled(...parse(args), tab, tab);
      post({ run, returned: toJson(value) });
    } catch (error) {
      post({ run, threw: thrown(error) });
    }
  }

  /**
   * The value as JSON text. Refuses what JSON would drop or bend without a word.
   * @param {unknown} value
   */
  function toJson(value) {
    /** @this {any} @param {string} key @param {unknown} item */
    function check(key, item) {
      const kind = typeof item;
      const bent = kind === "function" || kind === "symbol" || kind === "bigint" || (kind === "number" && !Number.isFinite(item));
      if (bent || (item !== null && kind === "object" && !isPlain(item))) {
        const where = key === "" ? "The returned value" : `"${key}" in the returned value`;
        const what = bent ? `a ${kind === "number" ? String(item) : kind}` : `a ${/** @type {any} */ (item).constructor?.name ?? "strange object"}`;
        throw Object.assign(new Error(`${where} is ${what}, which JSON cannot hold. Return plain objects, arrays, strings, numbers.`), { code: "RESULT_NOT_JSON" });
      }
      return item;
    }
    try {
      return stringify(value === undefined ? null : value, check);
    } catch (error) {
      if (/** @type {any} */ (error).code) throw error;
      throw Object.assign(new Error(`The returned value is not JSON: ${/** @type {Error} */ (error).message.split("\n")[0]}`), { code: "RESULT_NOT_JSON" });
    }
  }

  /** @param {any} item */
  function isPlain(item) {
    const prototype = Object.getPrototypeOf(item);
    return Array.isArray(item) || prototype === Object.prototype || prototype === null;
  }

  /**
   * An argument as JSON: regular expressions, dates, bytes and forms in the shapes of docs/extension.md.
   * @param {any} value @param {object[]} parents @returns {Promise<unknown>}
   */
  async function encode(value, parents) {
    if (value === null || typeof value !== "object") {
      if (typeof value === "function") throw badArgument("A function cannot be an argument here.");
      return typeof value === "bigint" ? String(value) : value;
    }
    if (value instanceof RegExp) return { $regexp: [value.source, value.flags] };
    if (value instanceof Date) return value.toISOString();
    if (value instanceof URL) return value.href;
    if (value instanceof Blob) return encodeBlob(value);
    if (value instanceof ArrayBuffer) return encodeBlob(new Blob([value]));
    if (ArrayBuffer.isView(value)) return encodeBlob(new Blob([/** @type {any} */ (value)]));
    if (value instanceof URLSearchParams) return { $params: String(value) };
    if (value instanceof Headers) return Object.fromEntries(value);
    if (parents.includes(value)) throw badArgument("An argument contains itself.");
    const within = [...parents, value];
    if (value instanceof FormData) return { $form: await Promise.all([...value].map((entry) => encode(entry, within))) };
    if (Array.isArray(value)) return Promise.all(value.map((item) => encode(item, within)));
    const entries = Object.entries(value).map(async ([key, item]) => [key, await encode(item, within)]);
    return Object.fromEntries(await Promise.all(entries));
  }

  /** @param {Blob} blob */
  async function encodeBlob(blob) {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let binary = "";
    for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    const name = blob instanceof File ? blob.name : null;
    return { $bytes: btoa(binary), type: blob.type, name };
  }

  /** @param {string} message */
  function badArgument(message) {
    return Object.assign(new Error(message), { code: "BAD_ARGUMENT" });
  }

  /** @param {unknown[]} args @param {string} url */
  function matchesFirst([pattern], url) {
    return pattern instanceof RegExp && new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, "")).test(url);
  }

  /** @param {{code: string, message: string, details: object}} data @param {Error} here where the body called */
  function helperError({ code, message, details }, here) {
    const error = Object.assign(new Error(message), { code, details });
    error.name = code;
    error.stack = here.stack;
    return error;
  }

  /** What the body threw, as data. @param {any} error */
  function thrown(error) {
    const line = lineOf(error);
    const isError = error instanceof Error;
    const isOurs = isError && typeof (/** @type {any} */ (error).code) === "string";
    const said = isError ? `${isOurs ? "" : `${error.name}: `}${error.message}` : `The body threw ${String(error)}`;
    return {
      code: isOurs ? /** @type {any} */ (error).code : "BODY_THREW",
      message: isOurs || line === null ? said : `${said} (line ${line} of the body)`,
      details: { ...(isOurs && /** @type {any} */ (error).details), line },
    };
  }

  /** The line of the body, from 1, where an error was made. @param {any} error @returns {number | null} */
  function lineOf(error) {
    const found = new RegExp(`${BODY_NAME}:(\\d+)`).exec(String(error?.stack ?? ""));
    return found ? Number(found[1]) - LINES_BEFORE : null;
  }

  /**
   * A body that does not compile. `new Function` does not tell the line; a Worker that loads the same text does.
   * @param {any} error @param {string[]} params @param {string} body
   */
  async function syntaxError(error, params, body) {
    const text = `(async function (${params.join(",")}\n) {\n${body}\n})`;
    const probe = new NativeWorker(objectUrl(new Blob([text], { type: "text/javascript" })));
    const line = await new Promise((resolve) => {
      probe.onerror = ({ lineno }) => resolve(lineno ? Math.min(lineno - LINES_BEFORE, body.split("\n").length) : null);
      later(() => resolve(null), 1_000);
    });
    probe.terminate();
    const where = line === null ? "" : ` (line ${line} of the body)`;
    return { code: "BODY_SYNTAX", message: `The body is not JavaScript: ${error.message}${where}`, details: { line } };
  }

  /** @param {number} run @param {(message: object) => void} post */
  function captureConsole(run, post) {
    for (const level of /** @type {const} */ (["log", "info", "warn", "error", "debug"])) {
      console[level] = (...words) => post({ run, log: words.map(asText).join(" ") });
    }
  }

  /** @param {unknown} word */
  function asText(word) {
    if (typeof word === "string") return word;
    try {
      return stringify(word) ?? String(word);
    } catch {
      return String(word);
    }
  }

  /** The sandbox's policy already blocks these; without them the body is told so in one sentence. */
  function takeAway() {
    const names = [
      "fetch", "fetchLater", "XMLHttpRequest", "WebSocket", "WebSocketStream", "EventSource", "WebTransport", "Worker",
      "SharedWorker", "BroadcastChannel", "importScripts", "indexedDB", "caches", "Notification", "postMessage", "close",
    ];
    for (const name of names) {
      for (let place = /** @type {any} */ (self); place !== null; place = Object.getPrototypeOf(place)) {
        if (Object.prototype.hasOwnProperty.call(place, name)) delete place[name];
      }
      Object.defineProperty(self, name, { value: gone(name), configurable: false, writable: false });
    }
  }

  /** @param {string} name */
  function gone(name) {
    return function refused() {
      throw new Error(`A body has no "${name}": it can only use tab.* (for the network, tab.request).`);
    };
  }
})();
