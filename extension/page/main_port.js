// @ts-check
// The private line from the page scripts to main.js in the page's own world. What comes back is the page's word, no more.

(() => {
  const { page } = globalThis.runhome;
  if (page.main) return;

  const HANDSHAKE = "runhome-main-port";

  /** @typedef {{resolve: (value: any) => void, reject: (error: unknown) => void}} Waiting */

  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  let count = 0;

  // At once: main.js stands ready before us, and page code may not have run yet.
  const { port1: port, port2 } = new MessageChannel();
  port.onmessage = ({ data }) => settle(data);
  window.dispatchEvent(new MessageEvent(HANDSHAKE, { ports: [port2] }));

  /** @param {{id: number, ok: boolean, value: unknown, error: {code: string, message: string}}} answer */
  function settle({ id, ok, value, error }) {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (ok) asked?.resolve(value);
    else asked?.reject(page.error(error.code, error.message));
  }

  /** @param {object} message @param {AbortSignal} signal @returns {Promise<any>} */
  function ask(message, signal) {
    if (signal.aborted) return Promise.reject(page.error("ABORTED", "it was given up before it left"));
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
