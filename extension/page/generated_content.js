// @ts-check
// The text that style sheets put before and after an element's content, with its alternative text. It reads computed styles only.

(() => {
  const { page } = globalThis.runhome;
  if (page.generatedContent) return;

  /** Parts of a computed `content` value: strings, counters, attributes, quotes, the slash before the alternative. */
  const PART = /"((?:[^"\\]|\\.)*)"|counters?\(([^)]*)\)|attr\(([^)]*)\)|(open-quote|close-quote)|(\/)/g;
  /** A page with deep counters is read no further back than this many elements. */
  const MOST_STEPS = 5000;

  /**
   * Text of `::before` or `::after`, spaced when it is a box of its own or stands for a picture.
   * @param {Element} element @param {"::before" | "::after"} pseudo @returns {string}
   */
  function textOf(element, pseudo) {
    const style = getComputedStyle(element, pseudo);
    const content = style.content;
    if (content === "none" || content === "normal" || !content || style.display === "none") return "";
    if (style.visibility !== "visible") return "";
    const { text, isAlternative } = read(element, pseudo, content);
    return style.display === "inline" && !isAlternative ? text : ` ${text} `;
  }

  /** @param {Element} element @param {string} pseudo @param {string} content */
  function read(element, pseudo, content) {
    let text = "";
    let isAlternative = false;
    for (const [, string, counter, attribute, quote, slash] of content.matchAll(PART)) {
      if (slash) [text, isAlternative] = ["", true];
      else if (string !== undefined) text += string.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, unescaped);
      else if (counter !== undefined) text += counterText(element, pseudo, counter);
      else if (attribute !== undefined) text += element.getAttribute(attribute.split(/[ ,]/)[0]) ?? "";
      else if (quote) text += quote === "open-quote" ? "\u201c" : "\u201d";
    }
    return { text, isAlternative };
  }

  /** @param {string} _whole @param {string | undefined} hex @param {string} character */
  function unescaped(_whole, hex, character) {
    return hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : character;
  }

  /** @param {Element} element @param {string} pseudo @param {string} written the inside of counter(...) */
  function counterText(element, pseudo, written) {
    const name = written.split(",")[0].trim();
    const own = getComputedStyle(element, pseudo);
    const start = named(own.counterSet, name) ?? named(own.counterReset, name);
    if (start !== null) return String(start + (named(own.counterIncrement, name) ?? 0));
    return String(counterBefore(element, name) + (named(own.counterIncrement, name) ?? 0));
  }

  /** The counter's value at an element: back through the document to where it was set. @param {Element} element @param {string} name */
  function counterBefore(element, name) {
    const walker = element.ownerDocument.createTreeWalker(element.getRootNode(), NodeFilter.SHOW_ELEMENT);
    walker.currentNode = element;
    let sum = 0;
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const style = getComputedStyle(/** @type {Element} */ (walker.currentNode));
      const set = named(style.counterSet, name);
      if (set !== null) return sum + set;
      sum += named(style.counterIncrement, name) ?? 0;
      const reset = named(style.counterReset, name);
      if (reset !== null) return sum + reset;
      if (!walker.previousNode()) break;
    }
    return sum;
  }

  /** The number beside a counter's name in `counter-set: a 1 b 2`. @param {string} value @param {string} name */
  function named(value, name) {
    const words = value.split(/\s+/);
    const at = words.indexOf(name);
    return at < 0 ? null : Number(words[at + 1] ?? 0);
  }

  page.generatedContent = { textOf };
})();
