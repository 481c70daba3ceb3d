// @ts-check
// The helper `drag`: from one element to another, for pages that listen to the pointer and for those that listen to HTML's
// drag and drop. Both are told, as a mouse would.

(() => {
  const { page } = globalThis.runhome;

  const STEPS = 5;

  /** Args: from, to, {timeout}. @param {any[]} args @param {import("../types").PageContext} context */
  async function drag([from, to, options], context) {
    const source = await page.actionable.ready(from, context, { timeout: options?.timeout, uncovered: true });
    const goal = await page.actionable.ready(to, context, { timeout: options?.timeout });
    const start = spotOn(source);
    context.acted();
    page.pointer.moveTo(start);
    page.pointer.pointer(start.hit, "pointerdown", start, HELD);
    page.pointer.mouse(start.hit, "mousedown", start, HELD);
    if (isDraggable(source)) await dragAndDrop(source, goal, start);
    else await movePointer(start, goal);
    return null;
  }

  const HELD = { button: 0, buttons: 1, detail: 1 };

  /** @param {Element} element */
  function isDraggable(element) {
    return element.closest('[draggable="true"]') !== null;
  }

  /** @param {Element} source @param {Element} goal @param {any} start */
  async function dragAndDrop(source, goal, start) {
    const dataTransfer = new DataTransfer();
    const dragged = /** @type {Element} */ (source.closest('[draggable="true"]'));
    send(dragged, "dragstart", dataTransfer, start);
    await page.pace.task();
    const end = spotOn(goal);
    send(end.hit, "dragenter", dataTransfer, end);
    send(end.hit, "dragover", dataTransfer, end);
    await page.pace.task();
    send(end.hit, "drop", dataTransfer, end);
    send(dragged, "dragend", dataTransfer, end);
  }

  /** @param {any} start @param {Element} goal */
  async function movePointer(start, goal) {
    for (let step = 1; step <= STEPS; step += 1) {
      const end = spotOn(goal);
      const x = start.x + ((end.x - start.x) * step) / STEPS;
      const y = start.y + ((end.y - start.y) * step) / STEPS;
      const hit = goal.ownerDocument.elementFromPoint(x, y) ?? goal;
      page.pointer.pointer(hit, "pointermove", { x, y, hit }, HELD);
      page.pointer.mouse(hit, "mousemove", { x, y, hit }, HELD);
      await page.pace.task();
    }
    const end = spotOn(goal);
    page.pointer.pointer(end.hit, "pointerup", end, { button: 0, buttons: 0 });
    page.pointer.mouse(end.hit, "mouseup", end, { button: 0, buttons: 0 });
  }

  /** @param {Element} element */
  function spotOn(element) {
    const { spot } = page.hit.find(element);
    if (spot) return spot;
    const box = element.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2, hit: element };
  }

  /**
   * @param {Element} element @param {string} type @param {DataTransfer} dataTransfer @param {{x: number, y: number}} [at]
   * @returns {boolean} whether somebody took it
   */
  function send(element, type, dataTransfer, at = spotOn(element)) {
    return !element.dispatchEvent(
      new DragEvent(type, {
        dataTransfer,
        clientX: at.x,
        clientY: at.y,
        bubbles: true,
        cancelable: true,
        composed: true,
      }),
    );
  }

  page.dragging = { send };
  page.register("drag", drag);
})();
