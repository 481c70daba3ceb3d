// @ts-check
// The smallest elements that hold a text. It goes down only where the text is; roles and names are not its business.

(() => {
  const { page } = globalThis.runhome;
  if (page.textSearch) return;
  const { roots, text, tree, visibility } = page;

  const VALUE_BUTTONS = "input[type=submit],input[type=button],input[type=reset]";

  /** What was found since the page last changed. @type {{version: number, found: Map<string, Element[]>}} */
  let kept = { version: -1, found: new Map() };

  /**
   * Elements whose written text may hold the pattern, none of which holds another one.
   * @param {string | RegExp} pattern @returns {Element[]}
   */
  function smallest(pattern) {
    if (kept.version !== roots.now()) kept = { version: roots.now(), found: new Map() };
    const key = String(pattern) + typeof pattern;
    const known = kept.found.get(key);
    if (known) return known;
    const found = look(pattern);
    kept.found.set(key, found);
    return found;
  }

  /** @param {string | RegExp} pattern @returns {Element[]} */
  function look(pattern) {
    const test = typeof pattern === "string" ? text.mayHold(pattern) : pattern;
    /** @type {Set<Element>} */
    const found = new Set();
    for (const root of roots.all()) {
      for (const top of root.children) descend(top, test, found);
      for (const button of root.querySelectorAll(VALUE_BUTTONS)) {
        if (test.test(/** @type {HTMLInputElement} */ (button).value)) found.add(button);
      }
    }
    return [...found];
  }

  /** @param {Element} element @param {{test: (text: string) => boolean}} test @param {Set<Element>} found @returns {boolean} */
  function descend(element, test, found) {
    if (visibility.NEVER_READ.has(element.localName) || !test.test(element.textContent ?? "")) return false;
    let inside = false;
    for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
      if (descend(child, test, found)) inside = true;
    }
    if (!inside) found.add(element);
    return true;
  }

  /**
   * The same by what is shown instead of what is written: text that runs through slots and shadow roots, or around hidden
   * parts, or in rare forms of characters. Slow; for when nothing else was found.
   * @param {string | RegExp} pattern @returns {Element[]}
   */
  function smallestShown(pattern) {
    const wanted = typeof pattern === "string" ? text.squash(pattern) : null;
    const holds = (/** @type {string} */ there) => (wanted === null ? /** @type {RegExp} */ (pattern).test(text.collapse(there)) : text.squash(there).includes(wanted));
    /** @type {Element[]} */
    const found = [];
    for (const root of roots.all()) {
      if (!("host" in root) && root.documentElement) readShown(root.documentElement, holds, found);
    }
    return found;
  }

  /**
   * @param {Element} element @param {(there: string) => boolean} holds @param {Element[]} found
   * @returns {{shown: string, held: boolean}}
   */
  function readShown(element, holds, found) {
    if (visibility.NEVER_READ.has(element.localName)) return { shown: "", held: false };
    const style = getComputedStyle(element);
    if (style.display === "none") return { shown: "", held: false };
    let shown = "";
    let held = false;
    for (const child of Array.from(tree.children(element))) {
      if (child.nodeType === Node.TEXT_NODE) shown += style.visibility === "visible" ? (child.nodeValue ?? "") : "";
      if (child.nodeType !== Node.ELEMENT_NODE) continue;
      const inner = readShown(/** @type {Element} */ (child), holds, found);
      shown += inner.shown;
      held ||= inner.held;
    }
    if (!held && shown.trim() && holds(shown)) {
      found.push(element);
      held = true;
    }
    return { shown: style.display.startsWith("inline") || style.display === "contents" ? shown : `\n${shown}\n`, held };
  }

  page.textSearch = { smallest, smallestShown };
})();
