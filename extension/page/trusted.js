// @ts-check
// What trusted input needs to know of the page: where a click has to go, and which key is meant. The debugger does the rest,
// because the manifest says so (`input: trusted`).

(() => {
  const { page } = globalThis.runhome;

  /** @typedef {import("../types").PageContext} PageContext */

  /**
   * A spot in CSS pixels, in the tab (`path` is "") or in the frame of that path, beyond which this document cannot see.
   * @typedef {{x: number, y: number, path: string}} Aim
   */

  /** Where the middle of a target is. Args: target, {timeout}. @param {any[]} args @param {PageContext} context @returns {Promise<Aim>} */
  async function aim([target, options], context) {
    const element = await page.actionable.ready(target, context, { timeout: options?.timeout, uncovered: true });
    const { spot } = page.hit.find(element);
    if (!spot) throw page.error("STALE", `${page.describe(element)} went away before the click.`);
    return outside(/** @type {Window} */ (element.ownerDocument.defaultView), spot);
  }

  /** Where a spot of one of this document's frames is. Args: the frame's index, {x, y}. @param {any[]} args @returns {Promise<Aim>} */
  async function aimThrough([index, spot]) {
    const frame = page.frames.elementOf(index);
    if (!frame) throw page.error("STALE", "The frame with the target went away before the click.");
    const at = through(frame, spot);
    const cover = /** @type {Document | ShadowRoot} */ (frame.getRootNode()).elementFromPoint(at.x, at.y);
    if (cover !== frame) {
      const by = cover ? page.describe(cover) : "nothing: it lies outside the part of the page that can be seen";
      throw page.error("COVERED", `The place in the frame is covered by ${by}.`, { by });
    }
    return outside(/** @type {Window} */ (frame.ownerDocument.defaultView), at);
  }

  /** Focuses a target if there is one, and reads the key. Args: key, target, {timeout}. @param {any[]} args @param {PageContext} context */
  async function aimKey([words, target, options], context) {
    const key = readKey(String(words));
    if (target) page.caret.focus(await page.actionable.ready(target, context, { timeout: options?.timeout }));
    return key;
  }

  /** A key as the debugger takes it. @param {string} words */
  function readKey(words) {
    const { key, modifiers } = page.keys.parse(words);
    return { ...key, modifiers };
  }

  /** As far out as this document can see. @param {Window} view @param {{x: number, y: number}} spot @returns {Aim} */
  function outside(view, { x, y }) {
    let [frame, at] = [view, { x, y }];
    while (frame.frameElement) {
      at = through(frame.frameElement, at);
      frame = frame.parent;
    }
    return { ...at, path: page.frames.pathOf(frame) };
  }

  /** @param {Element} frame @param {{x: number, y: number}} spot */
  function through(frame, { x, y }) {
    const box = frame.getBoundingClientRect();
    const { paddingLeft, paddingTop } = getComputedStyle(frame);
    return { x: x + box.left + frame.clientLeft + parseFloat(paddingLeft), y: y + box.top + frame.clientTop + parseFloat(paddingTop) };
  }

  page.trusted = { readKey };
  page.register("aim", aim);
  page.register("aimThrough", aimThrough);
  page.register("aimKey", aimKey);
})();
