// @ts-check
// Handles: names for elements that can cross to the subroutine and back. A handle finds itself again by its target.

(() => {
  const { page } = globalThis.runhome;
  if (page.handles) return;

  /** @typedef {{$handle: string, target: unknown, document: string}} Handle the offscreen document replaces `document` by Chrome's own id */

  /** Tells this document from the one before it and the one after it; part of every handle. */
  const documentId = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  /** @type {Map<string, WeakRef<Element>>} */
  const elements = new Map();
  /** @type {WeakMap<Element, string>} */
  const ids = new WeakMap();
  let count = 0;

  /**
   * A handle of an element, found by `target`.
   * @param {Element} element @param {unknown} target @returns {Handle}
   */
  function handle(element, target) {
    let id = ids.get(element);
    if (!id) {
      count += 1;
      id = `h${count}-${documentId}`;
      ids.set(element, id);
      elements.set(id, new WeakRef(element));
    }
    return { $handle: id, target: plain(target), document: documentId };
  }

  /** The target inside a handle; patterns as data. @param {any} target @returns {unknown} */
  function plain(target) {
    if (target && typeof target === "object" && "$handle" in target) return plain(target.target);
    if (target instanceof RegExp) return { $regexp: [target.source, target.flags] };
    if (!target || typeof target !== "object" || Array.isArray(target)) return target;
    return Object.fromEntries(Object.entries(target).map(([key, value]) => [key, plain(value)]));
  }

  /** The element of a handle of this document, while it is in the page. @param {any} given @returns {Element | null} */
  function held(given) {
    const element = elements.get(given.$handle)?.deref();
    return element?.isConnected ? element : null;
  }

  /**
   * The one element that a target or a handle means now.
   * @param {any} given @param {{scope?: Element | null, hidden?: boolean}} [options] hidden: invisible ones count too
   * @returns {Element} throws NOT_FOUND, AMBIGUOUS, STALE, BAD_ARGUMENT
   */
  function resolve(given, options = {}) {
    if (!given || typeof given !== "object" || !("$handle" in given)) return page.find(given, options).element;
    const element = held(given);
    if (element) return element;
    try {
      return page.find(given.target, options).element;
    } catch (cause) {
      throw stale(given, /** @type {any} */ (cause));
    }
  }

  /** @param {Handle} given @param {{code?: string, message: string, details?: object}} cause */
  function stale(given, cause) {
    if (cause.code === "BAD_ARGUMENT") return cause;
    const error = page.error("STALE", "");
    Object.defineProperty(error, "message", { get: () => `What was found before is not in the page any more, and cannot be found again: ${cause.message}`, configurable: true });
    Object.defineProperty(error, "details", { get: () => ({ sought: given.target, ...cause.details }), configurable: true });
    return error;
  }

  page.handles = { held };
  page.handle = handle;
  page.resolve = resolve;
})();
