// @ts-check
// `waitFor` (a target, its going, a text) and `observe`, the last look at the page of a run.

(() => {
  const { page } = globalThis.runhome;
  const { pace, seen, actionable } = page;

  /** @typedef {import("../types").PageContext} PageContext */

  const PATIENCE_MS = 10_000;

  /**
   * Args: a target, or one of {target} {gone} {text}; {timeout} in ms. Gives a handle of what came (null for gone and for a
   * text in several places).
   * @param {any[]} args @param {PageContext} context @throws TIMEOUT, or as find
   */
  async function waitFor([what, options = {}], context) {
    const timeout = options?.timeout;
    const end = actionable.endOf(context, timeout ?? PATIENCE_MS);
    const { target, gone, text } = what && typeof what === "object" && !("$handle" in what) ? what : {};
    if (gone !== undefined) return waitForGone(gone, context, end);
    if (text !== undefined && Object.keys(what).length === 1) return waitForText(text, context, end);
    const sought = target ?? what;
    const element = await actionable.locate(sought, context, { timeout: end - performance.now() });
    return page.handle(element, sought);
  }

  /** @param {any} target @param {PageContext} context @param {number} end */
  async function waitForGone(target, context, end) {
    const isGone = () => isAbsent(target);
    if (await pace.until(isGone, context, end)) return null;
    const words = "$handle" in Object(target) ? "what was found" : page.target.inWords(page.target.read(target));
    throw page.error("TIMEOUT", `The ${words} is still there.`, { sought: target });
  }

  /** @param {any} target */
  function isAbsent(target) {
    try {
      if (!("$handle" in Object(target))) return page.findAll(target).length === 0;
      return !page.isVisible(page.resolve(target));
    } catch (error) {
      if (/** @type {any} */ (error).code === "BAD_ARGUMENT") throw error;
      return /** @type {any} */ (error).code !== "AMBIGUOUS";
    }
  }

  /** @param {any} text a string or a pattern @param {PageContext} context @param {number} end */
  async function waitForText(text, context, end) {
    const found = () => (typeof text === "string" ? seen.text(text) : (page.findAll({ text })[0] ?? null));
    const element = await pace.until(found, context, end);
    if (element) return page.handle(element, { text });
    throw page.error("NOT_FOUND", `The text ${page.target.quote(text)} did not appear.`, {
      sought: { text },
      candidates: [],
    });
  }

  /** @typedef {{text: string, found: boolean, excerpt: string}} Seen found: of `gone` texts too, whether it is there */

  /**
   * Args: {texts, gone}. Answers when all of `texts` are seen and none of `gone` is, or when the deadline comes.
   * @param {any[]} args @param {PageContext} context
   */
  async function observe([{ texts = [], gone = [] }], context) {
    const holds = () =>
      texts.every((/** @type {string} */ text) => seen.text(text)) &&
      !gone.some((/** @type {string} */ text) => seen.text(text));
    await pace.until(holds, context, actionable.endOf(context, Infinity)).catch(() => null);
    return {
      texts: [...texts, ...gone].map(look),
      notices: seen.notices(),
      title: document.title,
      url: location.href,
    };
  }

  /** @param {string} text @returns {Seen} */
  function look(text) {
    const element = seen.text(text);
    return { text, found: element !== null, excerpt: element ? seen.excerpt(element) : "" };
  }

  page.register("waitFor", waitFor);
  page.register("observe", observe);
})();
