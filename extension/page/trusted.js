// @ts-check
// What trusted input needs to know of the page: where a click has to go, and which key is meant. The debugger does the rest,
// because the manifest says so (`input: trusted`).

(() => {
  const { page } = globalThis.runhome;

  /** @typedef {import("../types").PageContext} PageContext */

  /** Where the middle of a target is in the tab, in CSS pixels. Args: target, {timeout}. @param {any[]} args @param {PageContext} context */
  async function aim([target, options], context) {
    const element = await page.actionable.ready(target, context, { timeout: options?.timeout, uncovered: true });
    const { spot } = page.hit.find(element);
    if (!spot) throw page.error("STALE", `${page.describe(element)} went away before the click.`);
    const { x, y } = inTab(element.ownerDocument.defaultView, spot);
    return { x, y };
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

  /** Adds up where the frames lie, as far as they can be seen from within. @param {Window | null} view @param {{x: number, y: number}} spot */
  function inTab(view, { x, y }) {
    let at = { x, y };
    for (let frame = view; frame && frame !== frame.top; frame = frame.parent) {
      const element = frame.frameElement;
      if (!element) throw page.error("INPUT_REFUSED", "Trusted input cannot aim into a frame of another site. Use input: dom for it.");
      const box = element.getBoundingClientRect();
      at = { x: at.x + box.left + element.clientLeft, y: at.y + box.top + element.clientTop };
    }
    return at;
  }

  page.trusted = { readKey };
  page.register("aim", aim);
  page.register("aimKey", aimKey);
})();
