// Stands in for the port: lets a test call a page script as the offscreen document would, and name elements by selector.
(() => {
  const { page } = globalThis.runhome;
  page.isVisible ??= (e) => e.getClientRects().length > 0;
  page.describe ??= (e) => e.localName;
  const real = page.resolve;
  page.resolve = (target, ...rest) => (target?.css ? query(target.css) : real(target, ...rest));

  function query(path) {
    let scope = document;
    let element = null;
    for (const part of path.split(">>")) {
      element = scope.querySelector(part.trim());
      if (!element) throw page.error("NOT_FOUND", `Nothing matches ${path}.`, { sought: path, candidates: [] });
      scope = element.shadowRoot ?? element.contentDocument ?? element;
    }
    return element;
  }

  const waiting = new Map();
  globalThis.standIn = {
    async call(helper, args, { deadline_ms, options }) {
      const notes = [];
      const state = { acted: false };
      const controller = new AbortController();
      globalThis.standIn.abort = () => controller.abort();
      const context = {
        signal: controller.signal,
        deadline: performance.now() + deadline_ms,
        acted: () => (state.acted = true),
        note: (note) => {
          state.acted ||= note.acted === true;
          notes.push(note);
        },
        noteLater: (note) => notes.push(note),
        trusted: options.input === "trusted" && ((actions) => new Promise((resolve) => { waiting.set("input", resolve); trustedInput(JSON.stringify(actions)); })),
        options,
      };
      const began = performance.now();
      const answer = await page.call(helper, args, context).then(
        (value) => ({ ok: true, value: value ?? null }),
        (error) => ({ ok: false, error: { code: error.code ?? error.name, message: String(error.message), details: error.details ?? {} } }),
      );
      return { ...answer, ...state, notes, took_ms: performance.now() - began };
    },
    inputDone: () => waiting.get("input")(),
  };
})();
