// @ts-check
// What is sought: a target read from a subroutine's call, checked, and put into words. It looks at no page.

(() => {
  const { page } = globalThis.runhome;
  if (page.target) return;

  /** @typedef {string | RegExp} Pattern */
  /**
   * `called` is what a bare string means: a name, or else a text.
   * @typedef {{called?: Pattern, role?: string, name?: Pattern, text?: Pattern, label?: Pattern, placeholder?: Pattern,
   *   testId?: Pattern, within?: any, near?: any, frame?: any, nth?: number}} Target
   */

  const PATTERNS = ["name", "text", "label", "placeholder", "testId"];
  const KEYS = ["role", ...PATTERNS, "within", "near", "frame", "nth"];
  const LOOK_UPS = ["role", ...PATTERNS];

  /**
   * @param {unknown} given a string, a plain target or a handle
   * @returns {Target} throws BAD_ARGUMENT
   */
  function read(given) {
    if (typeof given === "string" || given instanceof RegExp) return { called: pattern("target", given) };
    if (!given || typeof given !== "object" || Array.isArray(given)) throw bad(`A target is {role, name, ...} or a string, not ${kind(given)}.`);
    const asked = /** @type {Record<string, any>} */ (given);
    if ("$handle" in asked) return read(asked.target);
    if ("$regexp" in asked) return { called: pattern("target", asked) };
    /** @type {Record<string, any>} */
    const target = {};
    for (const [key, value] of Object.entries(asked)) {
      if (value === undefined || value === null) continue;
      target[key] = readKey(key, value);
    }
    if (!LOOK_UPS.some((key) => key in target)) throw bad(`A target needs one of ${LOOK_UPS.join(", ")}.`);
    return target;
  }

  /** @param {string} key @param {any} value */
  function readKey(key, value) {
    if (PATTERNS.includes(key)) return pattern(key, value);
    if (key === "role") return roleNamed(value);
    if (key === "nth") {
      if (!Number.isInteger(value)) throw bad(`nth is a whole number: 0 is the first, -1 the last. Not ${kind(value)}.`);
      return value;
    }
    if (key === "within" || key === "near" || key === "frame") return value;
    throw bad(`A target has no key "${key}".${suggestion(key, KEYS)}`, { nearest: nearest(key, KEYS) });
  }

  /** @param {string} key @param {any} value @returns {Pattern} */
  function pattern(key, value) {
    if (value instanceof RegExp) return new RegExp(value.source, value.flags.replace(/[gy]/g, ""));
    if (value && Array.isArray(value.$regexp)) {
      try {
        return new RegExp(String(value.$regexp[0]), String(value.$regexp[1] ?? "").replace(/[gy]/g, ""));
      } catch (cause) {
        throw bad(`${key} is not a regular expression: ${/** @type {Error} */ (cause).message}.`);
      }
    }
    if (typeof value === "number") return String(value);
    if (typeof value !== "string") throw bad(`${key} is a text or a regular expression, not ${kind(value)}.`);
    if (!value.trim() && key !== "name") throw bad(`${key} is empty.`);
    return value;
  }

  /** @param {any} value */
  function roleNamed(value) {
    const role = String(value).trim().toLowerCase();
    if (page.roleTable.KNOWN.has(role)) return role;
    const known = [...page.roleTable.KNOWN];
    throw bad(`There is no role "${value}".${suggestion(role, known)}`, { nearest: nearest(role, known) });
  }

  /** @param {string} word @param {string[]} known @returns {string[]} */
  function nearest(word, known) {
    const scored = known.map((one) => ({ one, score: page.text.likeness(word, one) })).filter(({ score }) => score >= 0.3);
    return scored.sort((a, b) => b.score - a.score).slice(0, 3).map(({ one }) => one);
  }

  /** @param {string} word @param {string[]} known */
  function suggestion(word, known) {
    const near = nearest(word, known);
    return near.length ? ` Did you mean "${near[0]}"?` : ` There is: ${known.slice(0, 12).join(", ")}.`;
  }

  /** @param {unknown} value */
  function kind(value) {
    return value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  }

  /** @param {string} message @param {Record<string, unknown>} [details] */
  function bad(message, details) {
    return page.error("BAD_ARGUMENT", message, details);
  }

  const PREPOSITIONS = /** @type {Record<string, string>} */ ({
    name: "named",
    text: "with the text",
    label: "labelled",
    placeholder: "with the placeholder",
    testId: "with the test id",
  });

  /** `button named "Pay now"` @param {Target} target */
  function inWords(target) {
    if (target.called !== undefined) return `element called ${quote(target.called)}`;
    const details = PATTERNS.filter((key) => key in target).map((key) => `${PREPOSITIONS[key]} ${quote(/** @type {any} */ (target)[key])}`);
    return [target.role ?? "element", ...details].join(" ");
  }

  /** @param {Pattern} pattern */
  function quote(pattern) {
    return typeof pattern === "string" ? `"${page.text.shorten(pattern)}"` : String(pattern);
  }

  const ES_PLURAL = /(s|x|ch|sh)$/;

  /** "buttons", "checkboxes" @param {string} noun */
  function plural(noun) {
    if (noun.endsWith("y")) return `${noun.slice(0, -1)}ies`;
    return ES_PLURAL.test(noun) ? `${noun}es` : `${noun}s`;
  }

  page.target = { read, inWords, plural, quote };
})();
