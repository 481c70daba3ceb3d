// @ts-check
// Writing into rich editors that nobody here knows: one way after another, until the editor itself shows the text.
//
// 1. Select everything (or the end), send a paste. An editor with its own model takes it.
// 2. Nobody took it: it is the browser's own editing, so type by command.
// 3. It was taken and came out otherwise (blank lines lost, mostly): a paste of paragraphs, then beforeinput line by line,
//    then textInput. The browser's commands come last, and never where one of those was taken: they change the tree
//    behind the back of editors that draw it themselves.
// 4. Again and slower, for editors that learn of a selection late: by their keys, and with a clear before.

(() => {
  const { page } = globalThis.runhome;
  const { words, caret, clipboard, pace, keys, strategies, reading, blocks } = page;

  /** Longer than the 100 ms by which some editors delay what they learn of a selection. */
  const SLOW_MS = 130;

  /** What changes the tree itself; an editor may learn of that later and undo it. */
  const BEHIND_ITS_BACK = ["command", "paragraphs"];
  const AFTER_A_PASTE = ["paragraphPaste", "beforeInput", "textInput", ...BEHIND_ITS_BACK];
  const UNHEARD = ["command", "beforeInput", "textInput"];

  /**
   * whole: everything is replaced, else the text comes after what is there · waits: what the editor holds is at stake if
   * it does not know the selection yet · slow: with a clear before, and by keys
   * @typedef {{host: HTMLElement, text: string, wanted: string, whole: boolean, waits: boolean, slow: boolean}} Attempt
   */

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
    if (!text) return { ...(clear && !empty ? await erase(host) : { right: true, got: kept }), wanted };
    for (const slow of [false, true]) {
      const result = await attempt({ host, text, wanted, whole: !kept, waits: !empty, slow });
      if (result.right || result.stuck) return { ...result, wanted };
    }
    return { right: false, got: words.of(host), wanted };
  }

  /** @param {Attempt} first @returns {Promise<{right: boolean, got: string, stuck?: boolean}>} */
  async function attempt(first) {
    const { host } = first;
    const [before, others, root] = [words.of(host), blocks.around(host), host.getRootNode()];
    await select(first);
    const taken = strategies.paste(host, first.text);
    const result = await look(first, taken || words.of(host) !== before);
    if (result.right) return result;
    const isHere = words.alikeButForBlankLines(words.of(host), first.wanted);
    const spread = isHere ? null : blocks.spread(host, first.text, others, root);
    if (spread === null) return otherwise(first, before, taken);
    return { right: words.same(spread, first.wanted), got: spread, stuck: true };
  }

  /**
   * What remains when a plain paste did not bring the text.
   * @param {Attempt} first @param {string} before @param {boolean} taken the paste was heard
   * @returns {Promise<{right: boolean, got: string, stuck?: boolean}>}
   */
  async function otherwise(first, before, taken) {
    const { host, wanted } = first;
    let result = { right: false, got: words.of(host) };
    let drawsItself = false;
    const ways = taken ? AFTER_A_PASTE.slice(words.of(host) === before ? 1 : 0) : UNHEARD; // what swallows one paste swallows two
    for (const way of ways) {
      const behind = BEHIND_ITS_BACK.includes(way);
      if (behind && drawsItself) break;
      const next = host.isConnected ? again(first, before) : null;
      if (!next) return { ...result, stuck: true };
      await select(next);
      if (!strategies[way](host, next.text)) continue;
      drawsItself ||= !behind && way !== "paragraphPaste";
      result = await reading.rich(host, wanted, { again_ms: behind && taken ? SLOW_MS : 0 });
      if (result.right) break;
    }
    return result;
  }

  /** Whether looking is worth while: an event that nobody took has changed nothing. @param {Attempt} attempt @param {boolean} changed */
  async function look({ host, wanted }, changed) {
    return changed ? reading.rich(host, wanted) : { right: false, got: "" };
  }

  /**
   * The next try after one that may have left something: the whole text anew, unless that would cost formatting.
   * @param {Attempt} first @param {string} before @returns {Attempt | null}
   */
  function again(first, before) {
    if (first.whole || words.of(first.host) === before) return { ...first, waits: false };
    if (isFormatted(first.host)) return null;
    return { ...first, text: first.wanted, whole: true, waits: true };
  }

  /** @param {HTMLElement} host */
  function isFormatted(host) {
    return (
      host.querySelector("a, b, strong, i, em, u, s, code, pre, h1, h2, h3, h4, ul, ol, table, img, blockquote") !==
      null
    );
  }

  /** @param {Attempt} attempt */
  async function select({ host, whole, waits, slow }) {
    if (slow && whole && words.fold(words.of(host)).trim()) await erase(host);
    if (whole) caret.selectAll(host);
    else caret.toEnd(host);
    if (!slow && !waits) return;
    await pace.pause(SLOW_MS);
    if (slow && !host.ownerDocument.hasFocus()) keys.send(host, whole ? keys.SELECT_ALL : keys.TO_END);
  }

  /**
   * Empties an editor by the first way that it listens to; the browser's own deletion only where it listens to none.
   * @param {HTMLElement} host @returns {Promise<{right: boolean, got: string}>}
   */
  async function erase(host) {
    const document = host.ownerDocument;
    const ways = [
      () => clipboard.cut(host),
      () => keys.send(host, "Backspace"),
      () => strategies.ask(host, "deleteContentBackward"),
    ];
    let result = { right: false, got: "" };
    let heard = false;
    await selectAllSlowly(host);
    for (const way of ways) {
      if (!way()) continue;
      heard = true;
      result = await reading.rich(host, "");
      if (result.right || way === ways[2]) return result;
      await selectAllSlowly(host);
    }
    document.execCommand("delete");
    return reading.rich(host, "", { again_ms: heard ? SLOW_MS : 0 });
  }

  /** @param {HTMLElement} host */
  async function selectAllSlowly(host) {
    caret.selectAll(host);
    await pace.pause(SLOW_MS);
  }

  page.editor = { write };
})();
