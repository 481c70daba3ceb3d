// @ts-check
// `find`: exactly one visible element for a target, or an error that says what was there. Waiting is in actionable.js.

(() => {
  const { page } = globalThis.runhome;
  if (page.find) return;

  const MOST_LISTED = 20;
  const MOST_TOLD = 4;

  /** @typedef {{scope?: Element | null, hidden?: boolean}} Options hidden: invisible elements count too */

  /**
   * @param {unknown} target @param {Options} [options] @returns {Element[]} visible ones, in the order of the page
   * @throws BAD_ARGUMENT
   */
  function findAll(target, options = {}) {
    return page.search.search(page.target.read(target), options);
  }

  /**
   * The one element that fits now.
   * @param {unknown} target @param {Options} [options]
   * @returns {{element: Element, handle: object}} throws NOT_FOUND, AMBIGUOUS, BAD_ARGUMENT
   */
  function find(target, options = {}) {
    const read = page.target.read(target);
    const found = page.search.search(read, options);
    if (found.length === 0) throw page.candidates.notFound(read, target, options);
    if (found.length > 1) throw ambiguous(read, target, found);
    return { element: found[0], handle: page.handle(found[0], target) };
  }

  /** @param {any} read @param {unknown} sought @param {Element[]} found */
  function ambiguous(read, sought, found) {
    const error = page.error("AMBIGUOUS", "");
    /** @type {any[] | null} */
    let described = null;
    const matches = () => (described ??= found.slice(0, MOST_LISTED).map((element) => page.describe(element)));
    const message = () => {
      const told = matches().slice(0, MOST_TOLD).map((match) => (match.name ? `${match.where} "${match.name}"` : match.where));
      const rest = found.length > MOST_TOLD ? `, and ${found.length - MOST_TOLD} more` : "";
      return `${found.length} matches for ${page.target.inWords(read)}: ${told.join("; ")}${rest}. Say which one with within, near or nth.`;
    };
    Object.defineProperty(error, "message", { get: message, configurable: true });
    Object.defineProperty(error, "details", { get: () => ({ sought, matches: matches(), count: found.length }), configurable: true });
    return error;
  }

  page.find = find;
  page.findAll = findAll;
  page.register("find", async (/** @type {any[]} */ [target, options], /** @type {any} */ context) => {
    const element = await page.actionable.locate(target, context, { timeout: options?.timeout });
    return page.handle(element, target);
  });
})();
