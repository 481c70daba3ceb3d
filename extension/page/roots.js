// @ts-check
// Every document and open shadow root that can be seen from this one, kept up to date as the page changes. It searches nothing.
//
// 1. When the page scripts come, every element is walked once: there is no other way to learn which have a shadow root.
// 2. From then on one MutationObserver over all roots reports what was added; only that is walked.
// 3. attachShadow() makes no mutation. So before every search custom elements and empty elements are asked again
//    (`catchLate`); whatever else got a root late is found by `rescan`, which a search does before it says "nothing".

(() => {
  const { page } = globalThis.runhome;
  if (page.roots) return;

  /** @typedef {Document | ShadowRoot} Root */

  /** Roots in the order in which they were found. @type {Set<Root>} */
  const known = new Set();
  /** Elements that had no shadow root yet when they were seen, and look as if they may get one. @type {Set<Element>} */
  const mayHost = new Set();
  /** @type {Set<() => void>} */
  const watchers = new Set();
  let version = 0;

  /** HTML elements that can be given a shadow root. */
  const HOSTS = new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));

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
      if (record.removedNodes.length && isLikelyHost(record.target)) mayHost.add(/** @type {Element} */ (record.target));
    }
    for (const node of added) {
      if (!added.has(/** @type {Node} */ (node.parentNode)) && node.isConnected) scan(node);
    }
  }

  /** @param {Root} root */
  function add(root) {
    if (known.has(root)) return;
    known.add(root);
    version += 1;
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const event of TELLING_EVENTS) root.addEventListener(event, changed, { capture: true, passive: true });
    scan(root);
  }

  /** Adds the shadow roots in `top`, itself included. @param {Node} top */
  function scan(top) {
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT);
    for (let node = /** @type {Node | null} */ (top); node; node = walker.nextNode()) {
      const element = /** @type {Element} */ (node);
      if (element.shadowRoot) add(element.shadowRoot);
      else if (isLikelyHost(element)) mayHost.add(element);
    }
  }

  /** A custom element, or one with nothing of its own to show. @param {Node} node */
  function isLikelyHost(node) {
    const name = /** @type {Element} */ (node).localName ?? "";
    return node.firstChild === null ? HOSTS.has(name) || name.includes("-") : name.includes("-");
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

  /** Looks where a shadow root most likely came without a mutation. */
  function catchLate() {
    all();
    for (const element of mayHost) {
      if (element.shadowRoot) add(element.shadowRoot);
      if (element.shadowRoot || !element.isConnected) mayHost.delete(element);
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
    dropGone();
    addFrames();
    return [...known];
  }

  /** Walks everything again, for shadow roots that came without a mutation. */
  function rescan() {
    for (const root of all()) scan(root);
    addFrames();
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
  page.roots = { holdsShadow, all, catchLate, rescan, now, watch };
})();
