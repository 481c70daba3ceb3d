// @ts-check
// The text of an element as a person sees it: through shadow roots and slots, without what is hidden. It matches nothing.

(() => {
  const { page } = globalThis.runhome;
  if (page.renderedText) return;
  const { text, tree, visibility } = page;

  /** @param {Element} element @returns {string} white space collapsed */
  function textOf(element) {
    const whole = isWhole(element) ? /** @type {HTMLElement} */ (element).innerText : throughShadows(element);
    return text.collapse(whole);
  }

  /** Whether the browser's own innerText sees everything in it: HTML without shadow roots or slots. @param {Element} element */
  function isWhole(element) {
    return "innerText" in element && !page.roots.holdsShadow(element) && element.localName !== "slot" && !element.querySelector("slot");
  }

  /** @param {Element} element @returns {string} */
  function throughShadows(element) {
    let all = "";
    for (const child of Array.from(tree.children(element))) {
      if (child.nodeType === Node.TEXT_NODE) all += isSeen(element) ? (child.nodeValue ?? "") : "";
      else if (child.nodeType === Node.ELEMENT_NODE) all += fromChild(/** @type {Element} */ (child));
    }
    return all;
  }

  /** @param {Element} child */
  function fromChild(child) {
    if (visibility.NEVER_READ.has(child.localName)) return "";
    if (child.localName === "br") return "\n";
    const style = getComputedStyle(child);
    if (style.display === "none") return "";
    const inside = throughShadows(child);
    return style.display.startsWith("inline") || style.display === "contents" ? inside : `\n${inside}\n`;
  }

  /** @param {Element} element */
  function isSeen(element) {
    return visibility.isRendered(element);
  }

  page.renderedText = { textOf };
})();
