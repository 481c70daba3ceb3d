// @ts-check
// The composed tree: parents and children as they are shown, across shadow roots, slots and same-origin frames. It judges nothing.

(() => {
  const { page } = globalThis.runhome;
  if (page.tree) return;

  /**
   * The parent as shown: the slot of a slotted node, the host of a shadow root, the frame element of a same-origin document.
   * @param {Node} node @returns {Element | null}
   */
  function parent(node) {
    const slot = /** @type {Element} */ (node).assignedSlot;
    if (slot) return slot;
    const above = node.parentNode;
    if (!above) return null;
    if (above.nodeType === Node.ELEMENT_NODE) return /** @type {Element} */ (above);
    if (above.nodeType === Node.DOCUMENT_FRAGMENT_NODE) return /** @type {ShadowRoot} */ (above).host ?? null;
    return frameOf(/** @type {Document} */ (above));
  }

  /** The element in which a document of our own origin is shown. @param {Document} document @returns {Element | null} */
  function frameOf(document) {
    try {
      return document.defaultView?.frameElement ?? null;
    } catch {
      return null; // the parent is of another origin
    }
  }

  /** The document inside a frame element, null when it is of another origin. @param {Element} frame @returns {Document | null} */
  function documentIn(frame) {
    try {
      return /** @type {HTMLIFrameElement} */ (frame).contentDocument ?? null;
    } catch {
      return null;
    }
  }

  /** The child nodes as shown: of the shadow root, or what is assigned to a slot. @param {Element} element @returns {ArrayLike<Node>} */
  function children(element) {
    if (element.shadowRoot) return element.shadowRoot.childNodes;
    if (element.localName === "slot" && element.getRootNode().nodeType === Node.DOCUMENT_FRAGMENT_NODE) {
      const assigned = /** @type {HTMLSlotElement} */ (element).assignedNodes();
      if (assigned.length) return assigned;
    }
    return element.childNodes;
  }

  /** The element itself and everything above it, nearest first. @param {Element} element @returns {Generator<Element>} */
  function* upwards(element) {
    for (let at = /** @type {Element | null} */ (element); at; at = parent(at)) yield at;
  }

  /** Whether `inner` is shown inside `outer`, or is it. @param {Element} outer @param {Element} inner */
  function contains(outer, inner) {
    if (outer.contains(inner)) return true;
    for (const at of upwards(inner)) if (at === outer) return true;
    return false;
  }

  /** The document or shadow root in which ids of this element's references are looked up. @param {Node} node @returns {Document | ShadowRoot | null} */
  function rootOf(node) {
    const root = node.getRootNode();
    return "getElementById" in root ? /** @type {Document | ShadowRoot} */ (root) : null;
  }

  /** Elements named by an attribute that holds ids; missing ids are passed over. @param {Element} element @param {string} attribute @returns {Element[]} */
  function referenced(element, attribute) {
    const ids = element.getAttribute(attribute);
    if (!ids) return [];
    const root = rootOf(element);
    return ids.split(/[ \t\n\f\r]+/).flatMap((id) => (id && root?.getElementById(id)) || []);
  }

  /** The element that takes this one as its child by aria-owns. The first one in the document wins. @param {Element} element @returns {Element | null} */
  function owner(element) {
    if (!element.id) return null;
    const owning = rootOf(element)?.querySelector(`[aria-owns~="${CSS.escape(element.id)}"]`) ?? null;
    return owning && !element.contains(owning) ? owning : null;
  }

  /** The chain of elements that lead from the outermost document to `element`, outermost first. @param {Element} element @returns {Element[]} */
  function entrances(element) {
    /** @type {Element[]} */
    const chain = [element];
    for (let root = element.getRootNode(); ; root = chain[0].getRootNode()) {
      const entrance = "host" in root ? /** @type {ShadowRoot} */ (root).host : frameOf(/** @type {Document} */ (root));
      if (!entrance) return chain;
      chain.unshift(entrance);
    }
  }

  /** Sorts by place in the page, also across roots. @param {Element} a @param {Element} b */
  function inOrder(a, b) {
    if (a === b) return 0;
    const [left, right] = [entrances(a), entrances(b)];
    let i = 0;
    while (i < left.length && i < right.length && left[i] === right[i]) i += 1;
    if (i === left.length) return -1;
    if (i === right.length) return 1;
    return left[i].compareDocumentPosition(right[i]) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  }

  page.tree = { parent, children, upwards, contains, rootOf, referenced, owner, inOrder, frameOf, documentIn };
})();
