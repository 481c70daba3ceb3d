// @ts-check
// How well what is there fits what is sought: exactly, folded, or as a part. Only one of these levels may answer.

(() => {
  const { page } = globalThis.runhome;
  if (page.match) return;
  const { text } = page;

  const EXACT = 0;
  const FOLDED = 1;
  const PART = 2;
  const NOT = 3;

  /**
   * The best level at which one of the texts fits.
   * @param {string | RegExp} pattern @param {string[]} texts @returns {number} EXACT, FOLDED, PART or NOT
   */
  function level(pattern, texts) {
    if (pattern instanceof RegExp) return texts.some((one) => pattern.test(one)) ? EXACT : NOT;
    const wanted = text.collapse(pattern);
    if (texts.some((one) => one === pattern || text.collapse(one) === wanted)) return EXACT;
    const folded = text.fold(pattern);
    if (!folded) return NOT;
    let best = NOT;
    for (const one of texts) {
      const there = text.fold(one);
      if (there === folded) return FOLDED;
      if (there.includes(folded)) best = PART;
    }
    return best;
  }

  page.match = { level, EXACT, FOLDED, PART, NOT };
})();
