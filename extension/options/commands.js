// @ts-check
// What the popup and the options page share: asking the service worker, and finding an element by its id.

/**
 * Asks the service worker. Throws an Error with a message for a person.
 * @param {string} type @param {object} [params] @returns {Promise<any>}
 */
export async function command(type, params = {}) {
  const { ok, value, error } = await chrome.runtime.sendMessage({ type, ...params });
  if (!ok) throw new Error(error.message);
  return value;
}

/** @param {string} id */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no element "${id}" in this page`);
  return found;
}
