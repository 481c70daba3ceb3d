// @ts-check
// Which <label> elements belong to which control. One look per root and change: `control.labels` walks the whole page each time.

(() => {
  const { page } = globalThis.runhome;
  if (page.labels) return;

  /** @typedef {{version: number, ofControl: Map<Element, HTMLLabelElement[]>}} Index */

  /** @type {WeakMap<Node, Index>} */
  const indexes = new WeakMap();

  /** The labels of a control, in the order of the page. @param {Element} control @returns {HTMLLabelElement[]} */
  function of(control) {
    const root = page.tree.rootOf(control);
    return root ? (ofRoot(root).get(control) ?? []) : [];
  }

  /** Every labelled control of a root, with its labels. @param {Document | ShadowRoot} root @returns {Index["ofControl"]} */
  function ofRoot(root) {
    const version = page.roots.now();
    const kept = indexes.get(root);
    if (kept && kept.version === version) return kept.ofControl;
    /** @type {Index["ofControl"]} */
    const ofControl = new Map();
    for (const label of root.querySelectorAll("label")) {
      const control = label.control;
      if (control) ofControl.set(control, [...(ofControl.get(control) ?? []), label]);
    }
    indexes.set(root, { version, ofControl });
    return ofControl;
  }

  page.labels = { of, ofRoot };
})();
