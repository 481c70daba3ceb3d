// @ts-check
// One sandboxed iframe and the Workers in it. Makes and ends them, and notices when the iframe's process has died.

import { HELPERS } from "../protocol.js";

/** An out-of-memory death gives no event: a box that says nothing for so long, while a body runs, is dead. */
const SILENCE_MS = 6_000;
const PING_MS = 1_000;

/** One Worker, seen through its port. */
export class Slot {
  /** @param {number} id @param {Box} box @param {MessagePort} port */
  constructor(id, box, port) {
    this.id = id;
    this.box = box;
    this.port = port;
    /** The body it runs, or ran. */
    this.key = "";
    /** The number of the run it is on. */
    this.run = 0;
    /** Ends it when its body does not come again. */
    this.cooling = 0;
    /** Ends the run it is on. @type {(ended: {value?: unknown, error?: unknown}) => void} */
    this.settle = () => {};
    /** Takes its messages. @type {(data: any) => void} */
    this.receive = () => {};
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve) => {
      port.onmessage = ({ data }) => (data?.ready ? resolve() : this.receive(data));
    });
  }
}

export class Box {
  /** @param {string} page URL of sandbox.html @param {string} workerSource @param {(box: Box) => void} onDeath */
  constructor(page, workerSource, onDeath) {
    this.onDeath = onDeath;
    /** @type {Set<Slot>} */
    this.slots = new Set();
    /** It gets no new Workers and is removed when its last body ends. */
    this.retired = false;
    this.spawned = 0;
    this.heard = 0;
    this.watch = 0;
    this.frame = document.createElement("iframe");
    this.frame.src = page;
    this.loaded = new Promise((resolve) => {
      this.frame.onload = resolve;
    }).then(() => this.#post({ source: workerSource }));
    document.documentElement.append(this.frame);
  }

  /** A new Worker; `ready` says when it can run a body. */
  spawn() {
    const { port1, port2 } = new MessageChannel();
    this.spawned += 1;
    const slot = new Slot(this.spawned, this, port1);
    this.slots.add(slot);
    void this.loaded.then(() => this.#post({ spawn: slot.id, helpers: HELPERS }, [port2]));
    return slot;
  }

  /** @param {Slot} slot */
  end(slot) {
    slot.port.close();
    this.slots.delete(slot);
    this.#post({ end: slot.id });
  }

  /** Watches for the death of the process; from when a body begins. */
  startWatching() {
    this.heard = performance.now();
    this.watch ||= setInterval(() => this.#check(), PING_MS);
  }

  stopWatching() {
    clearInterval(this.watch);
    this.watch = 0;
  }

  /** Ends the process and everything in it. */
  remove() {
    this.stopWatching();
    this.frame.remove();
  }

  /** Takes the answer to a ping, if it is one of ours. @param {MessageEvent} event */
  hear({ source, data }) {
    if (data?.pong && source === this.frame.contentWindow) this.heard = performance.now();
  }

  #check() {
    this.#post({ ping: 1 });
    if (performance.now() - this.heard > SILENCE_MS) this.onDeath(this);
  }

  /** @param {object} message @param {Transferable[]} [transfer] */
  #post(message, transfer = []) {
    // Its origin is opaque, so no origin can be named; the window is our own iframe's.
    this.frame.contentWindow?.postMessage(message, "*", transfer);
  }
}
