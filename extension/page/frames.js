// @ts-check
// Which documents a target's `frame` means, among those of our own origin. Frames of other origins answer for themselves.

(() => {
  const { page } = globalThis.runhome;
  if (page.frames) return;

  /**
   * `frame` is a name, id, title or part of the address of a frame; a target of the frame element; or a list of these, from
   * the outside in. A number is Chrome's id of the frame in which this script runs: then only this document counts.
   * @param {unknown} frame @returns {Document[] | null} null: all documents
   */
  function documents(frame) {
    if (frame === undefined) return null;
    if (typeof frame === "number") return [document];
    let inside = /** @type {Document[] | null} */ (null);
    for (const step of Array.isArray(frame) ? frame : [frame]) inside = enter(step, inside);
    return inside;
  }

  /** @param {any} step @param {Document[] | null} inside @returns {Document[]} */
  function enter(step, inside) {
    const frames = typeof step === "string" ? named(step, inside) : [page.resolve(step)];
    const entered = frames.flatMap((frame) => page.tree.documentIn(frame) ?? []);
    if (entered.length) return entered;
    const others = all(null).map((frame) => `"${label(frame)}"`);
    const there = others.length ? `Frames here: ${others.slice(0, 6).join(", ")}.` : "There are no frames here.";
    throw page.error("NOT_FOUND", `No frame "${typeof step === "string" ? step : JSON.stringify(step)}". ${there}`, { sought: { frame: step }, candidates: [] });
  }

  /** @param {string} step @param {Document[] | null} inside */
  function named(step, inside) {
    const here = all(inside);
    const exact = here.filter((frame) => ["name", "id", "title", "src"].some((key) => frame.getAttribute(key) === step));
    return exact.length ? exact : here.filter((frame) => /** @type {HTMLIFrameElement} */ (frame).src?.includes(step));
  }

  /** @param {Document[] | null} inside @returns {Element[]} */
  function all(inside) {
    const frames = page.roots.all().flatMap((/** @type {ParentNode} */ root) => [...root.querySelectorAll("iframe, frame")]);
    return inside ? frames.filter((/** @type {Element} */ frame) => inside.some((one) => page.tree.contains(one.documentElement, frame))) : frames;
  }

  /** @param {Element} frame */
  function label(frame) {
    return frame.getAttribute("name") || frame.id || frame.getAttribute("title") || frame.getAttribute("src") || "";
  }

  /** Where a window is below the top one, as indices: "" is the top, "0.1" the second frame of its first. @param {Window} view */
  function pathOf(view) {
    const path = [];
    for (let frame = view; frame !== frame.parent; frame = frame.parent) path.unshift(indexIn(frame.parent, frame));
    return path.join(".");
  }

  /** @param {Window} parent @param {Window} frame */
  function indexIn(parent, frame) {
    for (let i = 0; i < parent.length; i += 1) if (parent[i] === frame) return i;
    return -1;
  }

  /** The element that shows a window's frame, by its index; also where the frame is of another origin. @param {number} index */
  function elementOf(index) {
    return all(null).find((frame) => /** @type {HTMLIFrameElement} */ (frame).contentWindow === window[index]) ?? null;
  }

  page.frames = { documents, pathOf, elementOf };
})();
