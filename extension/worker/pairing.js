// @ts-check
// Exchanges a pairing code for the key of this browser. The key stays in chrome.storage.local of this profile.

import { Fault, faultFrom } from "../fault.js";
import { DEFAULT_PORT } from "../protocol.js";
import { keep } from "./state.js";

/** @param {{code: string, port?: number, name?: string}} request `name` is what the person calls this browser */
export async function pair({ code, port = DEFAULT_PORT, name = "" }) {
  const answer = await post(port, { code: code.trim().toUpperCase(), browser_name: name || "Chrome" });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw said.error ? faultFrom(said.error) : new Fault("PAIRING_REFUSED", `The relay answered with status ${answer.status}.`);
  await keep({ pairing: { browser: said.browser, key: said.key, name: said.name, port } });
}

export async function unpair() {
  await keep({ pairing: null });
}

/** @param {number} port @param {object} body */
async function post(port, body) {
  try {
    return await fetch(`http://127.0.0.1:${port}/pair`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Fault("NETWORK", `No relay answers on port ${port}. Start it with "runhome up", then try again.`);
  }
}
