// @ts-check
// Whether a person can see and reach an element, and if not, why. It knows nothing of roles and names.

(() => {
  const { page } = globalThis.runhome;
  if (page.visibility) return;
  const { tree } = page;

  /** The part of the window's width and of its height that a curtain covers at least. */
  const CURTAIN = 0.9;

  /** Never shown, even where a hidden subtree is read on purpose. */
  const NEVER_READ = new Set(["script", "style", "template", "noscript", "head", "link", "meta", "base", "datalist"]);

  /**
   * Whether it is rendered at all: display, visibility, content-visibility, closed <details>, light children without a slot.
   * @param {Element} element @returns {boolean}
   */
  function isRendered(element) {
    if (element.checkVisibility({ visibilityProperty: true })) return true;
    const holder = element.closest("select, map");
    if (holder && holder !== element) return isRendered(holder) && getComputedStyle(element).display !== "none";
    return isBoxless(element);
  }

  /** An element with display: contents has no box of its own; what is above it decides. @param {Element} element @returns {boolean} */
  function isBoxless(element) {
    if (!element.isConnected) return false;
    const style = getComputedStyle(element);
    if (style.display !== "contents" || style.visibility !== "visible") return false;
    const above = tree.parent(element);
    return !above || above.checkVisibility({ visibilityProperty: false }) || isBoxless(above);
  }

  /**
   * Hidden from everyone or from assistive technology (accname 1.2, step 2A).
   * @param {Element} element
   */
  function isHiddenFromNames(element) {
    return NEVER_READ.has(element.localName) || !isRendered(element) || Boolean(concealer(element));
  }

  /** The nearest element that hides this one by aria-hidden or inert. @param {Element} element @returns {Element | null} */
  function concealer(element) {
    for (const at of tree.upwards(element)) {
      if (at.getAttribute("aria-hidden") === "true" || at.hasAttribute("inert")) return at;
    }
    return null;
  }

  /** @param {Element} element */
  function hasSize(element) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.height > 0) return true;
    if (element.localName === "option" || element.localName === "optgroup" || element.localName === "area") return true;
    // A box of nothing may still show what overflows it.
    if (getComputedStyle(element).display !== "contents" && getComputedStyle(element).overflow !== "visible") return false;
    return Array.from(tree.children(element)).some(childHasSize);
  }

  /** @param {Node} node */
  function childHasSize(node) {
    if (node.nodeType === Node.ELEMENT_NODE) return isRendered(/** @type {Element} */ (node)) && hasSize(/** @type {Element} */ (node));
    if (node.nodeType !== Node.TEXT_NODE || !node.nodeValue?.trim()) return false;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  }

  /**
   * Whether something around it that has no size and cuts what overflows shows nothing of it (lists for screen readers).
   * @param {Element} element
   */
  function isCutAway(element) {
    let position = getComputedStyle(element).position;
    for (let at = tree.parent(element); at && position !== "fixed"; at = tree.parent(at)) {
      const { width, height, overflow, display, position: own } = getComputedStyle(at);
      const holds = position !== "absolute" || own !== "static";
      const empty = parseFloat(width) === 0 || parseFloat(height) === 0;
      if (holds && empty && overflow !== "visible" && display !== "contents" && display !== "inline") return true;
      if (holds) position = own;
    }
    return false;
  }

  /** @type {{version: number, dialogs: Element[]}} */
  let open = { version: -1, dialogs: [] };

  /** Modal dialogs that are open now, by showModal() or by `aria-modal`. @returns {Element[]} */
  function openModals() {
    const version = page.roots.now();
    if (open.version !== version) {
      const roots = /** @type {ParentNode[]} */ (page.roots.all());
      open = { version, dialogs: roots.flatMap((root) => [...root.querySelectorAll("dialog:modal, [aria-modal=true]")]) };
    }
    return open.dialogs;
  }

  /**
   * The modal dialog that makes this element unreachable: a <dialog> shown with showModal(), or an open `aria-modal` dialog
   * that lies over it.
   * @param {Element} element @returns {Element | null}
   */
  function modalOver(element) {
    const dialogs = openModals();
    if (!dialogs.length) return null;
    if (dialogs.some((dialog) => tree.contains(dialog, element))) return innerModal(dialogs, element);
    return dialogs.find((dialog) => (dialog.matches(":modal") ? sharesWindow(dialog, element) : liesOver(dialog, element))) ?? null;
  }

  /** A modal opened from within the modal that holds the element. @param {Element[]} dialogs @param {Element} element */
  function innerModal(dialogs, element) {
    const holders = dialogs.filter((dialog) => tree.contains(dialog, element));
    const inner = (/** @type {Element} */ dialog) =>
      dialog.matches(":modal") && !tree.contains(dialog, element) && holders.some((holder) => tree.contains(holder, dialog));
    return dialogs.find(inner) ?? null;
  }

  /** A modal dialog makes its own document inert, and every frame in it. @param {Element} dialog @param {Element} element */
  function sharesWindow(dialog, element) {
    return tree.contains(dialog.ownerDocument.documentElement, element);
  }

  /** @param {Element} dialog @param {Element} element */
  function liesOver(dialog, element) {
    if (!isRendered(dialog) || !hasSize(dialog)) return false;
    const box = element.getBoundingClientRect();
    const root = tree.rootOf(element);
    const hit = root?.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!hit || tree.contains(element, hit) || tree.contains(hit, element)) return false;
    return tree.contains(dialog, hit) || tree.contains(hit, dialog) || fillsWindow(hit);
  }

  /** As the curtain behind a dialog does; what covers less may be a small popup that calls itself modal. @param {Element} element */
  function fillsWindow(element) {
    const { width, height } = element.getBoundingClientRect();
    const window = /** @type {Window} */ (element.ownerDocument.defaultView);
    return width >= window.innerWidth * CURTAIN && height >= window.innerHeight * CURTAIN;
  }

  /**
   * Why a person cannot see or reach the element, in a few words; null when they can.
   * @param {Element} element @returns {string | null}
   */
  function whyHidden(element) {
    if (!element.isConnected) return "not in the page any more";
    if (!isRendered(element)) return `hidden (${renderingReason(element)})`;
    const by = concealer(element);
    if (by) return by.hasAttribute("inert") ? "hidden (inert)" : "hidden (aria-hidden)";
    if (!hasSize(element) || isCutAway(element)) return "hidden (no size)";
    for (let frame = tree.frameOf(element.ownerDocument); frame; frame = tree.frameOf(frame.ownerDocument)) {
      if (!isRendered(frame)) return "hidden (in a hidden frame)";
    }
    const dialog = modalOver(element);
    return dialog ? "hidden (behind an open dialog)" : null;
  }

  /** @param {Element} element */
  function renderingReason(element) {
    for (const at of tree.upwards(element)) {
      const above = tree.parent(at);
      if (above?.localName === "details" && !above.hasAttribute("open") && at.localName !== "summary") return "in a closed <details>";
      const style = getComputedStyle(at);
      if (style.display === "none") return "display: none";
      if (at !== element && style.contentVisibility === "hidden") return "content-visibility: hidden";
    }
    return ["hidden", "collapse"].includes(getComputedStyle(element).visibility) ? "visibility: hidden" : "not rendered";
  }

  /** @param {Element} element */
  function isVisible(element) {
    return whyHidden(element) === null;
  }

  page.visibility = { isRendered, isHiddenFromNames, whyHidden, NEVER_READ };
  page.isVisible = isVisible;
})();
