// @ts-check
// The wire to the relay without the socket (docs/wire.md): version, close codes, handshake, frames. Pure.

export const VERSION = 1;
export const DEFAULT_PORT = 18792;
export const HANDSHAKE_MS = 10_000;
/** The longest frame that may be sent, in characters. */
export const FRAME_LIMIT = 64 * 1024 * 1024;

export const CLOSE = Object.freeze({
  REPLACED: 4000,
  REFUSED: 4001,
  PROTOCOL: 4002,
  VERSION: 4003,
  SLOW: 4008,
  REVOKED: 4010,
});

/** What a body may call on `tab`. */
export const HELPERS = Object.freeze([
  "find", "click", "type", "waitFor", "waitForUrl", "request", "requestJson", "getCsrfToken", "getCookie",
  "goto", "select", "press", "hover", "drag", "upload", "read", "extract", "screenshot", "log", "progress",
]);

/** The port by which the offscreen document learns that the service worker lives, and that it died. */
export const LIFE_PORT = "runhome-life";

/** What tab the extension calls its own. */
export const GROUP_TITLE = "Runhome";

/** @type {Set<number>} */
const FINAL = new Set([CLOSE.REPLACED, CLOSE.REFUSED, CLOSE.VERSION, CLOSE.REVOKED]);

/** Whether to connect again by itself after this close code. @param {number} code */
export function reconnects(code) {
  return !FINAL.has(code);
}

/** How long to wait before the nth attempt (from 0) to connect again, in ms. @param {number} attempt */
export function backoffMs(attempt) {
  return Math.min(100 * 2 ** attempt, 5_000);
}

/** 32 random bytes as hex digits. */
export function nonce() {
  return toHex(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * The proof that one side knows the pairing key.
 * @param {string} key 64 hex digits
 * @param {{role: "browser" | "relay", browser: string, relayNonce: string, browserNonce: string}} claim
 * @returns {Promise<string>} 64 hex digits
 */
export async function prove(key, claim) {
  return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", await hmacKey(key), proofText(claim))));
}

/**
 * Whether `proof` is right; compared in constant time by WebCrypto.
 * @param {string} key @param {Parameters<typeof prove>[1]} claim @param {unknown} proof
 */
export async function proves(key, claim, proof) {
  if (typeof proof !== "string" || !/^[0-9a-f]{64}$/.test(proof)) return false;
  return crypto.subtle.verify("HMAC", await hmacKey(key), fromHex(proof), proofText(claim));
}

/**
 * The extension's side of the handshake, without the socket: give it frames, it gives frames.
 *
 * 1. `hello()` is sent first. 2. `challenge` is answered with `proof`. 3. `welcome` ends it, if the relay's proof is right.
 */
export class Handshake {
  /** @param {{browser: string, key: string}} pairing @param {() => string} [newNonce] */
  constructor(pairing, newNonce = nonce) {
    this.pairing = pairing;
    this.browserNonce = newNonce();
    this.relayNonce = "";
  }

  hello() {
    return { type: "hello", version: VERSION, browser: this.pairing.browser };
  }

  /**
   * @param {Record<string, unknown>} frame
   * @returns {Promise<{send?: object, welcome?: {name: string}, close?: {code: number, reason: string}}>}
   */
  async receive(frame) {
    if (frame.type === "challenge" && !this.relayNonce) return this.#answer(frame);
    if (frame.type === "welcome" && this.relayNonce) return this.#check(frame);
    return { close: { code: CLOSE.PROTOCOL, reason: `unexpected frame "${String(frame.type)}" in the handshake` } };
  }

  /** @param {Record<string, unknown>} frame */
  async #answer(frame) {
    if (typeof frame.nonce !== "string" || !/^[0-9a-f]{64}$/.test(frame.nonce)) {
      return { close: { code: CLOSE.PROTOCOL, reason: "the challenge has no nonce of 64 hex digits" } };
    }
    this.relayNonce = frame.nonce;
    const hmac = await prove(this.pairing.key, this.#claim("browser"));
    return { send: { type: "proof", nonce: this.browserNonce, hmac } };
  }

  /** @param {Record<string, unknown>} frame */
  async #check(frame) {
    if (frame.version !== VERSION) {
      const reason = `the relay speaks version ${String(frame.version)}, this extension ${VERSION}`;
      return { close: { code: CLOSE.VERSION, reason } };
    }
    if (!(await proves(this.pairing.key, this.#claim("relay"), frame.hmac))) {
      return { close: { code: CLOSE.REFUSED, reason: "the relay did not prove the pairing key" } };
    }
    return { welcome: { name: String(frame.name ?? "") } };
  }

  /** @param {"browser" | "relay"} role */
  #claim(role) {
    return { role, browser: this.pairing.browser, relayNonce: this.relayNonce, browserNonce: this.browserNonce };
  }
}

/**
 * One text frame as an object, or null when it is not one.
 * @param {unknown} text @returns {Record<string, any> | null}
 */
export function parseFrame(text) {
  try {
    const frame = JSON.parse(String(text));
    return frame !== null && typeof frame === "object" && !Array.isArray(frame) ? frame : null;
  } catch {
    return null;
  }
}

/** Whether a frame is a request as docs/wire.md says. @param {Record<string, any>} frame */
export function isRequest(frame) {
  return Number.isInteger(frame.id) && frame.id > 0 && typeof frame.method === "string";
}

/** @param {Parameters<typeof prove>[1]} claim */
function proofText({ role, browser, relayNonce, browserNonce }) {
  return new TextEncoder().encode(["runhome", role, VERSION, browser, relayNonce, browserNonce].join("|"));
}

/** @param {string} key */
function hmacKey(key) {
  return crypto.subtle.importKey("raw", fromHex(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

/** @param {Uint8Array} bytes */
function toHex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} hex */
function fromHex(hex) {
  return new Uint8Array((hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}
