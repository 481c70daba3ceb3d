// What site and request patterns cover, and above all what they do not.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { globMatches, originMatches, placeMatches, requestMatches, rootOf, sameSpot, siteMatches, urlMatches } from "../../../extension/patterns.js";

const shared = JSON.parse(readFileSync(new URL("../../wire/patterns.json", import.meta.url), "utf8"));
for (const { pattern, url, matches } of shared.sites) {
  test(`shared: "${pattern}" ${matches ? "covers" : "does not cover"} ${url}`, () => assert.equal(siteMatches([pattern], url), matches));
}
for (const { pattern, method, url, origin = "", matches } of shared.requests) {
  test(`shared: "${pattern}" ${matches ? "allows" : "does not allow"} ${method} ${url}`, () =>
    assert.equal(requestMatches([pattern], method, url, origin), matches));
}
test("shared: what cannot be read covers nothing", () => {
  const anywhere = ["https://example.com/", "https://example.com/#top", "ftp://example.com/x", "file:///x", "chrome://settings/x", "https://exmple.com/"];
  for (const pattern of shared.bad_sites) for (const url of anywhere) assert.equal(siteMatches([pattern], url), false, pattern);
  for (const pattern of shared.bad_requests) {
    for (const url of anywhere) assert.equal(requestMatches([pattern], "POST", url, "https://example.com"), false, pattern);
  }
});

/** pattern, URL, covered? */
const urls = [
  ["https://example.com/*", "https://example.com/", true],
  ["https://example.com/*", "https://example.com/a/b?c#d", true],
  ["https://example.com/*", "http://example.com/", false],
  ["https://example.com/*", "https://example.com.evil.test/", false],
  ["https://example.com/*", "https://evil.test/https://example.com/", false],
  ["https://example.com/*", "https://example.com@evil.test/", false],
  ["https://example.com/*", "https://example.com:8443/", false],
  ["https://example.com:8443/*", "https://example.com:8443/x", true],
  ["https://example.com:443/*", "https://example.com/x", true],
  ["https://EXAMPLE.com/*", "https://example.com/x", true],
  ["https://*.example.com/*", "https://example.com/", true],
  ["https://*.example.com/*", "https://a.b.example.com/", true],
  ["https://*.example.com/*", "https://notexample.com/", false],
  ["https://ex*.com/*", "https://example.com/", false],
  ["*://example.com/*", "http://example.com/", true],
  ["*://example.com/*", "ftp://example.com/", false],
  ["*://*/*", "https://anything.test/x", true],
  ["*://*/*", "https://anything.test:444/x", false],
  ["*://*:*/*", "https://anything.test:444/x", true],
  ["*://*:*/*", "javascript:alert(1)", false],
  ["*://*:*/*", "data:text/html,x", false],
  ["http://127.0.0.1:8765/*", "http://127.0.0.1:8765/", true],
  ["http://127.0.0.1:8765/*", "http://127.0.0.1:87650/", false],
  ["http://[::1]:8765/*", "http://[::1]:8765/x", true],
  ["https://example.com/api/*/comments", "https://example.com/api/3/comments", true],
  ["https://example.com/api/*/comments", "https://example.com/api/3/4/comments", false],
  ["https://example.com/api/**/comments", "https://example.com/api/3/4/comments", true],
  ["https://example.com/api/*", "https://example.com/api", false],
  ["https://example.com/api/*", "https://example.com/api/../admin", false],
  ["https://example.com/api/*", "https://example.com/api/%2e%2e/admin", false],
  ["https://example.com/a", "https://example.com/a?x=1", true],
  ["https://example.com/a?x=*", "https://example.com/a?x=1", true],
  ["https://example.com/a?x=*", "https://example.com/a", false],
  ["/api/*", "https://whatever.test/api/x", true],
  ["", "https://example.com/", false],
  ["<all_urls>", "https://example.com/", false],
  ["https://example.com/*", "not a url", false],
];
for (const [pattern, url, expected] of urls) {
  test(`"${pattern}" ${expected ? "covers" : "does not cover"} ${url}`, () => assert.equal(urlMatches(pattern, url), expected));
}

/** pattern, method, URL, allowed? (the page is at https://example.com) */
const requests = [
  ["POST https://example.com/api/posts", "POST", "https://example.com/api/posts", true],
  ["post https://example.com/api/posts", "POST", "https://example.com/api/posts", false],
  ["POST https://example.com/api/posts", "GET", "https://example.com/api/posts", false],
  ["POST https://example.com/api/posts", "POST", "https://example.com/api/posts/3", false],
  ["POST https://example.com/api/posts", "POST", "https://example.com/api/posts?draft=1", true],
  ["* https://example.com/api/**", "DELETE", "https://example.com/api/posts/3", true],
  ["* https://example.com/api/*", "DELETE", "https://example.com/api/posts/3", false],
  ["GET  /api/*", "GET", "https://example.com/api/x", true],
  ["GET /api/*", "GET", "https://other.test/api/x", false],
  ["https://example.com/*", "PUT", "https://example.com/x", false],
  ["GET", "GET", "https://example.com/", false],
  ["", "GET", "https://example.com/", false],
];
for (const [pattern, method, url, expected] of requests) {
  test(`"${pattern}" ${expected ? "allows" : "does not allow"} ${method} ${url}`, () =>
    assert.equal(requestMatches([pattern], method, url, "https://example.com"), expected));
}

test("without a pattern nothing is allowed", () => assert.equal(requestMatches([], "GET", "https://example.com/", ""), false));

test("a frame belongs to a site by its origin, whatever its path", () => {
  assert.equal(originMatches(["https://example.com/a/*"], "https://example.com/other"), true);
  assert.equal(originMatches(["https://example.com/a/*"], "https://example.com.evil.test/a/"), false);
  assert.equal(originMatches(["*://*.example.com/*"], "http://x.example.com/"), true);
});

test("a site's page to open", () => {
  assert.equal(rootOf("https://example.com/*"), "https://example.com/");
  assert.equal(rootOf("https://example.com/shop/*"), "https://example.com/shop/");
  assert.equal(rootOf("https://example.com/shop/a*b"), "https://example.com/shop/");
  assert.equal(rootOf("https://example.com/page"), "https://example.com/page");
  assert.equal(rootOf("http://127.0.0.1:8765/*"), "http://127.0.0.1:8765/");
  assert.equal(rootOf("https://*.example.com/*"), null);
  assert.equal(rootOf("*://example.com/*"), null);
});

/** wanted, URL, there? */
const places = [
  ["https://example.com/a", "https://example.com/a#x", true],
  ["https://example.com/a#y", "https://example.com/a#x", false],
  ["https://example.com/a", "https://example.com/a?b", false],
  ["/a", "https://example.com/a?b", true],
  ["/a/*", "https://example.com/a/b", true],
  ["**/done", "https://example.com/x/done", true],
  ["**#done", "https://example.com/x#done", true],
  ["*done", "https://example.com/x/done", false],
  ["nonsense", "https://example.com/", false],
];
for (const [wanted, url, expected] of places) {
  test(`waiting for "${wanted}" ${expected ? "ends" : "does not end"} at ${url}`, () => assert.equal(placeMatches(wanted, url), expected));
}

test("only the hash may differ on one spot", () => {
  assert.equal(sameSpot("https://a.test/x#1", "https://a.test/x"), true);
  assert.equal(sameSpot("https://a.test", "https://a.test/"), true);
  assert.equal(sameSpot("https://a.test/x?1", "https://a.test/x"), false);
  assert.equal(sameSpot("nowhere", "nowhere"), false);
});

test("a glob with many stars is still answered at once", () => {
  const started = performance.now();
  assert.equal(globMatches(`${"**a".repeat(200)}b`, "a".repeat(2_000)), false);
  assert.ok(performance.now() - started < 2_000);
});

test("a pattern and an address that are too long to be compared in a moment cost no time", () => {
  const began = performance.now();
  const pattern = `GET https://example.com/**${"a".repeat(1_900)}**b`;
  assert.equal(requestMatches([pattern], "GET", `https://example.com/${"a".repeat(2_000_000)}`, ""), false);
  assert.equal(globMatches("*a".repeat(1_000_000), "a".repeat(2_000)), false);
  assert.ok(performance.now() - began < 5_000);
});
