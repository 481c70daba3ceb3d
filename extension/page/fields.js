// @ts-check
// Inputs and textareas: putting a text in as a person would, and what they hold afterwards. It resolves no target.

(() => {
  const { page } = globalThis.runhome;

  /** Kinds of input whose value is picked, not typed: only the value setter serves them. */
  const PICKED = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);

  /** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

  /**
   * Leaves `text` in the field (`clear`) or after what is there, and says `input`, `keyup` and `change` to the page.
   * @param {Field} field @param {string} text @param {{clear: boolean}} options @returns {string} what was wanted
   */
  function fill(field, text, { clear }) {
    const replaces = clear || PICKED.has(field.type);
    const wanted = wantedValue(field, (replaces ? "" : field.value) + text);
    if (PICKED.has(field.type)) set(field, wanted);
    else {
      insert(field, text, clear);
      if (missed(field, wanted)) set(field, limited(field, wanted));
    }
    page.keys.release(field, text);
    field.dispatchEvent(new Event("change", { bubbles: true }));
    return wanted;
  }

  /** @param {Field} field @param {string} text @param {boolean} clear */
  function insert(field, text, clear) {
    const { ownerDocument: document } = field;
    if (clear || !field.value) field.select();
    else if (!toEnd(field)) return; // the kinds without a selection get the whole value by the setter
    if (text) document.execCommand("insertText", false, oneLine(field, text));
    else if (clear && field.value) document.execCommand("delete");
  }

  /** @param {Field} field */
  function toEnd(field) {
    if (field.selectionStart === null) return false;
    field.setSelectionRange(field.value.length, field.value.length);
    return true;
  }

  /** Nothing arrived, or not what was asked and no mask or limit of the field explains it. @param {Field} field @param {string} wanted */
  function missed(field, wanted) {
    return !accepts(field, field.value, wanted);
  }

  /** By the prototype's setter: frameworks watch the element's own `value` property. @param {Field} field @param {string} value */
  function set(field, value) {
    const window = /** @type {any} */ (field.ownerDocument.defaultView);
    const { prototype } = field.localName === "textarea" ? window.HTMLTextAreaElement : window.HTMLInputElement;
    /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, "value")).set.call(field, value);
    field.dispatchEvent(
      new InputEvent("input", { bubbles: true, composed: true, inputType: "insertReplacementText", data: value }),
    );
  }

  /** @param {Field} field @param {string} text */
  function oneLine(field, text) {
    return field.localName === "input" ? text.replace(/\r\n|[\r\n]/g, " ") : text;
  }

  /** @param {Field} field @param {string} text */
  function wantedValue(field, text) {
    if (field.type === "color") return text.trim().toLowerCase();
    return oneLine(field, text);
  }

  /** @param {Field} field @param {string} text */
  function limited(field, text) {
    return field.maxLength >= 0 ? text.slice(0, field.maxLength) : text;
  }

  /**
   * Whether the field holds what was wanted: as it is, cut at its own limit, without the blanks around it, as the same number, or
   * within its own mask.
   * @param {Field} field @param {string} got @param {string} wanted
   */
  function accepts(field, got, wanted) {
    if (page.words.same(got, wanted)) return true;
    if (!got) return false;
    if (field.maxLength >= 0 && wanted.length > field.maxLength) return got === limited(field, wanted);
    if (field.type === "number" || field.type === "range") return Number(got) === Number(wanted);
    if (field.type === "time" || field.type === "datetime-local")
      return got.startsWith(wanted) || wanted.startsWith(got);
    if (got === wanted.trim()) return true;
    return field.localName === "input" && page.masks.explains(got, wanted);
  }

  page.fields = { fill, accepts, set };
})();
