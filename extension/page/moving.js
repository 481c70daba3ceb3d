// @ts-check
// Whether an element is on the move, and how long to wait for it. Endless animations are never waited for.

(() => {
  const { page } = globalThis.runhome;

  /** An animation with more than this to go is decoration: a person would click now. */
  const ENDLESS_MS = 2000;
  const MOVES =
    /^(transform|translate|scale|rotate|offset|left|right|top|bottom|inset|width|height|margin|padding|maxHeight|maxWidth|display|visibility)/;

  /**
   * Waits while a short animation moves the element or what holds it. A hidden tab draws nothing: no wait there.
   * @param {Element} element @param {number} end @returns {Promise<boolean>} false when it still moves at `end`
   */
  async function rests(element, end) {
    if (document.hidden) return true;
    let animations = movers(element);
    while (animations.length) {
      const left_ms = end - performance.now();
      if (left_ms <= 0) return false;
      const finished = Promise.allSettled(animations.map((animation) => animation.finished));
      await Promise.race([finished, page.pace.pause(Math.min(left_ms, ENDLESS_MS))]);
      animations = movers(element);
    }
    return true;
  }

  /** @param {Element} element */
  function movers(element) {
    const { ownerDocument: document } = element;
    return document
      .getAnimations()
      .filter((animation) => holds(targetOf(animation), element) && isShort(animation) && isMove(animation));
  }

  /** @param {Animation} animation @returns {Element | null} */
  function targetOf(animation) {
    return /** @type {KeyframeEffect | null} */ (animation.effect)?.target ?? null;
  }

  /** @param {Element | null} holder @param {Element} element */
  function holds(holder, element) {
    for (
      let node = /** @type {Node | null} */ (element);
      node && holder;
      node = node.parentNode ?? /** @type {ShadowRoot} */ (node).host ?? null
    ) {
      if (node === holder) return true;
    }
    return false;
  }

  /** @param {Animation} animation */
  function isShort(animation) {
    if (animation.playState !== "running") return false;
    const end = Number(animation.effect?.getComputedTiming().endTime ?? 0);
    return end - Number(animation.currentTime ?? 0) <= ENDLESS_MS;
  }

  /** @param {Animation} animation */
  function isMove(animation) {
    const frames = /** @type {KeyframeEffect} */ (animation.effect).getKeyframes();
    return frames.some((frame) => Object.keys(frame).some((property) => MOVES.test(property)));
  }

  page.moving = { rests };
})();
