// @ts-check
// What an editor holds, as plain text with one line per block, and when two such texts are the same. It changes nothing.

(() => {
  const { page } = globalThis.runhome;

  const INVISIBLE = /[\u200b\u2060\ufeff]/g;
  const BLOCK = /^(block|flex|grid|list-item|table|table-row|flow-root)$/;

  /** @typedef {{chips: boolean}} Taste chips: whether parts that cannot be edited count (a mention does, a placeholder does not) */

  /** @param {HTMLElement} host @param {Taste} [taste] @returns {string} */
  function of(host, taste = { chips: false }) {
    const lines = new Lines();
    walk(host, lines, taste, keepsBreaks(host));
    return lines.text();
  }

  /** Collects text into lines: a block begins and ends one, a <br> ends one. */
  class Lines {
    constructor() {
      /** @type {string[]} */
      this.done = [];
      /** @type {string | null} */
      this.open = null;
    }

    /** @param {string} text */
    add(text) {
      this.open = (this.open ?? "") + text;
    }

    breakLine() {
      this.done.push(this.open ?? "");
      this.open = null;
    }

    endBlock() {
      if (this.open !== null) this.breakLine();
    }

    text() {
      return [...this.done, ...(this.open === null ? [] : [this.open])].join("\n");
    }
  }

  /** @param {Node} node @param {Lines} lines @param {Taste} taste @param {boolean} pre */
  function walk(node, lines, taste, pre) {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) addText(/** @type {Text} */ (child).data, lines, pre);
      else if (child.nodeType === Node.ELEMENT_NODE) {
        walkElement(/** @type {HTMLElement} */ (child), lines, taste);
      }
    }
  }

  /** @param {HTMLElement} element @param {Lines} lines @param {Taste} taste */
  function walkElement(element, lines, taste) {
    if (element.localName === "br") return lines.breakLine();
    if (!taste.chips && element.contentEditable === "false") return;
    const { display, whiteSpaceCollapse } = getComputedStyle(element);
    if (display === "none") return;
    const pre = /preserve|break-spaces/.test(whiteSpaceCollapse);
    if (!BLOCK.test(display)) return walk(element, lines, taste, pre);
    lines.endBlock();
    const before = lines.done.length;
    walk(element, lines, taste, pre);
    if (lines.open !== null) lines.breakLine();
    else if (lines.done.length === before && element.offsetHeight) lines.breakLine(); // without a height it is no line to a reader
  }

  /** @param {string} data @param {Lines} lines @param {boolean} pre */
  function addText(data, lines, pre) {
    if (!pre) {
      const text = data.replace(/[\n\t]+/g, " ");
      if (text.trim() || lines.open !== null) lines.add(text);
      return;
    }
    const parts = data.split("\n");
    parts.forEach((part, index) => {
      if (part || index < parts.length - 1) lines.add(part);
      if (index < parts.length - 1) lines.breakLine();
    });
  }

  /** @param {HTMLElement} host */
  function keepsBreaks(host) {
    return /preserve|break-spaces/.test(getComputedStyle(host).whiteSpaceCollapse);
  }

  /** @param {string} text */
  function fold(text) {
    return text
      .replace(/\r\n?/g, "\n")
      .replace(INVISIBLE, "")
      .replace(/\u00a0/g, " ")
      .normalize("NFC");
  }

  /**
   * Whether two texts are the same but for what an editor may add: no-break spaces, invisible marks, one line at the end.
   * @param {string} got @param {string} wanted
   */
  function same(got, wanted) {
    const [left, right] = [fold(got), fold(wanted)];
    return left === right || left === `${right}\n` || (right.endsWith("\n") && left === right.slice(0, -1));
  }

  /** Whether at most the blank lines differ. @param {string} got @param {string} wanted */
  function alikeButForBlankLines(got, wanted) {
    const dense = (/** @type {string} */ text) => fold(text).replace(/\s+/g, " ").trim();
    return dense(got) === dense(wanted);
  }

  page.words = { of, fold, same, alikeButForBlankLines };
})();
