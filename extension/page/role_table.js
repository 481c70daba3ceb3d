// @ts-check
// The tables behind roles: which roles exist, what each needs around it, what HTML and SVG elements are by themselves.
// Sources: WAI-ARIA 1.2 and the 1.3 draft, HTML-AAM 1.0, SVG-AAM 1.0, Graphics-ARIA, DPUB-ARIA. No code that looks at a page.

(() => {
  const { page } = globalThis.runhome;
  if (page.roleTable) return;

  const words = (/** @type {string} */ list) => list.trim().split(/\s+/);

  /** Roles an author may write. Abstract roles (command, landmark, widget, ...) are not among them. */
  const KNOWN = new Set(
    words(`
      alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment
      complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell
      group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem
      menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup
      region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status
      strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree
      treegrid treeitem
      graphics-document graphics-object graphics-symbol
      doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref
      doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes
      doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index
      doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface
      doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc`),
  );

  /** Two words for one role: the second is how we call it. */
  const SYNONYMS = /** @type {Record<string, string>} */ ({ img: "image", presentation: "none", directory: "list" });

  /**
   * Roles that mean nothing outside their context: a token is passed over unless the accessibility parent has one of these
   * roles ("required accessibility parent roles"). `cell` and `caption` are not here: the W3C's own tests keep them orphaned.
   */
  const PARENTS = /** @type {Record<string, string[]>} */ ({
    columnheader: ["row"],
    gridcell: ["row"],
    listitem: ["list"],
    menuitem: ["menu", "menubar"],
    menuitemcheckbox: ["menu", "menubar"],
    menuitemradio: ["menu", "menubar"],
    option: ["listbox"],
    row: ["table", "grid", "treegrid", "rowgroup"],
    rowgroup: ["table", "grid", "treegrid"],
    rowheader: ["row"],
    tab: ["tablist"],
    treeitem: ["tree", "treeitem"],
  });

  /** Roles that may stand between such a role and its parent without breaking the bond. */
  const BETWEEN = /** @type {Record<string, string[]>} */ ({
    menuitem: ["group"],
    menuitemcheckbox: ["group"],
    menuitemradio: ["group"],
    option: ["group"],
    treeitem: ["group"],
  });

  /** Roles whose name may come from what is inside them. */
  const NAMED_BY_CONTENT = new Set(
    words(`
      button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row
      rowheader switch tab tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref`),
  );

  /** Roles that ARIA lets nobody name; a tooltip does not count there. */
  const NAMELESS = new Set(
    words(`
      caption code definition deletion emphasis insertion mark none paragraph strong subscript suggestion superscript term time`),
  );

  /** HTML elements that are text and nothing else. */
  const PLAIN = new Set(
    words(`
      a acronym b bdi bdo big br center cite data div font i kbd marquee nobr picture pre q samp slot small span strike tt u var`),
  );

  /** aria-* attributes that every role has; their presence overrules role="none" (not aria-hidden, which only hides). */
  const GLOBAL_ATTRIBUTES = words(`
    aria-atomic aria-braillelabel aria-brailleroledescription aria-busy aria-controls aria-current aria-describedby
    aria-description aria-details aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts aria-label
    aria-labelledby aria-live aria-owns aria-relevant aria-roledescription`);

  /** HTML elements whose role needs no look around. */
  const HTML = /** @type {Record<string, string>} */ ({
    address: "group",
    article: "article",
    blockquote: "blockquote",
    button: "button",
    caption: "caption",
    code: "code",
    datalist: "listbox",
    dd: "definition",
    del: "deletion",
    details: "group",
    dfn: "term",
    dialog: "dialog",
    dt: "term",
    em: "emphasis",
    fieldset: "group",
    figure: "figure",
    h1: "heading",
    h2: "heading",
    h3: "heading",
    h4: "heading",
    h5: "heading",
    h6: "heading",
    hgroup: "group",
    hr: "separator",
    html: "document",
    ins: "insertion",
    main: "main",
    mark: "mark",
    math: "math",
    dir: "list",
    menu: "list",
    meter: "meter",
    nav: "navigation",
    ol: "list",
    optgroup: "group",
    option: "option",
    output: "status",
    p: "paragraph",
    progress: "progressbar",
    s: "deletion",
    search: "search",
    strong: "strong",
    sub: "subscript",
    sup: "superscript",
    table: "table",
    textarea: "textbox",
    time: "time",
    ul: "list",
  });

  /**
   * Kinds of <input>. Password, date and colour fields have no role in HTML-AAM; people ask for the first two as a textbox,
   * and so do we.
   */
  const INPUT = /** @type {Record<string, string>} */ ({
    button: "button",
    checkbox: "checkbox",
    color: "textbox",
    date: "textbox",
    "datetime-local": "textbox",
    email: "textbox",
    file: "button",
    hidden: "generic",
    image: "button",
    month: "textbox",
    number: "spinbutton",
    password: "textbox",
    radio: "radio",
    range: "slider",
    reset: "button",
    search: "searchbox",
    submit: "button",
    tel: "textbox",
    text: "textbox",
    time: "textbox",
    url: "textbox",
    week: "textbox",
  });

  /** SVG elements that count whenever they are there. */
  const SVG = /** @type {Record<string, string>} */ ({ svg: "graphics-document", image: "image", text: "group" });

  /** SVG elements that count only when something names or describes them (SVG-AAM 5.1.2). */
  const SVG_WHEN_NAMED = /** @type {Record<string, string>} */ ({
    circle: "graphics-symbol",
    ellipse: "graphics-symbol",
    foreignObject: "group",
    g: "group",
    line: "graphics-symbol",
    mesh: "image",
    path: "graphics-symbol",
    polygon: "graphics-symbol",
    polyline: "graphics-symbol",
    rect: "graphics-symbol",
    symbol: "graphics-object",
    textPath: "group",
    tspan: "group",
    use: "graphics-object",
  });

  page.roleTable = { KNOWN, SYNONYMS, PARENTS, BETWEEN, NAMED_BY_CONTENT, NAMELESS, PLAIN, GLOBAL_ATTRIBUTES, HTML, INPUT, SVG, SVG_WHEN_NAMED };
})();
