// @ts-check
// What a manifest permits, asked before a helper call leaves the offscreen document. Pure; every refusal says what is needed.

import { Fault } from "../fault.js";
import { originMatches, parseUrl, requestMatches, siteMatches } from "../patterns.js";

/** @typedef {import("../types").SubroutineOnWire} SubroutineOnWire */

/** Headers by which a server takes a request for one of another method. */
const OVERRIDES = new Set(["x-http-method-override", "x-http-method", "x-method-override"]);

/**
 * The refusal leaves out what follows the path: an address on another site may hold there what the body must not know.
 * @param {SubroutineOnWire} subroutine @param {string} url where the page is
 */
export function checkSite({ name, sites }, url) {
  if (siteMatches(sites, url)) return;
  const at = placeOf(url);
  throw new Fault(
    "SITE_REFUSED",
    `The page is at ${at}, where "${name}" may not act (sites: ${sites.join(", ")}). ` +
      "If this is a login page, log in there in this browser and run again.",
    { url: at, sites },
  );
}

/** @param {SubroutineOnWire} subroutine @param {string} url */
export function mayActIn({ sites }, url) {
  return originMatches(sites, url);
}

/** @param {SubroutineOnWire} subroutine @param {string} url where the frame is */
export function checkFrame({ name, sites }, url) {
  if (originMatches(sites, url)) return;
  const at = placeOf(url);
  throw new Fault("SITE_REFUSED", `The frame is at ${at}, where "${name}" may not act (sites: ${sites.join(", ")}).`, { url: at, sites });
}

/** Origin and path; the scheme of an address that has none. @param {string} url */
function placeOf(url) {
  const at = parseUrl(url);
  return at && at.origin !== "null" ? at.origin + at.pathname : `${url.split(":")[0]}:`;
}

/**
 * Checks a request; gives its method and absolute URL.
 * @param {SubroutineOnWire} subroutine @param {unknown[]} args of `request` @param {string} pageUrl
 * @returns {{method: string, url: string}}
 */
export function checkRequest(subroutine, [place, options], pageUrl) {
  const wanted = typeof place === "string" ? place : /** @type {any} */ (place)?.url;
  const given = /** @type {any} */ (typeof place === "string" ? options : place) ?? {};
  const url = typeof wanted === "string" && URL.canParse(wanted, pageUrl) ? new URL(wanted, pageUrl).href : null;
  if (!url) throw new Fault("BAD_ARGUMENT", `request needs a URL first, not ${JSON.stringify(place) ?? "nothing"}.`);
  const method = String(given.method ?? "GET").toUpperCase();
  checkRequestLine(subroutine, method, url, pageUrl, "");
  for (const other of overriding(given.headers)) checkRequestLine(subroutine, other, url, pageUrl, ` as a ${method} with another method in its headers`);
  return { method, url };
}

/** The methods that headers name instead of the request's own. @param {any} headers an object or pairs @returns {string[]} */
function overriding(headers) {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers ?? {});
  return pairs.filter((pair) => OVERRIDES.has(String(pair?.[0]).trim().toLowerCase())).map((pair) => String(pair[1]).trim().toUpperCase());
}

/**
 * Checks where a request was redirected to: the last hop is what a page can know.
 * @param {SubroutineOnWire} subroutine @param {string} method @param {string} url @param {string} pageUrl
 */
export function checkRedirect(subroutine, method, url, pageUrl) {
  const origin = parseUrl(pageUrl)?.origin ?? "null";
  if (requestMatches(subroutine.permissions.requests, "GET", url, origin)) return;
  checkRequestLine(subroutine, method, url, pageUrl, " after a redirect");
}

/** @param {SubroutineOnWire} subroutine */
export function checkCookies({ name, permissions }) {
  if (permissions.cookies) return;
  throw new Fault("COOKIES_REFUSED", `"${name}" may not read cookies. To allow it, write "cookies: true" under permissions in its manifest.`);
}

/** @param {SubroutineOnWire} subroutine @param {unknown[]} args */
export function checkInput({ name, input }, args) {
  const asks = args.some((argument) => /** @type {any} */ (argument)?.input === "trusted");
  if (!asks || input === "trusted") return;
  throw new Fault("INPUT_REFUSED", `"${name}" may not use trusted input. To allow it, write "input: trusted" in its manifest.`);
}

/** @param {SubroutineOnWire} subroutine @param {string} method @param {string} url @param {string} pageUrl @param {string} when */
function checkRequestLine({ name, permissions }, method, url, pageUrl, when) {
  const { requests } = permissions;
  if (requestMatches(requests, method, url, parseUrl(pageUrl)?.origin ?? "null")) return;
  const needed = `${method} ${url.replace(/[?#].*$/s, "")}`;
  throw new Fault(
    "REQUEST_REFUSED",
    `"${name}" may not send "${needed}"${when}. To allow it, add that line to permissions.requests in its manifest` +
      ` (there ${requests.length ? `is: ${requests.join(", ")}` : "is none"}).`,
    { needed, allowed: requests },
  );
}
