// @ts-check
// Writing into editors that draw their own text and listen through an EditContext or a tiny textarea: keys and a paste,
// read back by a copy. It never touches their DOM.

(() => {
  const { page } = globalThis.runhome;
  const { words, caret, pace, keys, strategies, reading } = page;

  const TRIES = 8;

  /**
   * @param {HTMLElement} host @param {string} text @param {{clear: boolean}} options
   * @returns {Promise<{right: boolean, got: string | null, wanted: string}>} got null: the editor does not say what it holds
   */
  async function write(host, text, { clear }) {
    caret.focus(host);
    await pace.task();
    const kept = clear ? "" : (reading.drawn(host) ?? "");
    const wanted = kept.trim() ? kept + text : text;
    if (clear) keys.send(host, keys.SELECT_ALL);
    else keys.send(host, keys.TO_END);
    const taken = text ? strategies.paste(host, text) : keys.send(host, "Backspace");
    if (!taken && host.localName === "textarea") host.ownerDocument.execCommand("insertText", false, text);
    let got = null;
    for (let tried = 0; tried < TRIES; tried += 1) {
      await pace.task();
      got = reading.drawn(host);
      if (got !== null && (text ? words.same(got, wanted) : !got.trim())) return { right: true, got, wanted };
      if (tried > 1) await pace.pause(10);
    }
    return { right: false, got, wanted };
  }

  page.drawn = { write };
})();
