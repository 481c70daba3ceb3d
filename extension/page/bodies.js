// @ts-check
// Bodies and headers of a request, from what an author wrote (docs/extension.md: $form, $bytes, $params) to what fetch takes.

(() => {
  const { page } = globalThis.runhome;

  /** Headers that belong to one earlier sending, or that the browser alone may set. */
  const DROPPED = new Set([
    "set-cookie",
    "cookie",
    "x-client-transaction-id",
    "livepipeline-session",
    "content-length",
    "host",
    "connection",
    "accept-encoding",
    "transfer-encoding",
    "te",
    "upgrade",
    "origin",
    "referer",
    "user-agent",
  ]);
  const DROPPED_PREFIX = /^(sec-|proxy-|:)/;

  /** @typedef {string | Blob | null | {params: string} | {form: [string, string | Blob, string?][]}} Body */

  /**
   * @param {any} given @returns {{body: Body, type: string | null, shown: string | null}} type: the content type that goes
   * with it where the author names none; shown: its words for a trace
   */
  function read(given) {
    if (given === undefined || given === null) return { body: null, type: null, shown: null };
    if (typeof given !== "object") return { body: String(given), type: null, shown: String(given) };
    if (typeof given.$params === "string") return { body: { params: given.$params }, type: null, shown: given.$params };
    if (typeof given.$bytes === "string") return { body: blobOf(given), type: null, shown: shownBytes(given) };
    if (Array.isArray(given.$form)) return readForm(given.$form);
    const json = JSON.stringify(given);
    return { body: json, type: "application/json", shown: json };
  }

  /** @param {[string, any][]} entries */
  function readForm(entries) {
    /** @type {[string, string | Blob, string?][]} */
    const form = entries.map(([name, value]) =>
      value && typeof value === "object" ? [name, blobOf(value), value.name ?? "blob"] : [name, String(value)],
    );
    const shown = entries.map(([name, value]) => `${name}=${value?.$bytes === undefined ? value : shownBytes(value)}`);
    return { body: { form }, type: null, shown: shown.join("\n") };
  }

  /** @param {{$bytes: string, type?: string}} given */
  function blobOf({ $bytes, type = "" }) {
    try {
      return new Blob([Uint8Array.from(atob($bytes), (letter) => letter.charCodeAt(0))], { type });
    } catch {
      throw page.error("BAD_ARGUMENT", "The bytes of a request body are not base64.");
    }
  }

  /** @param {{$bytes: string, type?: string, name?: string | null}} given */
  function shownBytes({ $bytes, type, name }) {
    return `(${[name, type, `${Math.floor(($bytes.length * 3) / 4)} bytes`].filter(Boolean).join(", ")})`;
  }

  /**
   * @param {any} given an object or pairs @param {Body} body @returns {Map<string, [string, string]>} by lower-case name: [name, value]
   */
  function headers(given, body) {
    /** @type {[string, any][]} */
    const pairs = Array.isArray(given) ? given : Object.entries(given ?? {});
    const kept = pairs.filter(
      ([name, value]) => value !== null && value !== undefined && isKept(name, String(value), body),
    );
    return new Map(kept.map(([name, value]) => [name.toLowerCase(), [name, String(value)]]));
  }

  /** @param {string} name @param {string} value @param {Body} body */
  function isKept(name, value, body) {
    const lower = name.toLowerCase();
    if (DROPPED.has(lower) || DROPPED_PREFIX.test(lower)) return false;
    if (lower !== "content-type" || !/^multipart\//i.test(value)) return true;
    const boundary = /boundary="?([^";]+)/i.exec(value)?.[1];
    return typeof body === "string" && boundary !== undefined && body.includes(boundary); // a body written by hand keeps its own
  }

  page.bodies = { read, headers };
})();
