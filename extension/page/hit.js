// @ts-check
// Where on an element a pointer would land, and what lies above it. It scrolls, and touches nothing else.

(() => {
  const { page } = globalThis.runhome;

  /** @typedef {{x: number, y: number, hit: Element}} Spot */

  /** Parts of the box where to try: the middle first, then around it. */
  const TRIES = [
    [0.5, 0.5],
    [0.25, 0.5],
    [0.75, 0.5],
    [0.5, 0.2],
    [0.5, 0.8],
    [0.1, 0.1],
    [0.9, 0.9],
  ];

  /**
   * @param {Element} element scrolled into view where it is not
   * @returns {{spot: Spot | null, cover: Element | null}} cover: what a pointer would land on instead (null: nothing, it lies outside)
   */
  function find(element) {
    bringIntoView(element);
    let cover = null;
    for (const box of boxes(element)) {
      for (const [across, down] of TRIES) {
        const [x, y] = [box.left + box.width * across, box.top + box.height * down];
        const hit = deepest(element.ownerDocument, x, y);
        if (hit && belongs(hit, element)) return { spot: { x, y, hit }, cover: null };
        cover ??= hit;
      }
    }
    return { spot: null, cover };
  }

  /** A link over two lines has two boxes, and nothing in between. @param {Element} element */
  function boxes(element) {
    const all = [...element.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
    if (all.length) return all;
    return [...element.children]
      .flatMap((child) => [...child.getClientRects()])
      .filter((box) => box.width > 0 && box.height > 0);
  }

  /** @param {Element} element */
  function bringIntoView(element) {
    const window = /** @type {Window} */ (element.ownerDocument.defaultView);
    const box = element.getBoundingClientRect();
    const inside = box.top >= 0 && box.left >= 0 && box.bottom <= window.innerHeight && box.right <= window.innerWidth;
    if (inside && deepest(element.ownerDocument, box.left + box.width / 2, box.top + box.height / 2) === element)
      return;
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  }

  /** @param {Document} document @param {number} x @param {number} y */
  function deepest(document, x, y) {
    let hit = document.elementFromPoint(x, y);
    for (let inner = hit; inner?.shadowRoot;) {
      inner = inner.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  }

  /** The element, something in it, or the label that stands for it. @param {Element} hit @param {Element} element */
  function belongs(hit, element) {
    const labels = /** @type {HTMLInputElement} */ (element).labels ?? [];
    const stands = new Set([element, ...labels]);
    for (let node = /** @type {Node | null} */ (hit); node; node = parent(node)) {
      if (stands.has(/** @type {any} */ (node))) return true;
    }
    return false;
  }

  /** In the tree as it is drawn: slots, then shadow hosts. @param {Node} node @returns {Node | null} */
  function parent(node) {
    return (
      /** @type {Element} */ (node).assignedSlot ?? node.parentNode ?? /** @type {ShadowRoot} */ (node).host ?? null
    );
  }

  page.hit = { find };
})();
