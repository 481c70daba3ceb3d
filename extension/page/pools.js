// @ts-check
// Where to look for a kind of target: the elements of all roots that a selector allows, with what is written in them, kept
// while the page does not change. It may only leave out what surely cannot be meant; names and visibility are asked elsewhere.

(() => {
  const { page } = globalThis.runhome;
  if (page.pools) return;
  const { roleTable, roots } = page;

  /** @typedef {{element: Element, written: string | null}} Entry `written` is null when only the full name can tell */

  /** Attributes that can be a name, or part of one. */
  const NAMING = new Set(["aria-label", "title", "alt", "placeholder", "aria-placeholder", "value", "label", "xlink:title"]);
  /** What, inside an element, can add to its name without being text of its own. */
  const SPEAKING = "[aria-label],[aria-labelledby],[aria-owns],[alt],[title],[label],input,select,textarea,slot";
  const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy", "data-automation-id"];

  /** Elements whose role depends on more than the tag. */
  const CONTEXTUAL = /** @type {Record<string, string>} */ ({
    banner: "header",
    cell: "td",
    columnheader: "th",
    combobox: "select,input",
    complementary: "aside",
    contentinfo: "footer",
    form: "form",
    generic: "*",
    gridcell: "td",
    image: "img,svg,svg *",
    link: "a,area",
    listbox: "select",
    listitem: "li",
    none: "*",
    region: "section",
    row: "tr",
    rowgroup: "tbody,thead,tfoot",
    rowheader: "th",
    sectionfooter: "footer",
    sectionheader: "header",
    switch: "input",
    button: "summary",
  });

  /** @type {Map<string, string>} */
  const selectors = new Map();

  /** Every element that may have the role. @param {string} role */
  function ofRole(role) {
    const name = roleTable.SYNONYMS[role] ?? role;
    let selector = selectors.get(name);
    if (!selector) selectors.set(name, (selector = build(name)));
    return selector;
  }

  /** @param {string} name */
  function build(name) {
    const written = [name, ...Object.keys(roleTable.SYNONYMS).filter((one) => roleTable.SYNONYMS[one] === name)];
    const parts = written.map((word) => `[role~="${word}" i]`);
    for (const [tag, role] of Object.entries(roleTable.HTML)) if (role === name) parts.push(tag);
    if (Object.values(roleTable.INPUT).includes(name)) parts.push("input");
    for (const table of [roleTable.SVG, roleTable.SVG_WHEN_NAMED]) {
      for (const [tag, role] of Object.entries(table)) if (role === name) parts.push(tag);
    }
    if (CONTEXTUAL[name]) parts.push(CONTEXTUAL[name]);
    return [...new Set(parts)].join(",");
  }

  /** Every element that may have a name. */
  const NAMED = [
    ...new Set([
      ...Object.keys(roleTable.HTML).filter((tag) => tag !== "html" && tag !== "p"),
      ...["a", "area", "img", "input", "select", "summary", "svg", "svg *", "td", "th", "tr", "li", "[role]", "iframe"],
      ...["[aria-label]", "[aria-labelledby]", "[title]", "[alt]", "[placeholder]"],
    ]),
  ].join(",");

  /** @type {Map<string, Entry[]>} */
  const kept = new Map();
  let keptVersion = -1;

  /**
   * The entries of all roots for a selector, in no particular order.
   * @param {string} selector @returns {Entry[]}
   */
  function entries(selector) {
    const version = roots.now();
    if (version !== keptVersion) kept.clear();
    keptVersion = version;
    let pool = kept.get(selector);
    if (!pool) kept.set(selector, (pool = gather(selector)));
    return pool;
  }

  /** @param {string} selector */
  function gather(selector) {
    /** @type {Entry[]} */
    const pool = [];
    for (const root of roots.all()) {
      const found = root.querySelectorAll(selector);
      if (!found.length) continue;
      const labelled = page.labels.ofRoot(root);
      for (let i = 0; i < found.length; i += 1) {
        pool.push({ element: found[i], written: labelled.has(found[i]) ? null : written(found[i]) });
      }
    }
    return pool;
  }

  /**
   * Everything written in or on the element, when its name can come from nowhere else.
   * @param {Element} element @returns {string | null}
   */
  function written(element) {
    if (roots.holdsShadow(element) || element.localName === "slot") return null;
    if (element.firstElementChild && element.querySelector(SPEAKING)) return null;
    let all = element.textContent ?? "";
    for (const attribute of element.getAttributeNames()) {
      if (attribute === "aria-labelledby" || attribute === "aria-owns") return null;
      if (NAMING.has(attribute)) all += `\n${element.getAttribute(attribute)}`;
    }
    return all.trim() ? all : null;
  }

  /** @param {string} id */
  function ofTestId(id) {
    return TEST_IDS.map((attribute) => `[${attribute}="${CSS.escape(id)}"]`).join(",");
  }

  const ANY_TEST_ID = TEST_IDS.map((attribute) => `[${attribute}]`).join(",");
  const PLACEHOLDERS = "[placeholder],[aria-placeholder]";

  /** @param {Element} element @returns {string[]} */
  function testIds(element) {
    return TEST_IDS.flatMap((attribute) => element.getAttribute(attribute) ?? []);
  }

  page.pools = { entries, ofRole, ofTestId, testIds, NAMED, PLACEHOLDERS, ANY_TEST_ID };
})();
