// @ts-check
// Every document and open shadow root that can be seen from this one, kept up to date as the page changes. It searches nothing.
//
// 1. When the page scripts come, every element is walked once: there is no other way to learn which have a shadow root.
// 2. From then on one MutationObserver over all roots reports what was added; only that is walked.
// 3. attachShadow() makes no mutation. Elements that wait for their definition are asked again each time; an element that
//    gets a root long after it was added is found by `rescan()`, which a search does before it says "nothing".

(() => {
  const { page } = globalThis.runhome;
  if (page.roots) return;

  /** @typedef {Document | ShadowRoot} Root */

  /** Roots in the order in which they were found. @type {Set<Root>} */
  const known = new Set();
  /** Custom elements that were not defined yet when they were seen. @type {Set<Element>} */
  const undefinedYet = new Set();
  /** @type {Set<() => void>} */
  const watchers = new Set();
  let version = 0;

  /** What may change a name or what is shown without a mutation. */
  const TELLING_EVENTS = ["load", "toggle", "transitionend", "animationend", "input", "change", "resize", "slotchange"];

  const observer = new MutationObserver((records) => {
    take(records);
    changed();
  });

  function changed() {
    version += 1;
    for (const watcher of [...watchers]) watcher();
  }

  /** A parser adds element by element: what was added inside something added is walked with it. @param {MutationRecord[]} records */
  function take(records) {
    /** @type {Set<Node>} */
    const added = new Set();
    for (const record of records) {
      for (const node of record.addedNodes) if (node.nodeType === Node.ELEMENT_NODE) added.add(node);
    }
    for (const node of added) {
      if (!added.has(/** @type {Node} */ (node.parentNode)) && node.isConnected) scan(node);
    }
  }

  /** @param {Root} root */
  function add(root) {
    if (known.has(root)) return;
    known.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const event of TELLING_EVENTS) root.addEventListener(event, changed, { capture: true, passive: true });
    scan(root);
  }

  /** Adds the shadow roots in `top`, itself included. @param {Node} top */
  function scan(top) {
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT);
    for (let node = /** @type {Node | null} */ (top); node; node = walker.nextNode()) {
      const shadow = /** @type {Element} */ (node).shadowRoot;
      if (shadow) add(shadow);
    }
    if (top.nodeType === Node.ELEMENT_NODE && /** @type {Element} */ (top).matches(":not(:defined)")) {
      undefinedYet.add(/** @type {Element} */ (top));
    }
    for (const element of /** @type {ParentNode} */ (/** @type {unknown} */ (top)).querySelectorAll(":not(:defined)")) {
      undefinedYet.add(element);
    }
  }

  function dropGone() {
    for (const root of known) {
      const gone = "host" in root ? !root.host.isConnected || root.host.shadowRoot !== root : !isShown(root);
      if (!gone) continue;
      known.delete(root);
      for (const event of TELLING_EVENTS) root.removeEventListener(event, changed, { capture: true });
    }
  }

  /** @param {Document} other */
  function isShown(other) {
    if (other === document) return true;
    const frame = page.tree.frameOf(other);
    return Boolean(frame?.isConnected) && page.tree.documentIn(frame) === other;
  }

  function addUpgraded() {
    for (const element of undefinedYet) {
      if (element.shadowRoot) add(element.shadowRoot);
      if (!element.isConnected || element.matches(":defined")) undefinedYet.delete(element);
    }
  }

  /** A frame that navigates gets a new document without a mutation in ours. */
  function addFrames() {
    for (const root of known) {
      for (const frame of root.querySelectorAll("iframe, frame, object")) {
        const inside = page.tree.documentIn(frame);
        if (inside?.documentElement) add(inside);
      }
    }
  }

  function catchUp() {
    const records = observer.takeRecords();
    if (!records.length) return;
    take(records);
    changed();
  }

  /** All roots of now, this document first. @returns {Root[]} */
  function all() {
    catchUp();
    add(document);
    addUpgraded();
    dropGone();
    addFrames();
    return [...known];
  }

  /** Walks everything again, for shadow roots that came without a mutation. @returns {boolean} whether any was found */
  function rescan() {
    const before = known.size;
    for (const root of all()) scan(root);
    addFrames();
    if (known.size === before) return false;
    version += 1;
    return true;
  }

  /** A number that grows whenever anything was seen to change; cheap. */
  function now() {
    if (!known.size) all();
    catchUp();
    return version;
  }

  /**
   * Calls `watcher` after changes (as a microtask: often; do little). @param {() => void} watcher
   * @returns {() => void} stops it
   */
  function watch(watcher) {
    all();
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }

  /** @type {{version: number, elements: Set<Node>}} */
  let holders = { version: -1, elements: new Set() };

  /** Whether the element has a shadow root, or an element inside it (in the same root) has one. @param {Element} element */
  function holdsShadow(element) {
    if (holders.version !== version) holders = { version, elements: aboveHosts() };
    return holders.elements.has(element);
  }

  function aboveHosts() {
    /** @type {Set<Node>} */
    const elements = new Set();
    for (const root of known) {
      if (!("host" in root)) continue;
      for (let at = /** @type {Node | null} */ (root.host); at && !elements.has(at); at = at.parentNode) elements.add(at);
    }
    return elements;
  }

  all();
  page.roots = { holdsShadow, all, rescan, now, watch };
})();
