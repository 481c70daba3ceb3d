// @ts-check
// The part of Runhome in the page's own world (MAIN): the page's current fetch and variables, for our other half over one
// private port. It decides nothing: what may be asked was checked before, and the page could do all of it by itself.
//
// 1. Waits for one event that carries a port, takes the port, says so, and listens to that event no more.
// 2. Answers {id, fetch} and {id, variable} with {id, ok, value} or {id, ok, error}; {id, abort} ends a fetch.

(() => {
  const HANDSHAKE = "runhome-main-port";
  /** Bytes of an answer that are kept; the rest is not read. */
  const MOST_BYTES = 16 * 1024 * 1024;

  const { getOwnPropertyDescriptor: ownProperty } = Object;
  const { FormData, URLSearchParams, AbortController, TextDecoder } = window;
  const listen = window.addEventListener.bind(window);
  const unlisten = window.removeEventListener.bind(window);
  const setTimer = window.setTimeout.bind(window);
  const clearTimer = window.clearTimeout.bind(window);

  /** @type {Map<number, AbortController>} */
  const running = new Map();

  listen(HANDSHAKE, take, true);

  /** @param {Event} event */
  function take(event) {
    const [port] = /** @type {MessageEvent} */ (event).ports ?? [];
    if (!port) return;
    event.stopImmediatePropagation();
    unlisten(HANDSHAKE, take, true);
    port.onmessage = ({ data }) => void answer(port, data);
    port.postMessage({ ready: true });
  }

  /** @param {MessagePort} port @param {any} message */
  async function answer(port, message) {
    const { id, abort } = message;
    if (abort) return running.get(id)?.abort();
    try {
      const value = message.fetch ? await send(id, message.fetch) : readVariable(message.variable);
      port.postMessage({ id, ok: true, value });
    } catch (error) {
      port.postMessage({ id, ok: false, error: problemOf(error) });
    }
  }

  /** @param {any} error */
  function problemOf(error) {
    const reason = String(error?.message ?? error);
    if (error?.name === "TimeoutError") return { code: "TIMEOUT", message: reason };
    return { code: error?.name === "AbortError" ? "ABORTED" : "NETWORK", message: reason };
  }

  /**
   * @param {number} id
   * @param {{url: string, init: RequestInit, body: any, timeout_ms: number | null}} asked
   */
  async function send(id, { url, init, body, timeout_ms }) {
    const controller = new AbortController();
    running.set(id, controller);
    const late = () => controller.abort(new DOMException(`No answer within ${timeout_ms} ms.`, "TimeoutError"));
    const timer = timeout_ms === null ? 0 : setTimer(late, timeout_ms);
    try {
      const response = await window.fetch(url, { ...init, body: bodyOf(body), signal: controller.signal });
      return await describe(response, url);
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      clearTimer(timer);
      running.delete(id);
    }
  }

  /** @param {any} body text, a Blob, {form: [[name, text | Blob, file name]]}, {params: text} or null */
  function bodyOf(body) {
    if (body?.params !== undefined) return new URLSearchParams(body.params);
    if (!body?.form) return body ?? undefined;
    const form = new FormData();
    for (const [name, value, filename] of body.form) {
      if (typeof value === "string") form.append(name, value);
      else form.append(name, value, filename ?? "blob");
    }
    return form;
  }

  /** @param {Response} response @param {string} url */
  async function describe(response, url) {
    const { body, truncated } = await textOf(response);
    return {
      status: response.status,
      ok: response.ok,
      url: response.url || url,
      redirected: Boolean(response.redirected),
      headers: Object.fromEntries(response.headers),
      body,
      truncated,
    };
  }

  /** @param {Response} response @returns {Promise<{body: string, truncated: boolean}>} */
  async function textOf(response) {
    if (!response.body?.getReader || isShort(response)) return { body: await response.text(), truncated: false };
    const reader = response.body.getReader();
    const decoder = new TextDecoder(charsetOf(response));
    const parts = [];
    for (let left = MOST_BYTES; ;) {
      const { done, value } = await reader.read();
      if (done) return { body: parts.join("") + decoder.decode(), truncated: false };
      parts.push(decoder.decode(value.subarray(0, left), { stream: true }));
      left -= value.length;
      if (left >= 0) continue;
      void reader.cancel();
      return { body: parts.join(""), truncated: true };
    }
  }

  /** Whether all of it is surely within the limit, and UTF-8. @param {Response} response */
  function isShort(response) {
    const { headers, type } = response;
    const length = headers.get("content-length");
    const isPlain = type === "basic" && length !== null && !headers.has("content-encoding");
    return isPlain && Number(length) <= MOST_BYTES && charsetOf(response) === "utf-8";
  }

  /** @param {Response} response */
  function charsetOf(response) {
    const named = /charset="?([\w-]+)/i.exec(response.headers.get("content-type") ?? "")?.[1] ?? "utf-8";
    try {
      return new TextDecoder(named).encoding;
    } catch {
      return "utf-8";
    }
  }

  /**
   * A page variable that is a text or a number, null where there is none. Only what the page itself has put there: no
   * accessor, which is how an element leads to its document and a document to its cookies.
   * @param {string} path dotted
   */
  function readVariable(path) {
    /** @type {any} */
    let value = window;
    for (const name of path.replace(/^window\./, "").split(".")) {
      value = isObject(value) ? ownProperty(value, name)?.value : undefined;
    }
    return typeof value === "string" || typeof value === "number" ? value : null;
  }

  /** @param {unknown} value */
  function isObject(value) {
    return (typeof value === "object" && value !== null) || typeof value === "function";
  }
})();
