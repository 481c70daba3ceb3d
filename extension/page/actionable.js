// @ts-check
// From a target to an element that can be acted on now: exactly one, visible, enabled, at rest, not covered. It waits for
// each of these as long as the call may take, and says which one did not come.

(() => {
  const { page } = globalThis.runhome;
  const { pace } = page;

  /** @typedef {import("../types").PageContext} PageContext */
  /**
   * timeout in ms · uncovered: a pointer must reach it · unseen: which invisible elements will do (a file input behind a
   * button, the tiny textarea of a drawn editor)
   * @typedef {{timeout?: number, uncovered?: boolean, unseen?: (element: Element) => boolean}} Wants
   */

  /** Two equal buttons may be one a moment later, while a page draws itself anew. */
  const AMBIGUOUS_MS = 500;
  /** Without a timeout of its own a helper gives up before the run does, so that its own error is the one that is told. */
  const PATIENCE_MS = 5000;
  const MARGIN_MS = 50;
  const TEXT_ROLES = new Set(["textbox", "searchbox", "combobox"]);

  /** @param {PageContext} context @param {number} [timeout_ms] */
  function endOf(context, timeout_ms = PATIENCE_MS) {
    return Math.min(performance.now() + timeout_ms, context.deadline - MARGIN_MS);
  }

  /**
   * The one element that a target means, as soon as there is exactly one.
   * @param {any} target @param {PageContext} context @param {Wants} [wants] @returns {Promise<HTMLElement>}
   */
  async function locate(target, context, wants = {}) {
    const began = performance.now();
    const end = endOf(context, wants.timeout);
    /** @type {any} */
    let failure = null;
    const found = await pace.until(
      () => {
        try {
          return { element: page.resolve(target) };
        } catch (error) {
          failure = error;
          const element = wants.unseen || mayTakeText(target) ? unseen(target, wants.unseen ?? page.place.isDrawn) : null;
          if (element) return { element };
          return isFinal(failure, performance.now() - began) ? { element: null } : null;
        }
      },
      context,
      end,
    );
    if (found?.element) return found.element;
    throw failure;
  }

  /** Whether it may mean what a drawn editor listens with. @param {any} target */
  function mayTakeText(target) {
    const { role = null } = Object(target);
    return role === null || TEXT_ROLES.has(String(role).trim().toLowerCase());
  }

  /** @param {any} target @param {(element: Element) => boolean} willDo */
  function unseen(target, willDo) {
    try {
      const element = page.resolve(target, { hidden: true });
      return willDo(element) ? element : null;
    } catch {
      return null; // the failure that counts is the one about visible elements
    }
  }

  /** @param {{code?: string}} failure @param {number} waited_ms */
  function isFinal(failure, waited_ms) {
    if (failure.code === "AMBIGUOUS") return waited_ms > AMBIGUOUS_MS;
    return failure.code !== "NOT_FOUND" && failure.code !== "NOT_VISIBLE" && failure.code !== "STALE";
  }

  /**
   * @param {any} target @param {PageContext} context @param {Wants} [wants] @returns {Promise<HTMLElement>}
   * @throws NOT_FOUND, AMBIGUOUS, NOT_VISIBLE, DISABLED, NOT_STABLE, COVERED
   */
  async function ready(target, context, wants = {}) {
    const end = endOf(context, wants.timeout);
    /** @type {any} */
    let failure = null;
    const element = await pace.until(
      async () => {
        const found = await locate(target, context, { ...wants, timeout: end - performance.now() });
        failure = obstacle(found, wants);
        return failure ? null : found;
      },
      context,
      end,
    );
    if (!element) throw failure;
    if (!(await page.moving.rests(element, end))) throw stillMoves(element);
    if (element.isConnected) return element;
    return ready(target, context, { ...wants, timeout: end - performance.now() });
  }

  /** @param {HTMLElement} element @param {Wants} wants */
  function obstacle(element, wants) {
    if (!page.isVisible(element) && !wants.unseen?.(element)) return notVisible(element, "is not visible");
    if (isDisabled(element)) return disabled(element);
    if (!wants.uncovered) return null;
    const { spot, cover } = page.hit.find(element);
    if (spot) return null;
    return cover ? covered(element, cover) : notVisible(element, "lies outside the part of the page that can be seen");
  }

  /** HTML's own rule (fieldsets too), and ARIA's, which holds for everything inside. @param {Element} element */
  function isDisabled(element) {
    return element.matches(":disabled") || element.closest('[aria-disabled="true"]') !== null;
  }

  /** @param {Element} element */
  function disabled(element) {
    return page.error(
      "DISABLED",
      `${page.describe(element)} is disabled. Something else has to be filled in or chosen first.`,
    );
  }

  /** @param {Element} element @param {string} how */
  function notVisible(element, how) {
    return page.error("NOT_VISIBLE", `${page.describe(element)} is there but ${how}.`);
  }

  /** @param {Element} element @param {Element} cover */
  function covered(element, cover) {
    const by = page.describe(cover);
    return page.error(
      "COVERED",
      `${page.describe(element)} is covered by ${by}. Close or scroll away what covers it first.`,
      { by },
    );
  }

  /** @param {Element} element */
  function stillMoves(element) {
    return page.error(
      "NOT_STABLE",
      `${page.describe(element)} does not stop moving. Wait for the end of its animation first.`,
    );
  }

  page.actionable = { locate, ready, endOf };
})();
