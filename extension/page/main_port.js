// @ts-check
// The private line from the page scripts to main.js in the page's own world. What comes back is the page's word, no more.
//
// 1. A port is offered at once, and main.js, which as a rule stands ready by then, says that it took it.
// 2. Chrome does not promise that main.js comes first: a port that nobody took is offered again when something is asked.

(() => {
  const { page } = globalThis.runhome;
  if (page.main) return;

  const HANDSHAKE = "runhome-main-port";
  const OFFER_MS = 50;

  /** @typedef {{resolve: (value: any) => void, reject: (error: unknown) => void}} Waiting */

  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  let count = 0;

  /** The one that main.js took. @type {MessagePort | null} */
  let line = null;
  let wake = () => {};
  const taken = new Promise((resolve) => {
    wake = () => resolve(undefined);
  });
  offer();

  function offer() {
    const { port1: port, port2 } = new MessageChannel();
    port.onmessage = ({ data }) => {
      if (data.ready) {
        line ??= port;
        wake();
      } else if (port === line) settle(data); // one that was offered and not taken first has no say
    };
    window.dispatchEvent(new MessageEvent(HANDSHAKE, { ports: [port2] }));
  }

  /** @param {AbortSignal} signal @returns {Promise<MessagePort>} */
  async function opened(signal) {
    while (!line) {
      offer();
      await Promise.race([taken, new Promise((resolve) => setTimeout(resolve, OFFER_MS))]);
      if (signal.aborted) throw page.error("ABORTED", "it was given up before it left");
    }
    return line;
  }

  /** @param {{id: number, ok: boolean, value: unknown, error: {code: string, message: string}}} answer */
  function settle({ id, ok, value, error }) {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (ok) asked?.resolve(value);
    else asked?.reject(page.error(error.code, error.message));
  }

  /** @param {object} message @param {AbortSignal} signal @returns {Promise<any>} */
  async function ask(message, signal) {
    if (signal.aborted) throw page.error("ABORTED", "it was given up before it left");
    const port = line ?? (await opened(signal));
    count += 1;
    const id = count;
    const abort = () => port.postMessage({ id, abort: true });
    signal.addEventListener("abort", abort);
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    port.postMessage({ ...message, id });
    return answer.finally(() => signal.removeEventListener("abort", abort));
  }

  /**
   * The page's own fetch. Rejects with NETWORK, TIMEOUT or ABORTED.
   * @param {object} asked what `send` in main.js takes @param {AbortSignal} signal
   */
  function fetch(asked, signal) {
    return ask({ fetch: asked }, signal);
  }

  /** @param {string} path dotted @param {AbortSignal} signal @returns {Promise<string | null>} */
  async function variable(path, signal) {
    const value = await ask({ variable: path }, signal);
    return typeof value === "string" || typeof value === "number" ? String(value) : null;
  }

  page.main = { fetch, variable };
})();
