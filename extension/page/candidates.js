// @ts-check
// What a person may have meant when nothing was found: the three nearest elements, each with the reason why it was not it.

(() => {
  const { page } = globalThis.runhome;
  if (page.candidates) return;
  const { match, pools, roots, target: words, text, tree, visibility } = page;

  /** @typedef {{element: Element, name: string, why: string, score: number}} Candidate */

  const MOST = 3;
  /** On a page with more elements of the kind than this, the rest is not looked at. */
  const MOST_LOOKED_AT = 2000;
  const KEYS = ["name", "text", "label", "placeholder", "testId"];

  /**
   * The nearest three, best first.
   * @param {any} target as read @param {{scope?: Element | null}} options @returns {Candidate[]}
   */
  function nearest(target, options) {
    const scored = pool(target).map((element) => judge(element, target, options)).filter((one) => one.score > 0.3);
    scored.sort((a, b) => b.score - a.score);
    return scored.slice(0, MOST);
  }

  /** Everything of the role, and everything else that may be called so. @param {any} target @returns {Element[]} */
  function pool(target) {
    const sought = soughtText(target);
    const selector = target.role ? `${pools.ofRole(target.role)},${pools.NAMED}` : pools.NAMED;
    const all = roots.all().flatMap((/** @type {ParentNode} */ root) => [...root.querySelectorAll(selector)]);
    const texts = typeof sought === "string" && target.role === undefined ? page.textSearch.smallest(sought) : [];
    const ofRole = all.filter((/** @type {Element} */ element) => target.role && page.roles.matches(element, target.role));
    const chosen = new Set([...ofRole.slice(0, MOST_LOOKED_AT), ...texts, ...all.slice(0, MOST_LOOKED_AT)]);
    return [...chosen].filter((element) => !visibility.NEVER_READ.has(element.localName));
  }

  /** @param {any} target @returns {string | RegExp | undefined} */
  function soughtText(target) {
    return target.called ?? target.name ?? target.text ?? target.label ?? target.placeholder ?? target.testId;
  }

  /** @param {Element} element @param {any} target @param {{scope?: Element | null}} options @returns {Candidate} */
  function judge(element, target, options) {
    const name = page.name(element) || text.shorten(ownText(element, target), 80);
    const sought = soughtText(target);
    const alike = likeness(sought, name, element);
    const sameRole = target.role !== undefined && page.roles.matches(element, target.role);
    if (target.role === undefined && alike < 0.4) return { element, name, why: "", score: 0 };
    if (target.role !== undefined && !sameRole && alike < 0.6) return { element, name, why: "", score: 0 };
    const why = reasons(element, target, options, { alike, sameRole });
    return { element, name, why, score: alike + (sameRole ? 0.5 : 0) };
  }

  /** @param {Element} element @param {any} target */
  function ownText(element, target) {
    return target.text !== undefined || target.called !== undefined ? text.collapse(element.textContent ?? "") : "";
  }

  /** @param {string | RegExp | undefined} sought @param {string} name @param {Element} element */
  function likeness(sought, name, element) {
    if (sought === undefined) return 0;
    if (match.level(sought, [name, ...pools.testIds(element)]) !== match.NOT) return 1;
    return typeof sought === "string" ? text.likeness(sought, name) : 0;
  }

  /** @param {Element} element @param {any} target @param {{scope?: Element | null}} options @param {{alike: number, sameRole: boolean}} fit */
  function reasons(element, target, options, { alike, sameRole }) {
    const why = [];
    if (target.role !== undefined && !sameRole) why.push(`other role (${page.role(element)})`);
    if (alike < 1 && soughtText(target) !== undefined) why.push(otherWord(target));
    const hidden = visibility.whyHidden(element);
    if (hidden) why.push(hidden);
    if (isDisabled(element)) why.push("disabled");
    if (isOutside(element, target, options)) why.push("outside `within`");
    return why.join(", ") || "does not fit every part of the target";
  }

  /** @param {any} target */
  function otherWord(target) {
    const key = KEYS.find((one) => one in target);
    return `other ${key === "testId" ? "test id" : (key ?? "name")}`;
  }

  /** @param {Element} element */
  function isDisabled(element) {
    return element.matches(":disabled") || element.closest('[aria-disabled="true"]') !== null;
  }

  /** @param {Element} element @param {any} target @param {{scope?: Element | null}} options */
  function isOutside(element, target, options) {
    try {
      const scope = target.within === undefined ? options.scope : page.resolve(target.within);
      return Boolean(scope) && (scope === element || !tree.contains(scope, element));
    } catch {
      return false;
    }
  }

  /**
   * The error for a target that nothing fits. The nearest candidates are looked for when somebody reads it: a helper that
   * waits makes many such errors and shows the last one.
   * @param {any} target as read @param {unknown} sought as given @param {{scope?: Element | null}} options
   */
  function notFound(target, sought, options) {
    const error = page.error("NOT_FOUND", "");
    /** @type {{message: string, details: object} | null} */
    let told = null;
    const tell = () => (told ??= account(target, sought, options));
    Object.defineProperty(error, "message", { get: () => tell().message, configurable: true });
    Object.defineProperty(error, "details", { get: () => tell().details, configurable: true });
    return error;
  }

  /** @param {any} target @param {unknown} sought @param {{scope?: Element | null}} options */
  function account(target, sought, options) {
    const near = nearest(target, options);
    const candidates = near.map(({ element, name, why }) => ({ role: page.role(element), name, where: page.describe(element).where, why }));
    const all = page.search.search({ ...target, nth: undefined }, options);
    if (target.nth !== undefined && all.length) {
      const message = `There are only ${all.length} matches for ${words.inWords(target)}, counted from 0; nth ${target.nth} is not among them.`;
      return { message, details: { sought, candidates } };
    }
    return { message: `No ${words.inWords(target)}. ${whatIsThere(target, near)}`, details: { sought, candidates } };
  }

  /** @param {any} target @param {Candidate[]} near */
  function whatIsThere(target, near) {
    const close = near.find((one) => one.score >= (target.role ? 1.5 : 1)) ?? near.find((one) => one.why.startsWith("other role"));
    if (close && !close.why.startsWith("other name")) return `There is ${page.describe(close.element)}, but: ${close.why}.`;
    const noun = target.role ?? "element";
    const shown = target.role ? namesOf(target.role) : near.map(({ name }) => name);
    if (!shown.length) return target.role ? `There are no ${words.plural(noun)} here.` : "Nothing here is called anything like it.";
    const label = words.plural(noun);
    return `${label[0].toUpperCase()}${label.slice(1)} here: ${shown.map((/** @type {string} */ name) => `"${text.shorten(name, 40)}"`).join(", ")}.`;
  }

  /** The first few visible ones of a role, by name. @param {string} role @returns {string[]} */
  function namesOf(role) {
    /** @type {string[]} */
    const names = [];
    for (const element of page.search.search({ role }).slice(0, 50)) {
      const name = page.name(element);
      if (name && !names.includes(name)) names.push(name);
      if (names.length === 8) break;
    }
    return names;
  }

  page.candidates = { nearest, notFound };
})();
