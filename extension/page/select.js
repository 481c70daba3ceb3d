// @ts-check
// The helper `select`: an option of a list, by its value or by what it says; a tick; an option of a combobox.

(() => {
  const { page } = globalThis.runhome;
  const { pace, actionable, match } = page;

  /** @typedef {import("../types").PageContext} PageContext */

  const TICKS =
    'input[type="checkbox"], input[type="radio"], [role="checkbox"], [role="radio"], [role="switch"], [role="menuitemcheckbox"], [role="menuitemradio"]';

  /**
   * Args: target, value or label (or a list of them; true or false for a tick), {timeout}. Gives what is chosen now.
   * @param {any[]} args @param {PageContext} context @throws NO_SUCH_OPTION with the options there
   */
  async function select([target, wanted, options], context) {
    const element = await actionable.ready(target, context, { timeout: options?.timeout, unseen: isStyledAway });
    if (typeof wanted === "boolean" || (wanted === undefined && element.matches(TICKS)))
      return tick(element, wanted ?? true, context);
    const words = (Array.isArray(wanted) ? wanted : [wanted]).map(String);
    const end = actionable.endOf(context, options?.timeout);
    if (element.localName === "select") return choose(/** @type {HTMLSelectElement} */ (element), words, context, end);
    if (words.length !== 1) throw page.error("BAD_ARGUMENT", `${page.describe(element)} takes one option at a time.`);
    return pick(element, words[0], context, end);
  }

  /** A real control, hidden behind a drawn one. @param {Element} element */
  function isStyledAway(element) {
    return element.localName === "select" || element.matches(TICKS);
  }

  /** @param {HTMLElement} element @param {boolean} on @param {PageContext} context */
  async function tick(element, on, context) {
    if (!element.matches(TICKS))
      throw page.error(
        "BAD_ARGUMENT",
        `${page.describe(element)} is nothing to tick. Name an option instead of ${on}.`,
      );
    if (isOn(element) === on) return on;
    context.acted();
    element.click();
    await pace.task();
    if (isOn(element) === on) return on;
    throw page.error("NOT_EDITABLE", `${page.describe(element)} did not change when it was clicked.`);
  }

  /** @param {HTMLElement} element */
  function isOn(element) {
    return /** @type {HTMLInputElement} */ (element).checked ?? element.getAttribute("aria-checked") === "true";
  }

  /** Options may come late: they are waited for. @param {HTMLSelectElement} list @param {string[]} words @param {PageContext} context @param {number} end */
  async function choose(list, words, context, end) {
    if (words.length > 1 && !list.multiple)
      throw page.error("BAD_ARGUMENT", `${page.describe(list)} takes one option, not ${words.length}.`);
    const found = await pace.until(
      () => allOf(list, words),
      context,
      Math.min(end, performance.now() + LATE_OPTIONS_MS),
    );
    if (!found)
      throw noSuchOption(
        list,
        words.filter((word) => !optionOf(list, word)),
        [...list.options].map((option) => option.label),
      );
    context.acted();
    page.caret.focus(list);
    for (const option of [...list.options]) option.selected = found.includes(option);
    list.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    list.dispatchEvent(new Event("change", { bubbles: true }));
    const labels = found.map((/** @type {HTMLOptionElement} */ option) => option.label);
    return list.multiple ? labels : labels[0];
  }

  const LATE_OPTIONS_MS = 1000;

  /** @param {HTMLSelectElement} list @param {string[]} words @returns {HTMLOptionElement[] | null} */
  function allOf(list, words) {
    const found = words.map((word) => optionOf(list, word));
    return found.every(Boolean) ? /** @type {HTMLOptionElement[]} */ (found) : null;
  }

  /** By value, else by what it says, the best level first. @param {HTMLSelectElement} list @param {string} word */
  function optionOf(list, word) {
    const options = [...list.options].filter((option) => !option.disabled);
    return (
      options.find((option) => option.value === word) ??
      bestOf(options, word, (/** @type {HTMLOptionElement} */ option) => option.label)
    );
  }

  /** @template T @param {T[]} options @param {string} word @param {(option: T) => string} label @returns {T | null} */
  function bestOf(options, word, label) {
    for (const level of [match.EXACT, match.FOLDED, match.PART]) {
      const fitting = options.filter((option) => match.level(word, [label(option)]) === level);
      if (fitting.length === 1 || (fitting.length && level !== match.PART)) return fitting[0];
    }
    return null;
  }

  /** @param {HTMLElement} element @param {string[]} missing @param {string[]} there */
  function noSuchOption(element, missing, there) {
    const some = there
      .slice(0, 12)
      .map((option) => `"${option.trim()}"`)
      .join(", ");
    const more = there.length > 12 ? `, and ${there.length - 12} more` : "";
    return page.error(
      "NO_SUCH_OPTION",
      `${page.describe(element)} has no option "${missing.join('", "')}". Options there: ${some || "none"}${more}.`,
      { options: there },
    );
  }

  /** Opens a drawn list (a combobox) and clicks the option. @param {HTMLElement} box @param {string} word @param {PageContext} context @param {number} end */
  async function pick(box, word, context, end) {
    context.acted();
    const field = page.place.of(box)?.element;
    if (field) await page.call("type", [page.handle(field, { role: "combobox" }), word, { clear: true }], context);
    else await page.call("click", [page.handle(box, { role: "combobox" })], context);
    const option = await pace.until(
      () => bestOf(drawnOptions(box), word, (element) => page.renderedText.textOf(element)),
      context,
      Math.min(end, performance.now() + DRAWN_OPTIONS_MS),
    );
    if (!option)
      throw noSuchOption(
        box,
        [word],
        drawnOptions(box).map((element) => page.renderedText.textOf(element)),
      );
    const said = page.renderedText.textOf(option);
    await page.call("click", [page.handle(option, { role: "option", name: said })], context);
    await pace.task();
    return said;
  }

  const DRAWN_OPTIONS_MS = 3000;

  /** The options of the list that belongs to a box; of every open list where it names none. @param {HTMLElement} box @returns {Element[]} */
  function drawnOptions(box) {
    const named = [...box.querySelectorAll("[aria-controls], [aria-owns]"), box].map(
      (element) => element.getAttribute("aria-controls") ?? element.getAttribute("aria-owns"),
    );
    const root = /** @type {Document | ShadowRoot} */ (box.getRootNode());
    const lists = named.flatMap((ids) => (ids ?? "").split(/\s+/)).map((id) => (id ? root.getElementById(id) : null));
    const scopes = lists.some(Boolean) ? lists : page.roots.all();
    const options = scopes.flatMap((/** @type {ParentNode | null} */ scope) => [
      ...(scope?.querySelectorAll('[role="option"], [role="menuitem"], [role="menuitemradio"]') ?? []),
    ]);
    const shown = options.filter(canBeChosen);
    return shown.length ? shown : lists.flatMap((list) => (list ? drawnInstead(list) : []));
  }

  /** @param {Element} option */
  function canBeChosen(option) {
    return page.isVisible(option) && option.getAttribute("aria-disabled") !== "true";
  }

  /** What is drawn beside a list that is there for screen readers only: the innermost texts of its pop-up. @param {Element} list */
  function drawnInstead(list) {
    let popup = list.parentElement;
    while (popup && !page.isVisible(popup)) popup = popup.parentElement;
    if (!popup || popup === list.ownerDocument.body) return [];
    return [...popup.querySelectorAll("*")].filter(
      (element) => !element.childElementCount && element.textContent?.trim() && canBeChosen(element),
    );
  }

  page.register("select", select);
})();
