// @ts-check
// What an editor holds now, by its DOM and by its own word (a copy). It waits for the editor to settle, and types nothing.

(() => {
  const { page } = globalThis.runhome;
  const { words, caret, clipboard, pace, keys } = page;

  const QUIET_MS = 60;
  const MOST_MS = 400;

  /** @param {HTMLElement} host @param {string} wanted */
  function shows(host, wanted) {
    return words.same(words.of(host), wanted) || words.same(words.of(host, { chips: true }), wanted);
  }

  /**
   * Waits, as shortly as it can, until a rich editor holds `wanted`.
   * @param {HTMLElement} host @param {string} wanted @returns {Promise<{right: boolean, got: string}>}
   */
  async function rich(host, wanted) {
    await pace.task();
    if (shows(host, wanted)) {
      await pace.task();
      if (shows(host, wanted)) return { right: true, got: wanted };
    }
    if (words.same(ownWord(host) ?? "", wanted) && wanted) return { right: true, got: wanted };
    const right = await pace.settles(host, () => shows(host, wanted), { quiet_ms: QUIET_MS, most_ms: MOST_MS });
    if (right) return { right, got: wanted };
    const own = ownWord(host);
    if (own !== null && wanted && words.same(own, wanted)) return { right: true, got: wanted };
    return { right: false, got: words.of(host) };
  }

  /** @param {HTMLElement} host @returns {string | null} null where the editor does not answer a copy */
  function ownWord(host) {
    caret.selectAll(host);
    const copied = clipboard.copy(host);
    caret.toEnd(host);
    return copied;
  }

  /**
   * What a drawn editor says it holds: its select-all key, then a copy. Null where it says nothing.
   * @param {HTMLElement} host @returns {string | null}
   */
  function drawn(host) {
    keys.send(host, keys.SELECT_ALL);
    const copied = clipboard.copy(host);
    const left = copied === null && host.localName === "textarea" ? /** @type {HTMLTextAreaElement} */ (host).value : copied;
    keys.send(host, keys.TO_END);
    return left;
  }

  page.reading = { rich, drawn, shows };
})();
