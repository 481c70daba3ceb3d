// @ts-check
// The pointer: `click` and `hover`, with every event that a mouse would give, in its order (UI Events, Pointer Events).

(() => {
  const { page } = globalThis.runhome;

  /** @typedef {import("../types").PageContext} PageContext */
  /** @typedef {{x: number, y: number, hit: Element}} Spot */

  const FOCUSABLE =
    "a[href], area[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]";

  /**
   * Args: target, {timeout, double, button: "left" | "right"}.
   * @param {any[]} args @param {PageContext} context
   */
  async function click([target, options = {}], context) {
    const element = await page.actionable.ready(target, context, { timeout: options?.timeout, uncovered: true });
    const { spot } = page.hit.find(element);
    if (!spot) throw page.error("STALE", `${page.describe(element)} went away before the click.`);
    context.acted();
    moveTo(spot);
    press(spot, 1, options?.button === "right" ? 2 : 0);
    if (options?.double) press(spot, 2, 0);
    return null;
  }

  /** Args: target, {timeout}. @param {any[]} args @param {PageContext} context */
  async function hover([target, options = {}], context) {
    const element = await page.actionable.ready(target, context, { timeout: options?.timeout, uncovered: true });
    const { spot } = page.hit.find(element);
    if (spot) moveTo(spot);
    return null;
  }

  /** @type {Element | null} */
  let under = null;

  /** Leaves what was under the pointer, enters what is now. @param {Spot} spot */
  function moveTo(spot) {
    const { hit } = spot;
    const [left, entered] = [lineOf(under), lineOf(hit)];
    if (under?.isConnected && under !== hit) {
      both(under, "out", spot, { relatedTarget: hit });
      for (const element of left.filter((element) => !entered.includes(element)))
        both(element, "leave", spot, { bubbles: false });
    }
    if (under !== hit) {
      both(hit, "over", spot, { relatedTarget: under });
      const fresh = entered.filter((element) => !left.includes(element)).reverse();
      for (const element of fresh) both(element, "enter", spot, { bubbles: false });
    }
    both(hit, "move", spot, {});
    under = hit;
  }

  /** @param {Spot} spot @param {number} detail @param {0 | 2} button */
  function press(spot, detail, button) {
    const { hit } = spot;
    const held = { button, buttons: button === 2 ? 2 : 1, detail };
    const kept = pointer(hit, "pointerdown", spot, { ...held, detail: 0 });
    if (kept && mouse(hit, "mousedown", spot, held)) focusAt(hit);
    const up = hit.isConnected ? hit : spot.hit.ownerDocument.body;
    pointer(up, "pointerup", spot, { button, buttons: 0 });
    if (kept) mouse(up, "mouseup", spot, { button, buttons: 0, detail });
    if (!hit.isConnected) return;
    if (button === 2) mouse(hit, "contextmenu", spot, { button, detail: 0 });
    else pointer(hit, "click", spot, { button, detail });
    if (detail === 2) mouse(hit, "dblclick", spot, { button, detail });
  }

  /** @param {Element} hit */
  function focusAt(hit) {
    const focusable = lineOf(hit).find((element) => element.matches(FOCUSABLE) && !element.matches(":disabled"));
    if (focusable) return page.caret.focus(focusable);
    const active = page.caret.deepActive(hit.ownerDocument);
    if (active && active !== hit.ownerDocument.body) page.caret.blur(active);
  }

  /** The element and what holds it as it is drawn, inside out. @param {Element | null} element @returns {Element[]} */
  function lineOf(element) {
    const line = [];
    for (let node = /** @type {any} */ (element); node; node = node.assignedSlot ?? node.parentNode ?? node.host) {
      if (node.nodeType === Node.ELEMENT_NODE) line.push(node);
    }
    return line;
  }

  /** @param {Element} element @param {string} what @param {Spot} spot @param {MouseEventInit} more */
  function both(element, what, spot, more) {
    pointer(element, `pointer${what}`, spot, more);
    mouse(element, `mouse${what}`, spot, more);
  }

  /** @param {Element} element @param {string} type @param {Spot} spot @param {PointerEventInit} more */
  function pointer(element, type, spot, more) {
    const moves = !/down|up|click/.test(type);
    const pressure = more.buttons ? 0.5 : 0;
    const init = { pointerId: 1, pointerType: "mouse", isPrimary: true, pressure, ...(moves ? { button: -1 } : {}) };
    return element.dispatchEvent(new PointerEvent(type, { ...common(element, spot), ...init, ...more }));
  }

  /** @param {Element} element @param {string} type @param {Spot} spot @param {MouseEventInit} more */
  function mouse(element, type, spot, more) {
    return element.dispatchEvent(new MouseEvent(type, { ...common(element, spot), ...more }));
  }

  /** @param {Element} element @param {Spot} spot */
  function common(element, { x, y }) {
    const view = /** @type {Window} */ (element.ownerDocument.defaultView);
    return {
      bubbles: true,
      cancelable: true,
      composed: true,
      view,
      clientX: x,
      clientY: y,
      screenX: view.screenX + x,
      screenY: view.screenY + y,
    };
  }

  page.pointer = { moveTo, press, pointer, mouse };
  page.register("click", click);
  page.register("hover", hover);
})();
