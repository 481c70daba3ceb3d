// @ts-check
// How page scripts wait: by tasks and by changes of the page, in background tabs too. It knows no target and no editor.
//
// A hidden tab draws no frames and rounds its timers up to a second, so nothing here asks for a frame, and a timer is
// only ever the second of two ways to be woken. Short pauses of a hidden tab are counted in message tasks.

(() => {
  const { page } = globalThis.runhome;
  if (page.pace) return;

  const POLL_MS = 100;

  /** One task later: promises have settled, MutationObservers and React's batches have run. */
  function task() {
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve(undefined);
      };
      port2.postMessage(null);
    });
  }

  /** @param {number} duration_ms short ones only: a hidden tab spends them in message tasks */
  async function pause(duration_ms) {
    if (!document.hidden) return new Promise((resolve) => setTimeout(resolve, duration_ms));
    const end = performance.now() + duration_ms;
    while (performance.now() < end) await task();
  }

  /**
   * The first truthy value of `check`, looked for now and after every change of the page (and ten times a second, for
   * what no observer tells: layout, values). Null when `end` passes first.
   * @template T
   * @param {() => T | Promise<T>} check @param {{signal: AbortSignal}} context
   * @param {number} end on the clock of performance.now() @returns {Promise<T | null>}
   */
  async function until(check, context, end) {
    const first = await check();
    if (first) return first;
    const bell = new Bell(context.signal);
    try {
      while (performance.now() < end) {
        const began = performance.now();
        await bell.rings(Math.min(POLL_MS, end - began));
        context.signal.throwIfAborted();
        const asked = performance.now();
        const found = await check();
        if (found) return found;
        bell.restFor(2 * (performance.now() - asked));
      }
      return null;
    } finally {
      bell.stop();
    }
  }

  /** Rings when the document changes. Rests between two rings, so that a busy page is not searched without end. */
  class Bell {
    /** @param {AbortSignal} signal */
    constructor(signal) {
      this.signal = signal;
      this.changed = false;
      this.restUntil = 0;
      /** @type {() => void} */
      this.wake = () => {};
      this.unwatch = page.roots.watch(() => {
        this.changed = true;
        this.wake();
      });
      this.onAbort = () => this.wake();
      signal.addEventListener("abort", this.onAbort);
    }

    /** @param {number} most_ms */
    async rings(most_ms) {
      if (!this.changed && !this.signal.aborted) {
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, most_ms);
          this.wake = () => {
            clearTimeout(timer);
            resolve(undefined);
          };
        });
      }
      const rest_ms = this.restUntil - performance.now();
      if (rest_ms > 1) await pause(Math.min(rest_ms, POLL_MS));
      this.changed = false;
    }

    /** @param {number} duration_ms */
    restFor(duration_ms) {
      this.restUntil = performance.now() + duration_ms;
    }

    stop() {
      this.unwatch();
      this.signal.removeEventListener("abort", this.onAbort);
    }
  }

  /**
   * Waits until `settled()` holds for two tasks in a row, or until nothing in `node` has changed for `quiet_ms`.
   * @param {Node} node @param {() => boolean} settled @param {{quiet_ms: number, most_ms: number}} bounds
   * @returns {Promise<boolean>} whether it held
   */
  async function settles(node, settled, { quiet_ms, most_ms }) {
    const began = performance.now();
    let lastChange = began;
    const observer = new MutationObserver(() => {
      lastChange = performance.now();
    });
    observer.observe(node, { subtree: true, childList: true, characterData: true, attributes: true });
    try {
      for (;;) {
        await task();
        if (settled()) {
          await task();
          if (settled()) return true;
        }
        const now = performance.now();
        if (now - lastChange >= quiet_ms || now - began >= most_ms) return settled();
        if (now - began > 4) await pause(4);
      }
    } finally {
      observer.disconnect();
    }
  }

  page.pace = { task, pause, until, settles };
})();
