// @ts-check
// Writing into editors that draw their own text and listen through an EditContext or a tiny textarea: keys and a paste,
// read back by a copy. It never touches their DOM.

(() => {
  const { page } = globalThis.runhome;
  const { words, caret, pace, keys, strategies, reading } = page;

  const QUICK_MS = 25;
  const SLOW_MS = 200;
  const LOOKS = 8;
  const LOOK_AGAIN_MS = 10;

  /**
   * @param {HTMLElement} host @param {string} text @param {{clear: boolean}} options
   * @returns {Promise<{right: boolean, got: string | null, wanted: string}>} got null: the editor does not say what it holds
   */
  async function write(host, text, { clear }) {
    caret.focus(host);
    await pace.task();
    const before = reading.drawn(host) ?? "";
    const wanted = clear || !before.trim() ? text : before + text;
    let got = null;
    for (const patience_ms of [QUICK_MS, SLOW_MS]) {
      if (!put(host, text, clear)) return { right: false, got: null, wanted };
      await arrival(host, patience_ms);
      got = await look(host, wanted);
      if (got !== null && holds(got, wanted)) return { right: true, got, wanted };
      if (got !== null && got !== before) break;
      caret.focus(host); // nothing arrived: it may not have been ready
    }
    return { right: false, got, wanted };
  }

  /**
   * Some editors paste in several tasks, and give up when the selection moves meanwhile, as it does when they are read.
   * @param {any} host @param {number} patience_ms
   */
  async function arrival(host, patience_ms) {
    const before = host.editContext?.text;
    const arrived = () => host.editContext !== undefined && host.editContext?.text !== before;
    await pace.settles(host.parentElement ?? host, arrived, { quiet_ms: patience_ms, most_ms: patience_ms });
  }

  /** @param {HTMLElement} host @param {string} text @param {boolean} clear @returns {boolean} whether anything took it */
  function put(host, text, clear) {
    keys.send(host, clear ? keys.SELECT_ALL : keys.TO_END);
    const taken = text ? strategies.paste(host, text) : !clear || keys.send(host, "Backspace");
    if (taken || host.localName !== "textarea") return taken;
    return host.ownerDocument.execCommand("insertText", false, text);
  }

  /** @param {HTMLElement} host @param {string} wanted @returns {Promise<string | null>} */
  async function look(host, wanted) {
    let got = null;
    for (let look = 0; look < LOOKS; look += 1) {
      await pace.task();
      got = reading.drawn(host);
      if (got !== null && holds(got, wanted)) return got;
      if (look > 1) await pace.pause(LOOK_AGAIN_MS);
    }
    return got;
  }

  /** @param {string} got @param {string} wanted */
  function holds(got, wanted) {
    return wanted ? words.same(got, wanted) : !got.trim();
  }

  page.drawn = { write };
})();
