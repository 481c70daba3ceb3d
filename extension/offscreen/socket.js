// @ts-check
// The one WebSocket to the relay: connects, proves the key, connects again. Knows no method.
//
// 1. `unpaired` until a pairing is configured. 2. `connecting` until the handshake is over. 3. `connected`. 4. When the socket
// closes: `stopped` with the reason after a close code that is final, else `waiting` and back to 2.

import { CLOSE, FRAME_LIMIT, HANDSHAKE_MS, Handshake, backoffMs, parseFrame, reconnects } from "../protocol.js";

/** @typedef {{browser: string, key: string, port: number}} Pairing */

export class Socket {
  /**
   * @param {{onFrame: (frame: Record<string, any>) => void, onStatus: (status: import("../types").SocketStatus) => void}} listener
   */
  constructor(listener) {
    this.listener = listener;
    /** @type {Pairing | null} */
    this.pairing = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempt = 0;
    this.timer = 0;
    /** @type {import("../types").SocketStatus} */
    this.status = { status: "unpaired", reason: "" };
  }

  /** Connects with this pairing, or stays away with null. The same pairing again changes nothing. @param {Pairing | null} pairing */
  configure(pairing) {
    if (JSON.stringify(pairing) === JSON.stringify(this.pairing)) return;
    this.pairing = pairing;
    this.connect();
  }

  /** Drops what there is and connects at once. */
  connect() {
    clearTimeout(this.timer);
    const old = this.socket;
    this.socket = null;
    old?.close(1000, "connecting anew");
    this.attempt = 0;
    if (this.pairing) this.#open(this.pairing);
    else this.#become("unpaired", "");
  }

  /** Sends a frame if connected; else it is dropped, as nobody waits for it any more. @param {object} frame */
  send(frame) {
    if (this.status.status !== "connected" || !this.socket) return;
    const text = JSON.stringify(frame);
    if (text.length < FRAME_LIMIT) this.socket.send(text);
  }

  /** @param {Pairing} pairing */
  #open(pairing) {
    this.#become("connecting", "");
    const socket = new WebSocket(`ws://127.0.0.1:${pairing.port}/extension`);
    const handshake = new Handshake(pairing);
    const slow = setTimeout(() => socket.close(CLOSE.SLOW, "the handshake took too long"), HANDSHAKE_MS);
    let turn = Promise.resolve();
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(handshake.hello()));
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      if (this.status.status === "connected") return this.#receive(socket, data);
      turn = turn.then(() => this.#shake(socket, handshake, data, slow));
    };
    socket.onclose = ({ code, reason }) => {
      clearTimeout(slow);
      if (socket === this.socket) this.#closed(code, reason);
    };
  }

  /** @param {WebSocket} socket @param {Handshake} handshake @param {unknown} data @param {number} slow */
  async #shake(socket, handshake, data, slow) {
    if (socket !== this.socket) return;
    if (this.status.status === "connected") return this.#receive(socket, data);
    const frame = parseFrame(data);
    const { send, welcome, close } = frame
      ? await handshake.receive(frame)
      : { send: undefined, welcome: undefined, close: { code: CLOSE.PROTOCOL, reason: "not a JSON object" } };
    if (socket !== this.socket) return;
    if (send) socket.send(JSON.stringify(send));
    if (close) {
      this.#closed(close.code, close.reason);
      socket.close(close.code, close.reason);
    }
    if (welcome) {
      clearTimeout(slow);
      this.attempt = 0;
      this.#become("connected", "");
    }
  }

  /** @param {WebSocket} socket @param {unknown} data */
  #receive(socket, data) {
    const frame = parseFrame(data);
    if (frame) this.listener.onFrame(frame);
    else socket.close(CLOSE.PROTOCOL, "not a JSON object");
  }

  /** @param {number} code @param {string} reason */
  #closed(code, reason) {
    this.socket = null;
    if (!reconnects(code)) return this.#become("stopped", stopReason(code, reason));
    this.#become("waiting", reason || "The relay is not there. Is Runhome running on this machine?");
    this.timer = setTimeout(() => this.pairing && this.#open(this.pairing), backoffMs(this.attempt));
    this.attempt += 1;
  }

  /** @param {import("../types").SocketStatus["status"]} status @param {string} reason */
  #become(status, reason) {
    this.status = { status, reason };
    this.listener.onStatus(this.status);
  }
}

/** @param {number} code @param {string} reason */
function stopReason(code, reason) {
  switch (code) {
    case CLOSE.REPLACED:
      return "Another window or profile with the same pairing took over.";
    case CLOSE.REFUSED:
      return "The relay did not accept this browser's key. Pair again.";
    case CLOSE.VERSION:
      return `Extension and relay are of different versions (${reason}). Update the older one.`;
    default:
      return "The pairing was revoked. Pair again.";
  }
}
