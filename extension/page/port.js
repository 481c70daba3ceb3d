// @ts-check
// The line from this frame to the offscreen document: takes calls, gives answers, says where the page is. Loaded last.

(() => {
  const { page } = globalThis.runhome;

  /** At the deadline the offscreen document cancels the call; by itself a call ends only if that does not come. */
  const GRACE_MS = 1_000;

  /** @typedef {{id: number, call: string, args: unknown[], deadline_ms: number, options?: import("../types").PageOptions}} Asked */

  if (!page.port?.isOpen()) page.port = connect();

  function connect() {
    const port = chrome.runtime.connect({ name: "runhome-page" });
    /** @type {Map<number, AbortController>} */
    const running = new Map();
    /** @type {Map<number, (error: any) => void>} */
    const trusted = new Map();
    const listening = new AbortController();
    let open = true;
    port.onMessage.addListener((message) => {
      if (message.trusted) trusted.get(message.trusted)?.(message.error);
      else if (message.cancel) running.get(message.id)?.abort();
      else if (message.stop) end();
      else void answer(port, running, trusted, message);
    });
    port.onDisconnect.addListener(end);
    port.postMessage({ hello: { path: page.frames.pathOf(window), name: window.name, ready: isParsed(), ...place() } });
    follow(port, listening.signal);
    return { disconnect: end, isOpen: () => open };

    function end() {
      open = false;
      listening.abort();
      for (const controller of running.values()) controller.abort();
      port.disconnect();
    }
  }

  /** Tells of every change of place and when the document can be acted in. @param {chrome.runtime.Port} port @param {AbortSignal} signal */
  function follow(port, signal) {
    document.addEventListener("DOMContentLoaded", () => port.postMessage({ ready: true, ...place() }), { signal });
    const { navigation } = window;
    navigation.addEventListener("currententrychange", () => port.postMessage(place()), { signal });
    navigation.addEventListener("navigate", (event) => {
      if (!event.hashChange && event.downloadRequest === null) port.postMessage({ leaving: true });
    }, { signal });
    for (const over of ["navigatesuccess", "navigateerror"]) {
      navigation.addEventListener(over, () => port.postMessage({ leaving: false }), { signal });
    }
  }

  /** Whether deferred scripts and modules have run too: an interactive document may still wait for them. */
  function isParsed() {
    if (document.readyState !== "interactive") return document.readyState === "complete";
    const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    return navigation === undefined || navigation.domContentLoadedEventStart > 0;
  }

  function place() {
    return { url: location.href, title: document.title };
  }

  /** @param {chrome.runtime.Port} port @param {Map<number, AbortController>} running @param {Map<number, (error: any) => void>} trusted @param {Asked} asked */
  async function answer(port, running, trusted, { id, call, args, deadline_ms, options = {} }) {
    const controller = new AbortController();
    running.set(id, controller);
    const timer = setTimeout(() => controller.abort(), deadline_ms + GRACE_MS);
    let acted = false;
    /** What the next message takes along. @type {Record<string, unknown>} */
    let held = {};
    /** @param {object} message */
    const post = (message) => {
      port.postMessage({ id, note: held, ...message });
      held = {};
    };
    /** Nothing begins in a call that was given up. */
    const begin = () => {
      if (controller.signal.aborted) throw page.error("TIMEOUT", "The call was given up before it went on.");
      acted = true;
    };
    const context = {
      signal: controller.signal,
      deadline: performance.now() + deadline_ms,
      options,
      /** @param {Record<string, unknown>} note */
      note(note) {
        if (note.acted) begin();
        post({ note: { ...held, ...note } });
      },
      /** @param {Record<string, unknown>} note */
      noteLater: (note) => Object.assign(held, note),
      acted: () => (acted ? begin() : context.note({ acted: true })),
      trusted: options.trusted ? askTrusted(port, trusted, id) : undefined,
    };
    try {
      const value = await page.call(call, args, context);
      post({ ok: true, value, acted });
    } catch (error) {
      const { code, message, details = {} } = /** @type {any} */ (error);
      post({ ok: false, error: { code: typeof code === "string" ? code : "INTERNAL", message: String(message), details }, acted });
    } finally {
      clearTimeout(timer);
      running.delete(id);
    }
  }

  /** Real keys, by the debugger: sent where the focus is. @param {chrome.runtime.Port} port @param {Map<number, (error: any) => void>} waiting @param {number} id */
  function askTrusted(port, waiting, id) {
    /** @param {import("../types").TrustedAction[]} actions @returns {Promise<void>} */
    return (actions) =>
      new Promise((resolve, reject) => {
        const number = waiting.size + 1;
        waiting.set(number, (error) => (error ? reject(page.error(error.code, error.message, error.details)) : resolve()));
        const read = actions.map((action) => ("key" in action ? { key: page.trusted.readKey(action.key) } : action));
        port.postMessage({ id, trusted: number, actions: read });
      });
  }
})();
