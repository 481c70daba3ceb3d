// @ts-check
// Text as people read it: collapsing, folding, likeness. It knows strings and nothing of elements.

(() => {
  const { page } = globalThis.runhome;
  if (page.text) return;

  /** ASCII white space only: a non-breaking space counts (accname 1.2, and the W3C's own tests). */
  const ASCII_SPACES = /[ \t\n\f\r]+/g;
  const PLAIN_ASCII = /^[\x20-\x7e]*$/;
  const SPACES = /[\s\u00a0\u200b\u2060\ufeff]+/gu;
  /** Soft hyphens, direction marks and icon fonts' private characters: nobody types them. */
  const UNTYPABLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufe0e\ufe0f\ue000-\uf8ff]/gu;
  const TYPED_AS = /** @type {[RegExp, string][]} */ ([
    [/[\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4]/gu, "'"],
    [/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/gu, '"'],
    [/[\u2010-\u2015\u2212]/gu, "-"],
    [/\u2026/gu, "..."],
  ]);

  /** Characters that are sooner compared than a pattern is made. */
  const LITTLE_TEXT = 3_000;

  /** Runs of ASCII white space become one space; none at the ends. @param {string} text */
  function collapse(text) {
    return text.replace(ASCII_SPACES, " ").replace(/^ | $/g, "");
  }

  /**
   * The form in which two texts are the same to a reader: NFKC (full-width forms, Hangul composition, ligatures), no case,
   * any white space one space, straight quotes, plain hyphens.
   * @param {string} text
   */
  function fold(text) {
    if (!PLAIN_ASCII.test(text)) {
      for (const [written, typed] of TYPED_AS) text = text.replace(written, typed);
      text = text.replace(UNTYPABLE, "").normalize("NFKC");
      for (const [written, typed] of TYPED_AS) text = text.replace(written, typed);
    }
    return text.toLowerCase().replace(SPACES, " ").trim();
  }

  /** Folded, without any white space: for asking quickly whether one text can be in another. @param {string} text */
  function squash(text) {
    return fold(text).replace(/ /g, "");
  }

  /**
   * A cheap test for "this much written text may hold `wanted`". A little text is compared as it is; for more, a pattern is
   * made once: it may miss rare compatibility forms, nothing else.
   * @param {string} wanted @returns {{test: (written: string) => boolean}}
   */
  function mayHold(wanted) {
    const plain = squash(wanted);
    let left = LITTLE_TEXT;
    /** @type {RegExp | null} */
    let pattern = null;
    return {
      test(written) {
        left -= written.length;
        if (left >= 0) return squash(written).includes(plain);
        pattern ??= patternOf(plain);
        return pattern.test(written);
      },
    };
  }

  /** The characters with optional white space between them, in the forms in which they are usually written. @param {string} plain */
  function patternOf(plain) {
    const gap = "[\\s\\u00ad\\u200b-\\u200f\\u2060\\ufeff\\ue000-\\uf8ff]*";
    return new RegExp([...plain].map(spellings).join(gap), "iu");
  }

  /** @param {string} character */
  function spellings(character) {
    const forms = new Set([character, character.normalize("NFD")]);
    const code = character.codePointAt(0) ?? 0;
    if (code > 0x20 && code < 0x7f) forms.add(String.fromCodePoint(code + 0xfee0));
    if (character === "'") for (const quote of "\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4") forms.add(quote);
    if (character === '"') for (const quote of "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb") forms.add(quote);
    if (character === "-") for (const dash of "\u2010\u2011\u2012\u2013\u2014\u2015\u2212") forms.add(dash);
    if (character === ".") forms.add("\u2026?");
    const escaped = [...forms].map((form) => (form === "\u2026?" ? form : form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")));
    return escaped.length === 1 ? escaped[0] : `(?:${escaped.join("|")})`;
  }

  /** How alike two texts are, 0 to 1: Sorensen-Dice over pairs of folded characters. @param {string} a @param {string} b */
  function likeness(a, b) {
    const [left, right] = [squash(a), squash(b)];
    if (left === right) return 1;
    if (left.length < 2 || right.length < 2) return left && right && (left.includes(right) || right.includes(left)) ? 0.5 : 0;
    /** @type {Map<string, number>} */
    const pairs = new Map();
    for (let i = 0; i < left.length - 1; i++) {
      const pair = left.slice(i, i + 2);
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
    let shared = 0;
    for (let i = 0; i < right.length - 1; i++) {
      const pair = right.slice(i, i + 2);
      const left_over = pairs.get(pair) ?? 0;
      if (left_over > 0) shared += 1;
      pairs.set(pair, left_over - 1);
    }
    return (2 * shared) / (left.length + right.length - 2);
  }

  /** At most `most` characters, cut with an ellipsis. @param {string} text @param {number} [most] */
  function shorten(text, most = 60) {
    return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
  }

  page.text = { collapse, fold, squash, mayHold, likeness, shorten };
})();
