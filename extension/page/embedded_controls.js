// @ts-check
// What a control says when it stands inside another element's label: its value. (accname 1.2, step 2C)

(() => {
  const { page } = globalThis.runhome;
  if (page.embeddedControls) return;

  const RANGES = new Set(["slider", "spinbutton", "scrollbar", "progressbar", "meter"]);

  /**
   * The value of an embedded control, or null when the element is none.
   * @param {Element} element
   * @param {object} walk how the element was reached, handed through to `read`
   * @param {(element: Element, walk: any) => string} read reads an element's text alternative
   * @returns {string | null}
   */
  function value(element, walk, read) {
    const role = page.role(element);
    if (isPicked(element)) return null;
    if (role === "textbox" || role === "searchbox") return typed(element);
    if (role === "combobox" || role === "listbox") return chosen(element, walk, read);
    return RANGES.has(role) ? number(element) : null;
  }

  /** Dates and colours are no text boxes by HTML-AAM: they say their name and not their value. @param {Element} element */
  function isPicked(element) {
    return element.matches("input[type=color], input[type=date], input[type=datetime-local], input[type=month], input[type=time], input[type=week]");
  }

  /** @param {Element} element */
  function typed(element) {
    if (element.matches("input[type=password]")) return "\u2022".repeat(/** @type {HTMLInputElement} */ (element).value.length);
    if (element.localName === "input" || element.localName === "textarea") return /** @type {HTMLInputElement} */ (element).value;
    return element.textContent ?? "";
  }

  /** @param {Element} element @param {object} walk @param {(element: Element, walk: any) => string} read */
  function chosen(element, walk, read) {
    if (element.localName === "select") {
      const options = [.../** @type {HTMLSelectElement} */ (element).selectedOptions];
      return options.map((option) => option.label || option.text).join(" ");
    }
    if (element.localName === "input") return /** @type {HTMLInputElement} */ (element).value;
    const options = [...element.querySelectorAll('[role~="option"][aria-selected="true"]')];
    const active = page.tree.referenced(element, "aria-activedescendant");
    const shown = options.length ? options : active;
    if (shown.length) return shown.map((/** @type {Element} */ option) => read(option, walk)).join(" ");
    const box = /** @type {HTMLInputElement | null} */ (element.querySelector("input"));
    return box ? box.value : "";
  }

  /** @param {Element} element */
  function number(element) {
    const said = element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow");
    if (said !== null) return said;
    if (element.localName === "progress" && !element.hasAttribute("value")) return "";
    return "value" in element ? String(element.value) : (element.textContent ?? "");
  }

  page.embeddedControls = { value };
})();
