// @ts-check
// Writing into rich editors that nobody here knows: one way after another, until the editor itself shows the text.
//
// 1. Select everything (or the end), send a paste. An editor with its own model takes it.
// 2. Nobody took it: it is the browser's own editing, so type by command.
// 3. It was taken and came out otherwise (blank lines lost, mostly): beforeinput line by line, then textInput, and the
//    browser's commands last, because they change a tree behind the back of editors that draw it themselves.
// 4. Again and slower, for editors that learn of a selection late: by their keys, and with a clear before.

(() => {
  const { page } = globalThis.runhome;
  const { words, caret, clipboard, pace, keys, strategies, reading } = page;

  /** Longer than the 100 ms by which some editors delay what they learn of a selection. */
  const SLOW_MS = 130;

  /** @typedef {{host: HTMLElement, text: string, wanted: string, whole: boolean, slow: boolean}} Attempt */

  /**
   * @param {HTMLElement} host @param {string} text @param {{clear: boolean}} options
   * @returns {Promise<{right: boolean, got: string, wanted: string}>}
   */
  async function write(host, text, { clear }) {
    caret.focus(host);
    const before = words.of(host);
    const empty = !words.fold(before).trim();
    const kept = clear || empty ? "" : before.replace(/\n$/, "");
    const wanted = kept + text;
    if (!text) return { ...(clear && !empty ? await erase(host, false) : { right: true, got: kept }), wanted };
    for (const slow of [false, true]) {
      const result = await attempt({ host, text, wanted, whole: !kept, slow });
      if (result.right || result.stuck) return { ...result, wanted };
    }
    return { right: false, got: words.of(host), wanted };
  }

  /** @param {Attempt} first @returns {Promise<{right: boolean, got: string, stuck?: boolean}>} */
  async function attempt(first) {
    const { host, wanted } = first;
    const before = words.of(host);
    await select(first);
    const taken = strategies.paste(host, first.text);
    let result = await look(first, taken || words.of(host) !== before);
    if (result.right) return result;
    for (const way of taken
      ? ["beforeInput", "textInput", "command", "paragraphs"]
      : ["command", "beforeInput", "textInput"]) {
      const next = await again(first, before);
      if (!next) return { ...result, stuck: true };
      await select(next);
      const did = strategies[way](host, next.text);
      if (!did) continue;
      result = await reading.rich(host, wanted);
      if (result.right) return result;
    }
    return result;
  }

  /** Whether looking is worth while: an event that nobody took has changed nothing. @param {Attempt} attempt @param {boolean} changed */
  async function look({ host, wanted }, changed) {
    return changed ? reading.rich(host, wanted) : { right: false, got: "" };
  }

  /**
   * The next try after one that may have left something: the whole text anew, unless that would cost formatting.
   * @param {Attempt} first @param {string} before @returns {Promise<Attempt | null>}
   */
  async function again(first, before) {
    if (first.whole || words.of(first.host) === before) return first;
    if (isFormatted(first.host)) return null;
    return { ...first, text: first.wanted, whole: true };
  }

  /** @param {HTMLElement} host */
  function isFormatted(host) {
    return (
      host.querySelector("a, b, strong, i, em, u, s, code, pre, h1, h2, h3, h4, ul, ol, table, img, blockquote") !==
      null
    );
  }

  /** @param {Attempt} attempt */
  async function select({ host, whole, slow }) {
    if (slow && whole && words.fold(words.of(host)).trim()) await erase(host, true);
    if (whole) caret.selectAll(host);
    else caret.toEnd(host);
    if (!slow) return;
    await pace.pause(SLOW_MS);
    if (!host.ownerDocument.hasFocus()) keys.send(host, whole ? keys.SELECT_ALL : keys.TO_END);
  }

  /**
   * Empties an editor by the first way that it listens to.
   * @param {HTMLElement} host @param {boolean} slow @returns {Promise<{right: boolean, got: string}>}
   */
  async function erase(host, slow) {
    let result = { right: false, got: "" };
    const ways = [
      () => clipboard.cut(host),
      () => keys.send(host, "Backspace"),
      () => strategies.ask(host, "deleteContentBackward"),
      () => host.ownerDocument.execCommand("delete"),
    ];
    for (const way of ways) {
      caret.selectAll(host);
      if (slow) await pace.pause(SLOW_MS);
      if (!way()) continue;
      result = await reading.rich(host, "");
      if (result.right) return result;
    }
    return result;
  }

  page.editor = { write };
})();
