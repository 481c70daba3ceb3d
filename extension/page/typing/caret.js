// @ts-check
// Focus and selection as an editor learns of them: moved, and announced by hand where the browser stays silent.

(() => {
  const { page } = globalThis.runhome;

  /** Elements that were told of a focus which the browser does not announce (the window itself has none). */
  const told = new WeakSet();

  /** @param {HTMLElement} element */
  function focus(element) {
    const before = deepActive(element.ownerDocument);
    let heard = false;
    const hear = () => {
      heard = true;
    };
    element.addEventListener("focus", hear, { capture: true, once: true });
    element.focus({ preventScroll: true });
    element.removeEventListener("focus", hear, { capture: true });
    if (heard || element.ownerDocument.hasFocus()) return;
    if (before === element && told.has(element)) return;
    if (before && before !== element && told.delete(before)) tell(before, ["blur", "focusout"]);
    told.add(element);
    tell(element, ["focus", "focusin"]);
  }

  /** @param {HTMLElement} element */
  function blur(element) {
    const silent = !element.ownerDocument.hasFocus();
    element.blur();
    if (silent && told.delete(element)) tell(element, ["blur", "focusout"]);
  }

  /** @param {Element} element @param {[string, string]} names the one that stays, the one that bubbles */
  function tell(element, [own, bubbling]) {
    element.dispatchEvent(new FocusEvent(own, { composed: true }));
    element.dispatchEvent(new FocusEvent(bubbling, { bubbles: true, composed: true }));
  }

  /** @param {Document} document */
  function deepActive(document) {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active;
  }

  /** @param {HTMLElement} host */
  function selectAll(host) {
    const selection = /** @type {Selection} */ (host.ownerDocument.getSelection());
    selection.setBaseAndExtent(host, 0, host, host.childNodes.length);
    announce(host);
  }

  /** @param {HTMLElement} host */
  function toEnd(host) {
    const selection = /** @type {Selection} */ (host.ownerDocument.getSelection());
    const [node, offset] = lastPosition(host);
    selection.collapse(node, offset);
    announce(host);
  }

  /** @param {Node} host @returns {[Node, number]} */
  function lastPosition(host) {
    /** @type {Node} */
    let node = host;
    while (lastEditable(node)) node = /** @type {Node} */ (lastEditable(node));
    if (node.nodeType === Node.TEXT_NODE) return [node, /** @type {Text} */ (node).data.length];
    if (node !== host && isVoid(node)) {
      const parent = /** @type {Node} */ (node.parentNode);
      const index = [...parent.childNodes].indexOf(/** @type {ChildNode} */ (node));
      return [parent, node.nodeName === "BR" ? index : index + 1];
    }
    return [node, node.childNodes.length];
  }

  /** @param {Node} node */
  function lastEditable(node) {
    let last = node.lastChild;
    while (last && !(last.nodeType === Node.TEXT_NODE || isEditable(last))) last = last.previousSibling;
    return last;
  }

  /** @param {Node} node */
  function isEditable(node) {
    return node.nodeType === Node.ELEMENT_NODE && /** @type {HTMLElement} */ (node).isContentEditable;
  }

  /** @param {Node} node */
  function isVoid(node) {
    return /^(BR|IMG|HR|INPUT|VIDEO|EMBED|OBJECT)$/.test(node.nodeName);
  }

  /** The browser tells of a new selection a task later; editors that work at once must know it now. @param {HTMLElement} host */
  function announce(host) {
    host.ownerDocument.dispatchEvent(new Event("selectionchange"));
  }

  page.caret = { focus, blur, selectAll, toEnd, deepActive };
})();
