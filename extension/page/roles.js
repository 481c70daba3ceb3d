// @ts-check
// The role of an element by WAI-ARIA, HTML-AAM and SVG-AAM. The tables are in role_table.js, the names in names.js.

(() => {
  const { page } = globalThis.runhome;
  if (page.roles) return;
  const { tree, roleTable } = page;

  const SECTIONING = new Set(["article", "aside", "nav", "section"]);
  const SECTIONING_ROLES = new Set(["article", "complementary", "navigation", "region"]);

  /**
   * The role as a browser would compute it; "generic" where there is none, "image" and "none" for img and presentation.
   * @param {Element} element @returns {string}
   */
  function role(element) {
    const explicit = explicitRole(element);
    return explicit ?? nativeRole(element);
  }

  /** The first token of the role attribute that counts here. @param {Element} element @returns {string | null} */
  function explicitRole(element) {
    const tokens = element.getAttribute("role");
    if (!tokens) return null;
    for (const token of tokens.toLowerCase().split(/[ \t\n\f\r]+/)) {
      if (!roleTable.KNOWN.has(token)) continue;
      const name = roleTable.SYNONYMS[token] ?? token;
      if (name === "none" && overrulesNone(element)) return null;
      if (countsHere(element, name)) return name;
    }
    return null;
  }

  /** The first token that is a role at all, whatever is around it: what the author wrote. @param {Element} element @returns {string | null} */
  function writtenRole(element) {
    const token = element.getAttribute("role")?.toLowerCase().split(/[ \t\n\f\r]+/).find((word) => roleTable.KNOWN.has(word));
    return token ? (roleTable.SYNONYMS[token] ?? token) : null;
  }

  /** @param {Element} element @param {string} name */
  function countsHere(element, name) {
    if (name === "form" || name === "region") return page.names.hasAuthorName(element);
    return !roleTable.PARENTS[name] || hasParent(element, name);
  }

  /** Whether the accessibility parent has a role that `name` needs. @param {Element} element @param {string} name */
  function hasParent(element, name) {
    const wanted = roleTable.PARENTS[name];
    const between = roleTable.BETWEEN[name] ?? [];
    for (let at = accessibilityParent(element); at; at = accessibilityParent(at)) {
      const above = role(at);
      if (wanted.includes(above)) return true;
      if (above !== "generic" && above !== "none" && !between.includes(above)) return false;
    }
    return false;
  }

  /** @param {Element} element @returns {Element | null} */
  function accessibilityParent(element) {
    return tree.owner(element) ?? parentHere(element);
  }

  /** The parent as shown, in the same document: what is around a frame says nothing about what is in it. @param {Element} element */
  function parentHere(element) {
    return element.parentNode?.nodeType === Node.DOCUMENT_NODE ? null : tree.parent(element);
  }

  /** Presentational roles conflict resolution: what can take focus or has a global attribute is not "none". @param {Element} element */
  function overrulesNone(element) {
    return isFocusable(element) || roleTable.GLOBAL_ATTRIBUTES.some((/** @type {string} */ name) => element.hasAttribute(name));
  }

  /** @param {Element} element */
  function isFocusable(element) {
    if (element.hasAttribute("tabindex") && !Number.isNaN(Number.parseInt(element.getAttribute("tabindex") ?? "", 10))) return true;
    if (element.hasAttribute("disabled")) return false;
    if (element.matches("a[href], area[href], audio[controls], video[controls], iframe, summary")) return true;
    if (element.matches("button, select, textarea, input:not([type=hidden])")) return true;
    return element.getAttribute("contenteditable") === "" || element.getAttribute("contenteditable") === "true";
  }

  /** The role an element has by itself. @param {Element} element @returns {string} */
  function nativeRole(element) {
    if (element.namespaceURI === "http://www.w3.org/2000/svg") return svgRole(element);
    const simple = roleTable.HTML[element.localName];
    if (simple) return simple;
    return CONTEXTUAL[element.localName]?.(element) ?? "generic";
  }

  /** HTML elements whose role depends on attributes, names or what is around them. @type {Record<string, (element: any) => string>} */
  const CONTEXTUAL = {
    a: (element) => (element.hasAttribute("href") ? "link" : "generic"),
    area: (element) => (element.hasAttribute("href") ? "link" : "generic"),
    aside: (element) => (isTopLevel(element, false) || page.names.hasAuthorName(element) ? "complementary" : "generic"),
    footer: (element) => (isTopLevel(element, true) ? "contentinfo" : "sectionfooter"),
    form: () => "form",
    header: (element) => (isTopLevel(element, true) ? "banner" : "sectionheader"),
    img: imageRole,
    input: inputRole,
    li: (element) => (hasParent(element, "listitem") ? "listitem" : "generic"),
    section: (element) => (page.names.hasAuthorName(element) ? "region" : "generic"),
    select: (element) => (element.multiple || element.size > 1 ? "listbox" : "combobox"),
    summary: (element) => (element.parentElement?.localName === "details" && element.matches("summary:first-of-type") ? "button" : "generic"),
    tbody: (element) => tablePart(element, "rowgroup"),
    td: (element) => tablePart(element, isInGrid(element) ? "gridcell" : "cell"),
    tfoot: (element) => tablePart(element, "rowgroup"),
    th: (element) => tablePart(element, headerRole(element)),
    thead: (element) => tablePart(element, "rowgroup"),
    tr: (element) => tablePart(element, "row"),
  };

  /** An image with an empty alt is decoration unless ARIA names it or it can take focus. @param {HTMLImageElement} element */
  function imageRole(element) {
    if (element.getAttribute("alt") !== "") return "image";
    return page.names.hasAriaName(element) || element.hasAttribute("tabindex") ? "image" : "none";
  }

  /** @param {HTMLInputElement} element */
  function inputRole(element) {
    const type = element.type;
    if (type === "checkbox" && element.hasAttribute("switch")) return "switch";
    const suggests = element.hasAttribute("list") && tree.referenced(element, "list").some((/** @type {Element} */ list) => list.localName === "datalist");
    if (suggests && ["text", "search", "tel", "url", "email"].includes(type)) return "combobox";
    return roleTable.INPUT[type] ?? "textbox";
  }

  /** Not inside sectioning content (nor, where asked, <main>), by element or by role. @param {Element} element @param {boolean} alsoMain */
  function isTopLevel(element, alsoMain) {
    for (let at = parentHere(element); at; at = parentHere(at)) {
      const written = writtenRole(at);
      if (written ? SECTIONING_ROLES.has(written) || (alsoMain && written === "main") : SECTIONING.has(at.localName)) return false;
      if (!written && alsoMain && at.localName === "main") return false;
    }
    return true;
  }

  /** A part of a table that is only layout is only layout. @param {Element} element @param {string} name */
  function tablePart(element, name) {
    const table = element.closest("table");
    return table && explicitRole(table) !== "none" && isTableLike(table) ? name : "generic";
  }

  /** @param {Element} table */
  function isTableLike(table) {
    return ["table", "grid", "treegrid"].includes(role(table));
  }

  /** @param {Element} cell */
  function isInGrid(cell) {
    const table = cell.closest("table");
    return table !== null && ["grid", "treegrid"].includes(role(table));
  }

  /** A header of its column or of its row (HTML, "forming relationships between data cells and header cells"). @param {Element} cell */
  function headerRole(cell) {
    const scope = cell.getAttribute("scope")?.toLowerCase();
    if (scope === "row" || scope === "rowgroup") return "rowheader";
    if (scope === "col" || scope === "colgroup") return "columnheader";
    const cells = [...(cell.parentElement?.children ?? [])];
    return cells.some((other) => other.localName === "td") && !cell.closest("thead") ? "rowheader" : "columnheader";
  }

  /** @param {Element} element */
  function svgRole(element) {
    const tag = element.localName;
    if (tag === "a") return element.hasAttribute("href") || element.hasAttribute("xlink:href") ? "link" : isMarked(element) ? "group" : "generic";
    if (tag === "image" && hasEmptyTitle(element)) return "none";
    if (roleTable.SVG[tag]) return roleTable.SVG[tag];
    return roleTable.SVG_WHEN_NAMED[tag] && isMarked(element) ? roleTable.SVG_WHEN_NAMED[tag] : "generic";
  }

  /** Like an empty alt: the picture is decoration. @param {Element} element */
  function hasEmptyTitle(element) {
    const title = [...element.children].find((child) => child.localName === "title");
    return title !== undefined && !title.textContent?.trim() && !element.getAttribute("aria-label")?.trim();
  }

  /** Named, described or reachable: then a shape is more than paint. @param {Element} element */
  function isMarked(element) {
    const says = [...element.children].some((child) => (child.localName === "title" || child.localName === "desc") && child.textContent?.trim());
    const attributes = ["aria-label", "aria-labelledby", "aria-describedby", "aria-roledescription", "aria-description"];
    return says || element.hasAttribute("tabindex") || attributes.some((name) => element.getAttribute(name)?.trim());
  }

  /**
   * Whether a person who asks for `wanted` may mean this element: its computed role, or the role its author wrote (in a
   * context where it does not count), an `img` for a drawing, a `listitem` for any <li>.
   * @param {Element} element @param {string} wanted
   */
  function matches(element, wanted) {
    const asked = roleTable.SYNONYMS[wanted] ?? wanted;
    const computed = role(element);
    if (computed === asked || writtenRole(element) === asked) return true;
    if (asked === "listitem") return element.localName === "li" && computed === "generic";
    return asked === "image" && computed.startsWith("graphics-");
  }

  page.roles = { matches, isFocusable, writtenRole };
  page.role = role;
})();
