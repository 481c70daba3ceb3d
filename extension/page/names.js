// @ts-check
// The accessible name of an element: Accessible Name and Description Computation 1.2, steps 2A to 2I. Roles are in roles.js.

(() => {
  const { page } = globalThis.runhome;
  if (page.names) return;
  const { text, tree, visibility, hostNames, generatedContent } = page;

  /**
   * How a node was reached. `root` is the element whose name is wanted; `seen` are the elements read already.
   * @typedef {{root: Element, seen: Set<Node>, direct: boolean, viaReference: boolean, inHidden: boolean}} Walk
   */

  /** What interrupts a line: these boxes are spaced from their neighbours. */
  const IN_LINE = /^(inline|contents|ruby.*)$/;

  /** What is between the tags is there for browsers that do not know the element. */
  const FALLBACK = new Set(["audio", "iframe", "meter", "progress", "video"]);

  /**
   * The accessible name, white space collapsed. Non-breaking spaces stay.
   * @param {Element} element @returns {string}
   */
  function name(element) {
    return text.collapse(alternative(element, begin(element)));
  }

  /** @param {Element} root @returns {Walk} */
  function begin(root) {
    return { root, seen: new Set(), direct: false, viaReference: false, inHidden: false };
  }

  /** @param {string} given */
  function says(given) {
    return text.collapse(given) !== "";
  }

  /** The text alternative of one element on the way. @param {Element} element @param {Walk} walk @returns {string} */
  function alternative(element, walk) {
    if (walk.seen.has(element)) return "";
    const hidden = !walk.inHidden && isHiddenHere(element, walk);
    if (hidden && !walk.direct && element !== walk.root) return isOnlyInvisible(element) ? fromContent(element, walk) : ""; // 2A
    if (hidden && walk.direct) walk = { ...walk, inHidden: true };
    const labelled = walk.viaReference ? "" : fromLabelledBy(element, walk); // 2B
    if (says(labelled)) return labelled;
    walk.seen.add(element);
    const isPart = element !== walk.root && !walk.direct;
    const embedded = element === walk.root ? null : page.embeddedControls.value(element, within(walk), alternative); // 2C
    if (embedded !== null) return embedded;
    const label = element.localName === "slot" ? "" : (element.getAttribute("aria-label") ?? ""); // 2D
    if (says(label)) return label;
    return fromHostLanguage(element, walk, isPart) ?? fromContentOrTooltip(element, walk); // 2E to 2I
  }

  /** For children, their parent's way of being reached is over. @param {Walk} walk @returns {Walk} */
  function within(walk) {
    return walk.direct ? { ...walk, direct: false } : walk;
  }

  /**
   * Inside what is known to be shown, an element's own style is enough to know whether it is shown.
   * @param {Element} element @param {Walk} walk
   */
  function isHiddenHere(element, walk) {
    if (walk.direct || element === walk.root) return visibility.isHiddenFromNames(element);
    if (visibility.NEVER_READ.has(element.localName)) return true;
    if (conceals(element)) return true;
    return !visibility.isRendered(element);
  }

  /** @param {Element} element @param {Walk} walk */
  function fromLabelledBy(element, walk) {
    const parts = tree.referenced(element, "aria-labelledby");
    return parts.map((/** @type {Element} */ part) => readReferenced(part, { ...walk, viaReference: true })).join(" ");
  }

  /** Reads an element that was pointed at: it counts even when it is hidden. @param {Element} element @param {Walk} walk */
  function readReferenced(element, walk) {
    return alternative(element, { ...walk, direct: true, seen: new Set(walk.seen) });
  }

  /** @param {Element} element @param {Walk} walk @param {boolean} isPart @returns {string | null} null: go on */
  function fromHostLanguage(element, walk, isPart) {
    if (page.roles.writtenRole(element) === "none" && page.role(element) === "none") return null;
    const given = hostNames.hostName(element);
    if (!given) return null;
    if ("text" in given) return says(given.text) || element.localName === "img" ? given.text : null;
    if (isPart && given.elements.some((/** @type {Element} */ label) => walk.seen.has(label))) return null;
    const read = given.elements.map((/** @type {Element} */ label) => readReferenced(label, walk)).join(" ");
    return says(read) ? read : null;
  }

  /** @param {Element} element @param {Walk} walk */
  function fromContentOrTooltip(element, walk) {
    const reads = element !== walk.root || page.roleTable.NAMED_BY_CONTENT.has(page.role(element));
    const content = reads ? fromContent(element, within(walk)) : "";
    if (says(content) || (element === walk.root && isNameless(element))) return content;
    return hostNames.tooltip(element) || content;
  }

  /** Plain text may have a tooltip; that describes it and does not name it. @param {Element} element */
  function isNameless(element) {
    const role = page.role(element);
    return page.roleTable.NAMELESS.has(role) || (role === "generic" && page.roleTable.PLAIN.has(element.localName));
  }

  /** Step 2F: what is inside, with generated text around it. @param {Element} element @param {Walk} walk */
  function fromContent(element, walk) {
    if (FALLBACK.has(element.localName)) return "";
    if (!walk.inHidden && getComputedStyle(element).contentVisibility === "hidden") return "";
    let all = generatedContent.textOf(element, "::before");
    for (const child of Array.from(tree.children(element))) all += fromChild(child, element, walk);
    for (const owned of tree.referenced(element, "aria-owns")) {
      if (tree.owner(owned) === element) all += ` ${alternative(owned, walk)} `;
    }
    return all + generatedContent.textOf(element, "::after");
  }

  /** @param {Node} child @param {Element} parent @param {Walk} walk @returns {string} */
  function fromChild(child, parent, walk) {
    const element = /** @type {Element} */ (child);
    if (!walk.inHidden && isInClosedDetails(element, parent)) return "";
    if (child.nodeType === Node.TEXT_NODE) return walk.inHidden || isSeen(parent, walk) ? (child.nodeValue ?? "") : "";
    if (child.nodeType !== Node.ELEMENT_NODE) return "";
    if (element.localName === "br") return " ";
    if (element.id && isOwnedElsewhere(element, parent)) return "";
    if (isBeside(element, parent)) return "";
    const read = alternative(element, walk);
    return isSpaced(element) ? ` ${read} ` : read;
  }

  /** Boxes of their own and pictures part the words beside them, also when they say nothing themselves. @param {Element} element */
  function isSpaced(element) {
    if (element.localName === "img" || element.localName === "svg" || says(element.getAttribute("aria-label") ?? "")) return true;
    const { display } = getComputedStyle(element);
    return display !== "none" && !IN_LINE.test(display);
  }

  /** Said beside the element and not by it: how to read a word, the branches of a tree, a menu that opens. @param {Element} element @param {Element} parent */
  function isBeside(element, parent) {
    if (element.localName === "rt" || element.localName === "rp") return true;
    const written = page.roles.writtenRole(element);
    if (written === "menu") return page.roles.writtenRole(parent) === "menuitem";
    return written === "group" && page.roles.writtenRole(parent) === "treeitem";
  }

  /** Hidden by `visibility` alone: what is inside may be shown again. @param {Element} element */
  function isOnlyInvisible(element) {
    return !visibility.NEVER_READ.has(element.localName) && !conceals(element) && element.checkVisibility();
  }

  /** @param {Element} element */
  function conceals(element) {
    return element.getAttribute("aria-hidden") === "true" || element.hasAttribute("inert");
  }

  /** Whether text directly in the element is shown. A root that is hidden itself is read all the same. @param {Element} element @param {Walk} walk */
  function isSeen(element, walk) {
    return element === walk.root || getComputedStyle(element).visibility === "visible";
  }

  /** @param {Node} child @param {Element} parent */
  function isInClosedDetails(child, parent) {
    return parent.localName === "details" && !parent.hasAttribute("open") && /** @type {Element} */ (child).localName !== "summary";
  }

  /** @param {Element} child @param {Element} parent */
  function isOwnedElsewhere(child, parent) {
    const owner = tree.owner(child);
    return owner !== null && owner !== parent;
  }

  /** Whether ARIA names it: aria-labelledby or aria-label, with something in it. @param {Element} element */
  function hasAriaName(element) {
    return says(fromLabelledBy(element, begin(element))) || says(element.getAttribute("aria-label") ?? "");
  }

  /** Whether its author names it, by ARIA or by a tooltip. @param {Element} element */
  function hasAuthorName(element) {
    return hasAriaName(element) || says(element.getAttribute("title") ?? "");
  }

  page.names = { hasAriaName, hasAuthorName };
  page.name = name;
})();
