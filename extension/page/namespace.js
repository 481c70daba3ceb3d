// @ts-check
// The one name that page scripts share (globalThis.runhome.page): who can do what. It touches no DOM and no port.
//
// Page scripts are classic scripts in the ISOLATED world. Each one is wrapped in a function, because Chrome may run it
// twice in one window (an empty frame that navigates keeps its window; a page comes back from the back/forward cache).

(() => {
  /** @typedef {import("../types").PageCall} PageCall */
  /** @typedef {import("../types").PageContext} PageContext */

  if (globalThis.runhome?.page) return;

  /** A failure with a code of docs/wire.md. `details` is JSON-ready. */
  class PageError extends Error {
    /** @param {string} code @param {string} message @param {Record<string, unknown>} details */
    constructor(code, message, details) {
      super(message);
      this.name = "PageError";
      this.code = code;
      this.details = details;
    }
  }

  /** @type {Map<string, PageCall>} */
  const calls = new Map();

  /**
   * Makes `name` callable from the offscreen document and from other page scripts. The last registration counts.
   * @param {string} name @param {PageCall} call
   */
  function register(name, call) {
    calls.set(name, call);
  }

  /**
   * Runs a registered call. Rejects with NO_SUCH_HELPER when nobody registered it.
   * @param {string} name @param {unknown[]} args @param {PageContext} context
   */
  async function call(name, args, context) {
    const known = calls.get(name);
    if (!known) {
      throw error("NO_SUCH_HELPER", `There is no helper "${name}" in this page. Helpers: ${[...calls.keys()].join(", ")}.`);
    }
    return known(args, context);
  }

  /** @param {string} code @param {string} message @param {Record<string, unknown>} [details] */
  function error(code, message, details = {}) {
    return new PageError(code, message, details);
  }

  globalThis.runhome = { ...globalThis.runhome, page: { register, call, error } };
})();
