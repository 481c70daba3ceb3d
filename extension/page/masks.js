// @ts-check
// Whether a field that shows another text than was typed shows the same thing in its own way: a phone number, a card, a
// date, an amount, a code. It looks at two texts and at nothing else.

(() => {
  const { page } = globalThis.runhome;

  /** What masks put between characters, or leave out. */
  const SEPARATORS = /[\s\-–./():+,$€£₩¥%_]/gu;
  /** A sentence is no code: then every sign of it counts. */
  const WORD = /\p{L}{5}/u;
  const AMOUNT = /^\D*?-?\d[\d.,' \u00a0\u202f]*\D*$/u;

  /** @param {string} got @param {string} wanted */
  function explains(got, wanted) {
    if (sameLetters(got, wanted)) return true;
    if (!/\d/.test(wanted) || WORD.test(wanted)) return false;
    if (areAmounts(got, wanted)) return amount(got) === amount(wanted);
    const [left, right] = [bare(got), bare(wanted)];
    return left === right || (got.startsWith("+") && left.endsWith(right) && left.length <= right.length + 3);
  }

  /** All in capitals, all in small letters, or a code without digits ("aabbcc" as "aa:bb:cc"). @param {string} got @param {string} wanted */
  function sameLetters(got, wanted) {
    if (got === wanted.toUpperCase() || got === wanted.toLowerCase()) return true;
    return /^\p{L}+$/u.test(wanted) && got.replace(SEPARATORS, "").toLowerCase() === wanted.toLowerCase();
  }

  /** @param {string} text */
  function bare(text) {
    return text.replace(SEPARATORS, "").toLowerCase();
  }

  /**
   * Whether their values count: 12.50 is not 1250, and -5 is not 5. Only where the one or the other has a sign or a decimal
   * place; else dots are for reading.
   * @param {string} got @param {string} wanted
   */
  function areAmounts(got, wanted) {
    return AMOUNT.test(got) && AMOUNT.test(wanted) && (isSigned(wanted) || hasPlaces(wanted) || hasPlaces(got));
  }

  /** @param {string} text */
  function isSigned(text) {
    return /^\D*-/.test(text);
  }

  /** One or two digits after the last dot or comma, or a plain decimal number. @param {string} text */
  function hasPlaces(text) {
    return /^\D*\d+([ .,']\d{3})*[.,]\d{1,2}\D*$/.test(text) || /^-?\d+\.\d+$/.test(text.trim());
  }

  /** @param {string} text */
  function amount(text) {
    const [, whole, places = ""] = /^(.*?)(?:[.,](\d+))?\D*$/.exec(text) ?? ["", text];
    const digits = (/** @type {string} */ part) => part.replace(/\D/g, "");
    const number = hasPlaces(text) ? Number(`${digits(whole)}.${places}`) : Number(digits(text));
    return isSigned(text) ? -number : number;
  }

  page.masks = { explains };
})();
