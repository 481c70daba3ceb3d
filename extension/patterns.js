// @ts-check
// What a manifest's site and request patterns cover. Pure; no pattern ever becomes a regular expression.
//
// A glob: `*` stands for anything within one path segment, `**` for anything across segments, and a trailing `/*` for
// everything below, as in Chrome's match patterns. A URL's hash never counts; its query counts only if the pattern has one.
//
// A URL pattern is `scheme://host[:port]/path[?query]`. Scheme `*` is http or https. Host `*.example.com` covers
// example.com and every name below it; `*` alone is any host. Without a port it is the scheme's own. A pattern that starts
// with `/` is a path on whatever origin is asked about.
//
// A request pattern is `METHOD URL-pattern`; METHOD `*` is any method.

/**
 * @param {string} glob @param {string} text
 * @param {string} [separator] what a single `*` does not cross
 */
export function globMatches(glob, text, separator = "/") {
  const tokens = glob.match(/\*\*+|\*|[^*]/gsu) ?? [];
  const characters = [...text];
  // reach[i]: the tokens so far can cover the first i characters.
  let reach = characters.map(() => false);
  reach = [true, ...reach];
  for (const token of tokens) {
    const next = [token.startsWith("*") && reach[0]];
    for (let i = 0; i < characters.length; i += 1) {
      if (!token.startsWith("*")) next.push(reach[i] && characters[i] === token);
      else next.push(reach[i + 1] || (next[i] && (token.length > 1 || characters[i] !== separator)));
    }
    reach = next;
  }
  return reach[characters.length];
}

/**
 * Whether `pattern` covers `url`.
 * @param {string} pattern @param {string} url absolute
 */
export function urlMatches(pattern, url) {
  const at = parseUrl(url);
  if (!at) return false;
  if (pattern.startsWith("/")) return pathMatches(pattern, at);
  const parts = /^(\*|[a-z][a-z0-9+.-]*):\/\/([^/:?#]*|\[[^\]]*\])(?::(\d+|\*))?(\/.*)?$/is.exec(pattern.replace(/#.*$/s, ""));
  if (!parts) return false;
  const [, scheme, host, port, path = "/"] = parts;
  return schemeMatches(scheme, at) && hostMatches(host, at) && portMatches(port, at) && pathMatches(path, at);
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
  return sites.some((site) => urlMatches(site.replace(/^([^:]*:\/\/[^/]*).*$/s, "$1/**"), url));
}

/**
 * Whether one of `patterns` covers the request. `origin` is what a pattern that starts with `/` is about.
 * @param {readonly string[]} patterns @param {string} method @param {string} url absolute @param {string} origin
 */
export function requestMatches(patterns, method, url, origin) {
  return patterns.some((pattern) => {
    const [wanted, place = ""] = splitOnce(pattern.trim());
    if (wanted !== "*" && wanted.toUpperCase() !== method.toUpperCase()) return false;
    if (place.startsWith("/") && parseUrl(url)?.origin !== origin) return false;
    return urlMatches(place, url);
  });
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

/** @param {string} text @returns {[string, string]} */
function splitOnce(text) {
  const gap = text.search(/\s/);
  return gap < 0 ? ["*", text] : [text.slice(0, gap), text.slice(gap).trim()];
}

/** @param {string} url */
export function parseUrl(url) {
  return URL.canParse(url) ? new URL(url) : null;
}

/** @param {string} scheme @param {URL} at */
function schemeMatches(scheme, at) {
  const actual = at.protocol.slice(0, -1);
  return scheme === "*" ? actual === "http" || actual === "https" : scheme.toLowerCase() === actual;
}

/** @param {string} host @param {URL} at */
function hostMatches(host, at) {
  const wanted = host.toLowerCase();
  if (wanted === "*") return true;
  if (wanted.startsWith("*.")) return at.hostname === wanted.slice(2) || at.hostname.endsWith(wanted.slice(1));
  return wanted === at.hostname;
}

/** @param {string | undefined} port @param {URL} at */
function portMatches(port, at) {
  if (port === "*") return true;
  const usual = at.protocol === "https:" ? "443" : "80";
  return (port ?? usual) === (at.port || usual);
}

/** @param {string} path @param {URL} at */
function pathMatches(path, at) {
  const wanted = path.endsWith("/*") ? `${path}*` : path;
  return globMatches(wanted, wanted.includes("?") ? at.pathname + at.search : at.pathname);
}
