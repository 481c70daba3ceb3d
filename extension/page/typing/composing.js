// @ts-check
// Whether somebody is in the middle of composing a character (Hangul, kana, an accent) and how to let it finish.

(() => {
  const { page } = globalThis.runhome;
  if (page.composing) return;

  /** @type {EventTarget | null} */
  let field = null;

  addEventListener("compositionstart", (event) => (field = event.composedPath()[0] ?? null), { capture: true });
  addEventListener("compositionend", () => (field = null), { capture: true });

  /** The browser keeps what is composed so far when the field loses the focus. @param {HTMLElement} element */
  async function finish(element) {
    if (!field || !element.contains(/** @type {Node} */ (field))) return;
    page.caret.blur(element);
    await page.pace.task();
  }

  page.composing = { finish };
})();
