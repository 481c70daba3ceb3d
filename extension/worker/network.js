// @ts-check
// What leaves the tabs of the group, told to the offscreen document as it happens. Listens to no other tab.

import { tellOffscreen } from "./offscreen_document.js";

const TYPES = /** @type {chrome.webRequest.ResourceType[]} */ (/** @type {unknown} */ ([
  "main_frame", "sub_frame", "xmlhttprequest", "ping", "websocket", "other",
]));
const BODY_LIMIT = 16_000;
/** How long a request that has begun may wait to be told together with its end: most end sooner. */
const TELL_MS = 30;

/** @typedef {{tabId: number, requestId: string, method: string, url: string, timeStamp: number}} Details */
/** @typedef {{began: number, body: string | null, telling: ReturnType<typeof setTimeout>}} Begun */

/** @type {Map<number, () => void>} tab -> how to stop */
const watched = new Map();

/** Listens to these tabs, and to no other any more. @param {number[]} tabIds */
export function watchOnly(tabIds) {
  for (const [tabId, stop] of watched) {
    if (tabIds.includes(tabId)) continue;
    stop();
    watched.delete(tabId);
  }
  for (const tabId of tabIds) if (!watched.has(tabId)) watch(tabId);
}

/** @param {number} tabId */
function watch(tabId) {
  const filter = { urls: ["<all_urls>"], types: TYPES, tabId };
  /** @type {Map<string, Begun>} */
  const begun = new Map();

  /** @param {Details & {requestBody?: any}} details */
  const onBegun = (details) => {
    const body = bodyText(details.requestBody);
    const telling = setTimeout(() => tell(details, details.timeStamp, { body }), TELL_MS);
    begun.set(details.requestId, { began: details.timeStamp, body, telling });
    return undefined;
  };
  /** @param {Details & {statusCode?: number, error?: string}} details */
  const onEnded = (details) => {
    const { began = details.timeStamp, body = null, telling } = begun.get(details.requestId) ?? {};
    clearTimeout(telling);
    begun.delete(details.requestId);
    tell(details, began, { body, status: details.statusCode || null, error: details.error ?? null, ended: details.timeStamp });
  };

  chrome.webRequest.onBeforeRequest.addListener(onBegun, filter, ["requestBody"]);
  chrome.webRequest.onBeforeRedirect.addListener(onEnded, filter);
  chrome.webRequest.onCompleted.addListener(onEnded, filter);
  chrome.webRequest.onErrorOccurred.addListener(onEnded, filter);
  watched.set(tabId, () => {
    chrome.webRequest.onBeforeRequest.removeListener(onBegun);
    chrome.webRequest.onBeforeRedirect.removeListener(onEnded);
    chrome.webRequest.onCompleted.removeListener(onEnded);
    chrome.webRequest.onErrorOccurred.removeListener(onEnded);
  });
}

/**
 * A redirect keeps its request id, so each hop is known by id, method and URL.
 * @param {Details} details @param {number} began @param {object} rest
 */
function tell({ tabId, requestId, method, url }, began, rest) {
  const id = `${requestId} ${method} ${url}`;
  tellOffscreen("network", { tab: tabId, id, method, url, began, status: null, error: null, ended: null, body: null, ...rest });
}

/**
 * The body as text, as far as Chrome gives it. Source: chrome.webRequest, "requestBody".
 * @param {{raw?: {bytes?: ArrayBuffer, file?: string}[], formData?: Record<string, unknown[]>} | undefined} body
 */
function bodyText(body) {
  if (body?.formData) {
    const pairs = Object.entries(body.formData).flatMap(([name, values]) => values.map((value) => [name, String(value)]));
    return new URLSearchParams(pairs).toString().slice(0, BODY_LIMIT);
  }
  const bytes = body?.raw?.find((part) => part.bytes)?.bytes;
  return bytes ? new TextDecoder().decode(bytes.slice(0, BODY_LIMIT)) : null;
}
