// @ts-check
// What HTML and SVG themselves give as a name: labels, alt, legend, caption, value, title. (HTML-AAM 1.0 section 4, SVG-AAM 8.1)

(() => {
  const { page } = globalThis.runhome;
  if (page.hostNames) return;

  /**
   * What names the element in its own language: elements to read, or text. Null when the language says nothing, "" when it
   * says that there is no name.
   * @param {Element} element @returns {{elements: Element[]} | {text: string} | null}
   */
  function hostName(element) {
    const own = element.namespaceURI === "http://www.w3.org/2000/svg" ? svgName(element) : (OWN[element.localName]?.(element) ?? null);
    const labels = page.labels.of(element);
    return labels.length ? { elements: labels } : own;
  }

  /** @param {Element} element @param {string} tag */
  function childNamed(element, tag) {
    const child = [...element.children].find((one) => one.localName === tag);
    return child ? { elements: [child] } : null;
  }

  /** @param {Element} element @param {string} attribute */
  function attribute(element, attribute) {
    const text = element.getAttribute(attribute);
    return text?.trim() ? { text } : null;
  }

  /** @type {Record<string, (element: any) => {elements: Element[]} | {text: string} | null>} */
  const OWN = {
    area: (element) => attribute(element, "alt"),
    fieldset: (element) => childNamed(element, "legend"),
    figure: (element) => childNamed(element, "figcaption"),
    img: (element) => (element.hasAttribute("alt") ? { text: element.getAttribute("alt") } : null),
    input: inputName,
    optgroup: (element) => attribute(element, "label"),
    option: (element) => attribute(element, "label"),
    table: (element) => childNamed(element, "caption"),
  };

  /** @param {HTMLInputElement} element */
  function inputName(element) {
    const type = element.type;
    if (type === "image") return attribute(element, "alt") ?? attribute(element, "title") ?? { text: "Submit" };
    if (type === "file") return attribute(element, "title") ?? { text: element.multiple ? "Choose Files" : "Choose File" };
    if (type === "button") return attribute(element, "value");
    if (type === "submit" || type === "reset") {
      return attribute(element, "value") ?? (element.hasAttribute("value") ? null : { text: type === "submit" ? "Submit" : "Reset" });
    }
    return null;
  }

  /** @param {Element} element */
  function svgName(element) {
    const title = [...element.children].find((child) => child.localName === "title" && child.textContent?.trim());
    if (title) return { text: title.textContent ?? "" };
    return element.localName === "a" ? attribute(element, "xlink:title") : null;
  }

  /** The last resort: a tooltip, then the placeholder. @param {Element} element @returns {string} */
  function tooltip(element) {
    if (element.localName === "img" && element.getAttribute("alt") === "") return "";
    const title = element.namespaceURI === "http://www.w3.org/2000/svg" ? "" : element.getAttribute("title");
    return title?.trim() ? title : TEXT_BOXES.has(page.role(element)) ? placeholder(element) : "";
  }

  /** Roles that a placeholder can name. */
  const TEXT_BOXES = new Set(["textbox", "searchbox", "combobox", "spinbutton"]);
  /** Kinds of <input> that show a placeholder. */
  const SHOWS_PLACEHOLDER = new Set(["text", "search", "url", "tel", "email", "password", "number"]);

  /** What an empty field shows, whatever it is. @param {Element} element @returns {string} */
  function placeholder(element) {
    const shown = element.localName === "textarea" || (element.localName === "input" && SHOWS_PLACEHOLDER.has(/** @type {HTMLInputElement} */ (element).type));
    return (shown && element.getAttribute("placeholder")) || element.getAttribute("aria-placeholder") || "";
  }

  page.hostNames = { hostName, tooltip, placeholder };
})();
