// @ts-check
// The options page: what this browser is called, where the relay listens, and unpairing.

import { DEFAULT_PORT } from "../protocol.js";
import { command, element } from "./commands.js";

const name = /** @type {HTMLInputElement} */ (element("name"));
const port = /** @type {HTMLInputElement} */ (element("port"));
const saved = await chrome.storage.local.get(["name", "port"]);
name.value = String(saved.name ?? "");
port.value = String(saved.port ?? DEFAULT_PORT);
await showPairing();

element("settings").addEventListener("submit", async (event) => {
  event.preventDefault();
  await chrome.storage.local.set({ name: name.value.trim(), port: Number(port.value) });
  element("saved").textContent = "Saved.";
});
element("unpair").addEventListener("click", async () => {
  await command("unpair");
  await showPairing();
});

async function showPairing() {
  const { pairing } = await command("status");
  element("pairing").textContent = pairing
    ? `Paired with ${pairing.name || "a relay"} on port ${pairing.port}.`
    : "Not paired. Open Runhome in the toolbar and type the code of “runhome pair”.";
  element("unpair").hidden = !pairing;
}
