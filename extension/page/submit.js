// @ts-check
// Enter in a field, with what the browser itself would do for it: send the form. It types nothing.

(() => {
  const { page } = globalThis.runhome;

  const BLOCKS_IMPLICIT = /^(text|search|tel|url|email|password|date|month|week|time|datetime-local|number)$/;

  /** @param {Element} element @returns {boolean} whether anything took the Enter */
  function enter(element) {
    if (page.keys.send(element, "Enter")) return true;
    const form = /** @type {HTMLInputElement} */ (element).form;
    if (element.localName !== "input" || !form) return false;
    return implicitly(form);
  }

  /** HTML, "implicit submission": the default button, or a form of one field. @param {HTMLFormElement} form */
  function implicitly(form) {
    const controls = [...form.elements];
    const button = /** @type {HTMLButtonElement | undefined} */ (controls.find(isSubmit));
    if (button) {
      if (!button.disabled) button.click();
      return !button.disabled;
    }
    const fields = controls.filter(
      (control) =>
        control.localName === "input" && BLOCKS_IMPLICIT.test(/** @type {HTMLInputElement} */ (control).type),
    );
    if (fields.length !== 1) return false;
    form.requestSubmit();
    return true;
  }

  /** @param {Element} control */
  function isSubmit(control) {
    return control.matches('button:not([type]), button[type="submit" i], input[type="submit"], input[type="image"]');
  }

  page.submit = { enter };
})();
