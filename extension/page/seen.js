// @ts-check
// Texts that a person sees in the page, and what the page says by itself (alerts, status lines, dialogs). It waits for nothing.

(() => {
  const { page } = globalThis.runhome;
  const { match, renderedText, roots, text: texts, textSearch, tree } = page;

  const NOTICES =
    '[role="alert"], [role="status"], [role="alertdialog"], [role="dialog"], [aria-live="polite"], [aria-live="assertive"], output, dialog[open]';
  const MOST_NOTICES = 10;
  const EXCERPT_CHARACTERS = 200;

  /**
   * An element that shows the text. What stands in a field is not shown by the page: it may only be about to be sent.
   * @param {string} text @returns {Element | null}
   */
  function text(text) {
    const shows = (/** @type {Element} */ element) =>
      !isBeingWritten(element) &&
      page.isVisible(element) &&
      match.level(text, [renderedText.textOf(element)]) !== match.NOT;
    return textSearch.smallest(text).find(shows) ?? textSearch.smallestShown(text).find(shows) ?? null;
  }

  /** @param {Element} element */
  function isBeingWritten(element) {
    for (const at of tree.upwards(element)) {
      if (/** @type {HTMLElement} */ (at).isContentEditable || at.localName === "textarea") return true;
    }
    return false;
  }

  /** @param {Element} element */
  function excerpt(element) {
    return texts.shorten(renderedText.textOf(element), EXCERPT_CHARACTERS);
  }

  /** @returns {string[]} in the order of the page, each text once */
  function notices() {
    const elements = /** @type {ParentNode[]} */ (roots.all()).flatMap((root) => [...root.querySelectorAll(NOTICES)]);
    const said = elements.filter((element) => page.isVisible(element)).map(excerpt);
    return [...new Set(said.filter(Boolean))].slice(0, MOST_NOTICES);
  }

  page.seen = { text, excerpt, notices };
})();
