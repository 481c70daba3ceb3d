// @ts-check
// The helper `type`: a text into whatever takes text, read back from the editor itself.

(() => {
  const { page } = globalThis.runhome;
  const { words, caret, place, fields, pace } = page;

  /** @typedef {import("../../types").PageContext} PageContext */
  /** @typedef {{right: boolean, got: string | null, wanted: string}} Written */
  /** @typedef {{clear?: boolean, submit?: boolean, timeout?: number}} Options */

  /**
   * Args: target, text, {clear, submit, timeout}. Gives what the field holds afterwards.
   * @param {any[]} args @param {PageContext} context @returns {Promise<string>}
   */
  async function type([target, text, options], context) {
    const wanted = textOf(text);
    const { clear = false, submit = false } = /** @type {Options} */ (options ?? {});
    const element = await page.actionable.ready(target, context, { timeout: options?.timeout, unseen: place.isDrawn });
    const spot = place.of(element);
    if (!spot) throw notEditable(element, "It takes no text.");
    refuseReadOnly(spot.element);
    await page.composing.finish(spot.element);
    const written = await put(spot, wanted, { clear }, context);
    if (submit) await send(spot.element, context);
    return written.got ?? wanted;
  }

  /** @param {unknown} text */
  function textOf(text) {
    if (typeof text === "string") return text.replace(/\r\n?/g, "\n");
    if (typeof text === "number" || typeof text === "boolean") return String(text);
    throw page.error(
      "BAD_ARGUMENT",
      `type needs a text, not ${text === null ? "null" : typeof text}: tab.type(target, "text").`,
    );
  }

  /**
   * @param {{kind: string, element: HTMLElement}} spot @param {string} text @param {{clear: boolean}} options
   * @param {PageContext} context @returns {Promise<Written>}
   */
  async function put(spot, text, options, context) {
    const written = await write(spot, text, options);
    if (written.right) return written;
    if (context.trusted) return byTrustedInput(spot, text, options, context);
    if (spot.kind === "drawn" && !written.got) throw notEditable(spot.element, DRAWN_ONLY);
    throw differs(spot.element, written);
  }

  const DRAWN_ONLY =
    "This editor draws its own text and takes real keys only. Ask for them in the manifest: input: trusted.";

  /** @param {{kind: string, element: HTMLElement}} spot @param {string} text @param {{clear: boolean}} options */
  function write({ kind, element }, text, options) {
    if (kind === "rich") return page.editor.write(element, text, options);
    if (kind === "drawn") return page.drawn.write(element, text, options);
    return field(/** @type {HTMLInputElement} */ (element), text, options);
  }

  /** @param {HTMLInputElement} element @param {string} text @param {{clear: boolean}} options @returns {Promise<Written>} */
  async function field(element, text, options) {
    caret.focus(element);
    const wanted = fields.fill(element, text, options);
    await pace.task();
    await pace.task();
    const got = element.value;
    return { right: got === wanted || fields.accepts(element, got, wanted), got, wanted };
  }

  /**
   * The debugger types, because the manifest says so.
   * @param {{kind: string, element: HTMLElement}} spot @param {string} text @param {{clear: boolean}} options
   * @param {PageContext} context @returns {Promise<Written>}
   */
  async function byTrustedInput({ kind, element }, text, { clear }, context) {
    caret.focus(element);
    if (kind === "rich") clear ? caret.selectAll(element) : caret.toEnd(element);
    const keys = clear ? [{ key: page.keys.SELECT_ALL }] : [];
    if (text.includes("\n")) context.acted(); // a line break is an Enter, which may send
    await context.trusted?.([...keys, text || !clear ? { text } : { key: "Backspace" }]);
    const got = kind === "drawn" ? null : kind === "rich" ? words.of(element) : /** @type {any} */ (element).value;
    const wanted = clear ? text : got;
    if (got !== null && !words.same(got, wanted)) throw differs(element, { right: false, got, wanted });
    return { right: true, got, wanted: text };
  }

  /** @param {HTMLElement} element @param {PageContext} context */
  async function send(element, context) {
    context.acted();
    if (page.submit.enter(element)) return;
    throw page.error(
      "NOT_EDITABLE",
      `Enter sends nothing in ${page.describe(element)}. Click its button instead of submit: true.`,
    );
  }

  /** @param {HTMLElement} element */
  function refuseReadOnly(element) {
    const readOnly = /** @type {any} */ (element).readOnly || element.ariaReadOnly === "true";
    if (readOnly) throw notEditable(element, "It is read-only.");
  }

  /** @param {Element} element @param {string} why */
  function notEditable(element, why) {
    const hint =
      { select: " Use tab.select.", button: " Use tab.click." }[element.localName] ??
      hintFor(/** @type {HTMLInputElement} */ (element).type);
    return page.error("NOT_EDITABLE", `Cannot type into ${page.describe(element)}. ${why}${hint}`);
  }

  /** @param {string | undefined} type */
  function hintFor(type) {
    if (type === "checkbox" || type === "radio") return " Use tab.click, or tab.select with true or false.";
    return type === "file" ? " Use tab.upload." : "";
  }

  /** @param {Element} element @param {Written} written */
  function differs(element, { wanted, got }) {
    return page.error(
      "TEXT_DIFFERS",
      `${page.describe(element)} holds another text than was typed. Wanted: ${quote(wanted)}. There is: ${quote(got ?? "")}.`,
      { wanted, got },
    );
  }

  /** @param {string} text */
  function quote(text) {
    return JSON.stringify(text.length > 120 ? `${text.slice(0, 117)}...` : text);
  }

  page.register("type", type);
})();
