// @ts-check
// Talks to the site's API. The token is in a cookie and goes back as a header; every write changes it.

export class Refused extends Error {}

/** @returns {string} */
function token() {
  const pair = document.cookie.split("; ").find((cookie) => cookie.startsWith("_csrf="));
  return pair ? decodeURIComponent(pair.slice("_csrf=".length)) : "";
}

/**
 * @param {string} method @param {string} url @param {unknown} [data]
 * @returns {Promise<any>} the answer's JSON, null where it has none; throws Refused with a sentence for the person
 */
export async function ask(method, url, data) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRF-Token"] = token();
  if (data !== undefined) headers["Content-Type"] = "application/json";
  const body = data === undefined ? undefined : JSON.stringify(data);
  const response = await fetch(url, { method, headers, body }).catch(() => {
    throw new Refused("The connection was lost.");
  });
  if (response.status === 401) location.assign("/login");
  const answer = response.status === 204 ? null : await response.json();
  if (answer?.error) throw new Refused(answer.error.message);
  return answer;
}
