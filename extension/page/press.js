// @ts-check
// The helper `press`: one key, with the few defaults of a browser that a page cannot notice were missing.

(() => {
  const { page } = globalThis.runhome;

  const TEXT_FIELD = "input, textarea";

  /**
   * Args: key ("Enter", "Control+A"), target (the focused element where there is none), {timeout}.
   * @param {any[]} args @param {import("../types").PageContext} context
   */
  async function press([words, target, options], context) {
    const { key } = page.keys.parse(String(words));
    const element = target ? await page.actionable.ready(target, context, { timeout: options?.timeout }) : focused();
    if (target) page.caret.focus(element);
    context.acted();
    if (key.key === "Enter") pressEnter(element);
    else if (!page.keys.send(element, words)) byDefault(element, String(words));
    return null;
  }

  function focused() {
    return page.caret.deepActive(document) ?? document.body;
  }

  /** @param {HTMLElement} element */
  function pressEnter(element) {
    if (page.submit.enter(element) || element.matches(TEXT_FIELD)) return;
    if (element.matches("a[href], button, summary")) element.click();
  }

  /** What the browser does with a key that the page let pass. @param {HTMLElement} element @param {string} words */
  function byDefault(element, words) {
    const { key, modifiers } = page.keys.parse(words);
    const commands = modifiers.ctrlKey || modifiers.metaKey;
    const document = element.ownerDocument;
    if (commands) {
      if (key.key.toLowerCase() === "a") document.execCommand("selectAll");
      return;
    }
    if (key.key === "Tab") return moveFocus(element, modifiers.shiftKey ? -1 : 1);
    if (key.key === "Backspace") document.execCommand("delete");
    else if (key.key === "Delete") document.execCommand("forwardDelete");
    else if (key.key === " " && element.matches("button, summary, input[type=checkbox], input[type=radio]"))
      element.click();
    else if ([...key.key].length === 1 && page.place.of(element)) document.execCommand("insertText", false, key.key);
  }

  const STOPS = "a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]";

  /** To the next or the last element in the order of the page. @param {HTMLElement} element @param {1 | -1} step */
  function moveFocus(element, step) {
    const stops = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(STOPS)]).filter(
      (stop) => stop.tabIndex >= 0 && !stop.matches(":disabled") && page.isVisible(stop),
    );
    const next = stops.at((stops.indexOf(element) + step) % stops.length);
    if (next) page.caret.focus(next);
  }

  page.register("press", press);
})();
