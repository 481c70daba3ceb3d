// @ts-check
// From a target to the elements that fit it now. It does not wait, and does not say why something was not found.
//
// 1. A quick look names only elements whose written text may hold what is sought, or whose name may come from elsewhere.
// 2. When nothing visible fits, every element of the kind is named (text of style sheets counts too), shadow roots that came
//    without a mutation are looked for, and shown text is read instead of written.
// 3. What is kept between searches may only leave elements out; what is answered is always read afresh.

(() => {
  const { page } = globalThis.runhome;
  if (page.search) return;
  const { match, pools, roots, text, tree } = page;

  /** @typedef {{called?: string | RegExp, role?: string, name?: any, text?: any, label?: any, placeholder?: any, testId?: any, within?: any, near?: any, frame?: any, nth?: number}} Target */
  /** @typedef {{scope?: Element | null, hidden?: boolean}} Options */
  /** @typedef {{element: Element, level: number}} Fit */

  /** @type {{version: number, names: WeakMap<Element, string>}} */
  let kept = { version: -1, names: new WeakMap() };

  /** @param {Element} element */
  function keptName(element) {
    if (kept.version !== roots.now()) kept = { version: roots.now(), names: new WeakMap() };
    const known = kept.names.get(element);
    if (known !== undefined) return known;
    /** @type {string} */
    const name = page.name(element);
    kept.names.set(element, name);
    return name;
  }

  /**
   * Every element that fits the target at the one level that answers, in the order of the page.
   * @param {Target} target as read by page.target.read @param {Options} [options] @returns {Element[]}
   */
  function search(target, options = {}) {
    roots.catchLate();
    const frames = page.frames.documents(target.frame);
    const scope = scopeOf(target, options);
    const admits = (/** @type {Element} */ element) =>
      (!frames || frames.some((/** @type {Document} */ one) => tree.contains(one.documentElement, element))) && (!scope || (scope !== element && tree.contains(scope, element)));
    let found = best(fits(target, false).filter(({ element }) => admits(element)), target, options);
    if (!found.length) found = best(complete(target).filter(({ element }) => admits(element)), target, options);
    return chosen(found.sort(tree.inOrder), target, options);
  }

  /** Nothing that was kept is believed now. @param {Target} target */
  function complete(target) {
    roots.rescan();
    kept = { version: roots.now(), names: new WeakMap() };
    return fits(target, true);
  }

  /** @param {Target} target @param {Options} options @returns {Element | null} */
  function scopeOf(target, options) {
    if (target.within === undefined) return options.scope ?? null;
    return page.resolve(target.within, { scope: options.scope });
  }

  /** Elements that fit, each with the level of its worst key. @param {Target} target @param {boolean} all @returns {Fit[]} */
  function fits(target, all) {
    if (target.called !== undefined) return called(target.called, all);
    const found = [];
    for (const element of candidates(target, all)) {
      if (target.role && !page.roles.matches(element, target.role)) continue;
      const level = levelOf(element, target);
      if (level !== match.NOT) found.push({ element, level });
    }
    return target.text !== undefined ? innermost(found) : found;
  }

  /** A bare string: something named so, or else something that says so. @param {string | RegExp} pattern @param {boolean} all */
  function called(pattern, all) {
    const named = fits({ name: pattern }, all);
    const levels = new Set(named.map(({ level }) => level));
    return [...named, ...fits({ text: pattern }, all).filter(({ level }) => !levels.has(level))];
  }

  /** @param {Target} target @param {boolean} all @returns {Iterable<Element>} */
  function candidates(target, all) {
    if (target.testId !== undefined) return elements(typeof target.testId === "string" ? pools.ofTestId(target.testId) : pools.ANY_TEST_ID);
    if (target.placeholder !== undefined) return elements(pools.PLACEHOLDERS);
    if (target.label !== undefined) return labelled(target.label);
    const sought = /** @type {any} */ (target.name ?? target.text);
    if (target.role === undefined && target.name === undefined) {
      return all ? page.textSearch.smallestShown(sought) : page.textSearch.smallest(sought);
    }
    const selector = target.role ? pools.ofRole(target.role) : pools.NAMED;
    if (all || typeof sought !== "string" || !sought.trim()) return elements(selector);
    const test = text.mayHold(sought);
    const pool = /** @type {{element: Element, written: string | null}[]} */ (pools.entries(selector));
    return pool.filter(({ written }) => written === null || test.test(written)).map(({ element }) => element);
  }

  /** @param {string} selector @returns {Element[]} */
  function elements(selector) {
    return roots.all().flatMap((/** @type {ParentNode} */ root) => [...root.querySelectorAll(selector)]);
  }

  /** What a label or ARIA names, where the label may hold the pattern. @param {string | RegExp} pattern */
  function labelled(pattern) {
    const test = typeof pattern === "string" ? text.mayHold(pattern) : pattern;
    const labels = elements("label").filter((label) => roots.holdsShadow(label) || test.test(label.textContent ?? ""));
    const controls = labels.flatMap((label) => /** @type {HTMLLabelElement} */ (label).control ?? []);
    const named = elements("[aria-label]").filter((element) => test.test(element.getAttribute("aria-label") ?? ""));
    return new Set([...controls, ...named, ...elements("[aria-labelledby]")]);
  }

  /** @param {Element} element @param {Target} target @returns {number} */
  function levelOf(element, target) {
    let worst = match.EXACT;
    for (const [key, read] of Object.entries(READ)) {
      const pattern = /** @type {any} */ (target)[key];
      if (pattern === undefined) continue;
      worst = Math.max(worst, match.level(pattern, read(element)));
      if (worst === match.NOT) break;
    }
    return worst;
  }

  /** What each key of a target is compared with. @type {Record<string, (element: any) => string[]>} */
  const READ = {
    testId: pools.testIds,
    placeholder: (element) => [page.hostNames.placeholder(element)],
    label: (element) => [...page.labels.of(element).map(page.renderedText.textOf), ...(page.names.hasAriaName(element) ? [page.name(element)] : [])],
    name: (element) => [keptName(element)],
    text: shownTexts,
  };

  /** @param {Element} element */
  function shownTexts(element) {
    if (element.localName === "input") return [/** @type {HTMLInputElement} */ (element).value];
    const shown = page.renderedText.textOf(element);
    const written = text.collapse(element.textContent ?? "");
    // Style sheets may have changed the case of what the author wrote.
    return text.squash(shown) === text.squash(written) ? [written, shown] : [shown];
  }

  /** Without those that hold another one of the same level. @param {Fit[]} found */
  function innermost(found) {
    if (found.length > 500) return found;
    return found.filter((one) => !found.some((other) => other !== one && other.level <= one.level && tree.contains(one.element, other.element)));
  }

  /** The visible ones of the best level that has any. @param {Fit[]} found @param {Target} target @param {Options} options @returns {Element[]} */
  function best(found, target, options) {
    for (const level of [match.EXACT, match.FOLDED, match.PART]) {
      const group = found.filter((one) => one.level === level).map(({ element }) => element);
      const visible = group.filter((element) => isStill(element, target, level) && (options.hidden || page.isVisible(element)));
      if (visible.length) return visible;
    }
    return [];
  }

  /** A kept name is read again before it is believed. @param {Element} element @param {Target} target @param {number} level */
  function isStill(element, target, level) {
    return target.name === undefined || match.level(target.name, [page.name(element)]) <= level;
  }

  /** `near` and `nth` choose among those that fit. @param {Element[]} found @param {Target} target @param {Options} options */
  function chosen(found, target, options) {
    const close = target.near === undefined ? found : nearest(found, page.resolve(target.near, { scope: options.scope }));
    if (target.nth === undefined) return close;
    const one = close.at(target.nth);
    return one ? [one] : [];
  }

  /** @param {Element[]} found @param {Element} to */
  function nearest(found, to) {
    const others = found.filter((element) => element !== to);
    const gaps = others.map((element) => gap(element.getBoundingClientRect(), to.getBoundingClientRect()));
    return others.filter((_, i) => gaps[i] === Math.min(...gaps));
  }

  /** Pixels between two boxes. @param {DOMRect} a @param {DOMRect} b */
  function gap(a, b) {
    const across = Math.max(0, a.left - b.right, b.left - a.right);
    const down = Math.max(0, a.top - b.bottom, b.top - a.bottom);
    return Math.hypot(across, down);
  }

  page.search = { search, fits };
})();
