// @ts-check
// What a manifest's site and request patterns cover. Pure; no pattern ever becomes a regular expression.
//
// `scheme://host[:port]/path[?query]`. Scheme `*` is http or https. Host `*.example.com` is example.com and every name below
// it, `*` alone is any host. Without a port the scheme's own is meant, `:*` is any. In the path `*` stays within a segment and
// `**` crosses segments; in a site's pattern, as in Chrome's, a `/*` at the end is everything below. The query counts only
// where the pattern has one; `*` in it is anything. A URL's hash never counts.
//
// Many a server decodes a path before it looks at it: to a `*` an encoded slash is a slash, and a path with a way up that the
// URL parser leaves (`..%2f`, `..;/`) is covered by nothing.
//
// A request pattern is `METHOD URL-pattern`; METHOD `*` is any. One that begins with `/` is about the page's origin.
//
// library/patterns.py means the same: both follow tests/wire/patterns.json. What cannot be read covers nothing.

/** @typedef {{scheme: string, host: string, port: string | undefined, path: string, query: string | undefined}} UrlPattern */

const METHODS = new Set(["*", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** What a pattern and a text may have together as lengths multiplied; a body may make either of them long. */
const MOST_STEPS = 4_000_000;
const WAY_UP = /(?:^|\/|%2f|%5c)(?:\.|%2e){2}(?:;[^/]*)?(?:$|\/|%2f|%5c)/i;
/** Slashes in disguise, and the characters that stand for them here: no URL has these as they are. @type {[RegExp, string][]} */
const ENCODED_SLASHES = [[/%2f/gi, "\u0001"], [/%5c/gi, "\u0002"]];
const SLASHES = new Set(["/", "\u0001", "\u0002"]);

/**
 * Whether a text is as a glob says; what is too long to be compared in a moment is not.
 * @param {string} glob @param {string} text
 */
export function globMatches(glob, text) {
  if (glob.length * text.length > MOST_STEPS) return false;
  const tokens = withSlashes(glob).match(/\*\*+|\*|[^*]/gsu) ?? [];
  const characters = [...withSlashes(text)];
  // reach[i]: the tokens so far can cover the first i characters.
  let reach = characters.map(() => false);
  reach = [true, ...reach];
  for (const token of tokens) {
    const next = [token.startsWith("*") && reach[0]];
    for (let i = 0; i < characters.length; i += 1) {
      if (!token.startsWith("*")) next.push(reach[i] && characters[i] === token);
      else next.push(reach[i + 1] || (next[i] && (token.length > 1 || !SLASHES.has(characters[i]))));
    }
    reach = next;
  }
  return reach[characters.length];
}

/** @param {string} text */
function withSlashes(text) {
  return ENCODED_SLASHES.reduce((changed, [encoded, sign]) => changed.replace(encoded, sign), text);
}

/**
 * Whether a site's pattern, or a path that begins with `/`, covers `url`.
 * @param {string} pattern @param {string} url absolute
 */
export function urlMatches(pattern, url) {
  const at = parseUrl(url);
  const wanted = read(pattern);
  if (!at || !wanted) return false;
  const below = wanted.path.endsWith("/*") ? `${wanted.path}*` : wanted.path;
  return hasOrigin(wanted, at) && hasPlace({ ...wanted, path: below }, at);
}

/**
 * Whether one of `sites` covers `url`.
 * @param {readonly string[]} sites @param {string} url
 */
export function siteMatches(sites, url) {
  return sites.some((site) => urlMatches(site, url));
}

/**
 * Whether a frame's origin belongs to one of `sites`, whatever its path.
 * @param {readonly string[]} sites @param {string} url
 */
export function originMatches(sites, url) {
  const at = parseUrl(url);
  return at !== null && sites.map(read).some((site) => site !== null && hasOrigin(site, at));
}

/**
 * Whether one of `patterns` covers the request.
 * @param {readonly string[]} patterns @param {string} method @param {string} url absolute @param {string} origin the page's
 */
export function requestMatches(patterns, method, url, origin) {
  const at = parseUrl(url);
  return at !== null && patterns.some((pattern) => requestMatchesOne(pattern, method.toUpperCase(), at, origin));
}

/** @param {string} pattern @param {string} method @param {URL} at @param {string} origin */
function requestMatchesOne(pattern, method, at, origin) {
  const [, wanted = "", place = ""] = /^(\S+)\s+(\S+)$/.exec(pattern.trim()) ?? [];
  if (!METHODS.has(wanted) || (wanted !== "*" && wanted !== method)) return false;
  if (place.startsWith("/") && at.origin !== origin) return false;
  const pages = read(/^[^/]+\/\/[^/?]+$/.test(place) ? `${place}/` : place);
  return pages !== null && hasOrigin(pages, at) && hasPlace(pages, at);
}

/**
 * Whether a page at `url` is where `wanted` says: an exact URL, a glob, or (from `/` on) a path. For `tab.waitForUrl`.
 * @param {string} wanted @param {string} url
 */
export function placeMatches(wanted, url) {
  if (wanted.startsWith("/") || /^[^?#]*\*/.test(wanted)) return urlMatches(wanted, url) || globMatches(wanted, url);
  return sameSpot(wanted, url) && (!wanted.includes("#") || new URL(wanted).hash === new URL(url).hash);
}

/** Whether two URLs differ in nothing but the hash. @param {string} one @param {string} other */
export function sameSpot(one, other) {
  const [a, b] = [parseUrl(one), parseUrl(other)];
  return a !== null && b !== null && a.href.replace(/#.*$/s, "") === b.href.replace(/#.*$/s, "");
}

/**
 * The page to open for a site pattern, or null when it has a wildcard before its path.
 * @param {string} site
 */
export function rootOf(site) {
  const origin = /^https?:\/\/[^/*]+/i.exec(site)?.[0];
  if (!origin) return null;
  const path = site.slice(origin.length);
  return path.includes("*") ? origin + path.slice(0, path.indexOf("*")).replace(/[^/]*$/, "") : origin + (path || "/");
}

/** @param {string} url */
export function parseUrl(url) {
  return URL.canParse(url) ? new URL(url) : null;
}

/** A pattern taken apart; null when it cannot be read. @param {string} pattern @returns {UrlPattern | null} */
function read(pattern) {
  const whole = pattern.startsWith("/") ? `*://*:*${pattern}` : pattern;
  const parts = /^(\*|https?):\/\/(\*|(?:\*\.)?[^*/:?#@\s]+|\[[0-9a-f:.]+\])(?::(\*|\d+))?(\/[^?#]*)(?:\?([^#]*))?$/i.exec(whole);
  if (!parts) return null;
  const [, scheme, host, port, path, query] = parts;
  const name = host === "*" ? host : hostName(host);
  return name === null ? null : { scheme: scheme.toLowerCase(), host: name, port, path: escaped(path), query: query && escaped(query) };
}

/** As a URL has it: lower case, and ASCII also for names of other scripts. @param {string} host */
function hostName(host) {
  const [star, name] = host.startsWith("*.") ? ["*.", host.slice(2)] : ["", host];
  const url = parseUrl(`http://${name}/`);
  return url ? star + url.hostname : null;
}

/** As a URL has it: percent-encoded where it must be. @param {string} text */
function escaped(text) {
  return text.replace(/[^\x21-\x7e]+|["<>`{}^]/gu, (found) => encodeURIComponent(found));
}

/** @param {UrlPattern} wanted @param {URL} at */
function hasOrigin({ scheme, host, port }, at) {
  const isWeb = at.protocol === "http:" || at.protocol === "https:";
  const usual = at.protocol === "https:" ? "443" : "80";
  return isWeb && (scheme === "*" || `${scheme}:` === at.protocol) && hostMatches(host, at.hostname) && (port === "*" || (port ?? usual) === (at.port || usual));
}

/** @param {string} wanted @param {string} host */
function hostMatches(wanted, host) {
  if (wanted === "*") return true;
  if (wanted.startsWith("*.")) return host === wanted.slice(2) || host.endsWith(wanted.slice(1));
  return wanted === host;
}

/** @param {UrlPattern} wanted @param {URL} at */
function hasPlace({ path, query }, at) {
  if (WAY_UP.test(at.pathname)) return false;
  return globMatches(path, at.pathname) && (query === undefined || globMatches(query.replaceAll("*", "**"), at.search.slice(1)));
}
