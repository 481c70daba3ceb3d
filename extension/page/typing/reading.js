// @ts-check
// What an editor holds now, by its DOM and by its own word (a copy). It waits for the editor to settle, and types nothing.

(() => {
  const { page } = globalThis.runhome;
  const { words, caret, clipboard, pace, keys } = page;

  const QUIET_MS = 60;
  const BRIEF_MS = 8;
  const MOST_MS = 400;

  /** @param {HTMLElement} host @param {string} wanted */
  function shows(host, wanted) {
    return words.same(words.of(host), wanted) || words.same(words.of(host, { chips: true }), wanted);
  }

  /**
   * Waits, as shortly as it can, until a rich editor holds `wanted`.
   * @param {HTMLElement} host @param {string} wanted
   * @param {{again_ms?: number}} [doubt] how much later it must still be so, where an editor may undo what was done to it
   * @returns {Promise<{right: boolean, got: string}>}
   */
  async function rich(host, wanted, { again_ms = 0 } = {}) {
    if (!(await holds(host, wanted))) return { right: false, got: words.of(host) };
    if (!again_ms) return { right: true, got: wanted };
    await pace.pause(again_ms);
    return { right: shows(host, wanted) || says(host, wanted), got: words.of(host) };
  }

  /** @param {HTMLElement} host @param {string} wanted @returns {Promise<boolean>} */
  async function holds(host, wanted) {
    await pace.task();
    if (shows(host, wanted)) {
      await pace.task();
      if (shows(host, wanted)) return true;
    }
    if (hasBegun(host, wanted) && says(host, wanted)) return true;
    // All is there and only blank lines were lost: no editor brings those back later.
    const quiet_ms = wanted && words.alikeButForBlankLines(words.of(host), wanted) ? BRIEF_MS : QUIET_MS;
    const settled = await pace.settles(host, () => shows(host, wanted), { quiet_ms, most_ms: MOST_MS });
    return settled || says(host, wanted);
  }

  /** An editor that is about to take a paste must not be asked to copy: that moves its selection. @param {HTMLElement} host @param {string} wanted */
  function hasBegun(host, wanted) {
    const [first] = words.fold(words.of(host)).trim().split("\n");
    return first !== "" && words.fold(wanted).includes(first);
  }

  /**
   * The word of an editor that shows a part of its text only (code editors keep the visible lines). Where all is shown,
   * the DOM counts: many editors put blank lines of their own into what they copy.
   * @param {HTMLElement} host @param {string} wanted
   */
  function says(host, wanted) {
    if (!wanted || words.alikeButForBlankLines(words.of(host), wanted)) return false;
    caret.selectAll(host);
    const copied = clipboard.copy(host);
    caret.toEnd(host);
    return copied !== null && words.same(copied, wanted);
  }

  /**
   * What a drawn editor says it holds: its select-all key, then a copy. Null where it says nothing.
   * @param {HTMLElement} host @returns {string | null}
   */
  function drawn(host) {
    keys.send(host, keys.SELECT_ALL);
    const copied = clipboard.copy(host);
    const left =
      copied === null && host.localName === "textarea" ? /** @type {HTMLTextAreaElement} */ (host).value : copied;
    keys.send(host, keys.TO_END);
    return left;
  }

  page.reading = { rich, drawn, shows };
})();
