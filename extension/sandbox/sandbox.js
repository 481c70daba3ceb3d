// @ts-check
// The sandboxed iframe: makes and ends Workers for the offscreen document. No body ever runs here, only in a Worker.

(() => {
  /** @type {Map<number, Worker>} */
  const workers = new Map();
  let source = "";

  addEventListener("message", ({ source: from, data, ports }) => {
    if (from !== parent) return;
    if (data.source) source = URL.createObjectURL(new Blob([data.source], { type: "text/javascript" }));
    if (data.spawn) spawn(data.spawn, data.helpers, ports[0]);
    if (data.end) end(data.end);
    if (data.ping) parent.postMessage({ pong: data.ping }, "*");
  });

  /** @param {number} id @param {string[]} helpers @param {MessagePort} port */
  function spawn(id, helpers, port) {
    const worker = new Worker(source);
    workers.set(id, worker);
    worker.postMessage({ port, helpers }, [port]);
  }

  /** @param {number} id */
  function end(id) {
    workers.get(id)?.terminate();
    workers.delete(id);
  }
})();
