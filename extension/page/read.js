// @ts-check
// The helper `read`: one text, attribute or property of an element. It changes nothing.

(() => {
  const { page } = globalThis.runhome;

  /** Properties that may be read, and how. @type {Record<string, (element: any) => unknown>} */
  const PROPERTIES = {
    text: textOf,
    value: (element) => element.value ?? textOf(element),
    html: (element) => element.innerHTML,
    href: (element) => element.href ?? null,
    src: (element) => element.currentSrc || element.src || null,
    checked: (element) => element.checked ?? element.getAttribute("aria-checked") === "true",
    disabled: (element) => element.matches(":disabled") || element.getAttribute("aria-disabled") === "true",
    visible: (element) => page.isVisible(element),
    role: (element) => page.role(element),
    name: (element) => page.name(element),
  };

  /**
   * Args: target, {attribute} or {property: text | value | html | href | src | checked | disabled | visible | role | name}, also
   * {timeout}; a string names an attribute. Gives the text where nothing is named, null where an attribute is not there.
   * @param {any[]} args @param {import("../types").PageContext} context
   */
  async function read([target, what], context) {
    const options = typeof what === "string" ? { attribute: what } : (what ?? {});
    const element = await page.actionable.locate(target, context, { timeout: options.timeout });
    return of(element, options);
  }

  /** @param {Element} element @param {{attribute?: string, property?: string}} options */
  function of(element, { attribute, property }) {
    if (attribute !== undefined) return element.getAttribute(attribute);
    const way = PROPERTIES[property ?? "text"];
    if (way) return way(element);
    throw page.error(
      "BAD_ARGUMENT",
      `read knows no property "${property}". There is: ${Object.keys(PROPERTIES).join(", ")}; or name an attribute.`,
    );
  }

  /** What a person reads in it: a field's value, an editor's lines, else the shown text. @param {HTMLElement} element */
  function textOf(element) {
    if (element.matches("input, textarea")) return /** @type {HTMLInputElement} */ (element).value;
    if (element.matches("select"))
      return [.../** @type {HTMLSelectElement} */ (element).selectedOptions].map((option) => option.label).join(", ");
    if (element.isContentEditable) return page.words.fold(page.words.of(element, { chips: true }));
    return page.roots.holdsShadow(element)
      ? page.renderedText.textOf(element)
      : (element.innerText ?? element.textContent ?? "").trim();
  }

  page.reader = { of };
  page.register("read", read);
})();
