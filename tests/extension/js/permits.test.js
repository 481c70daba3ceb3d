// What a manifest permits of a request, beyond its method and address.

import assert from "node:assert/strict";
import { test } from "node:test";

import { checkRequest } from "../../../extension/offscreen/permits.js";

const PAGE = "https://a.test/";
const mayPost = { name: "test", sites: [`${PAGE}*`], permissions: { requests: ["POST https://a.test/api/*"], cookies: false } };

for (const headers of [{ "X-HTTP-Method-Override": "DELETE" }, [["x-http-method", "delete"]], { "X-Method-Override": " PUT " }]) {
  test(`${JSON.stringify(headers)} makes a POST another request, which the manifest must name`, () => {
    const args = ["/api/3", { method: "POST", headers }];
    assert.throws(() => checkRequest(mayPost, args, PAGE), { code: "REQUEST_REFUSED", message: /(DELETE|PUT) https:\/\/a\.test\/api\/3/ });
    assert.throws(() => checkRequest(mayPost, [{ url: "/api/3", ...args[1] }], PAGE), { code: "REQUEST_REFUSED" });
  });
}

test("other headers change nothing, nor does one that says the same", () => {
  const headers = { Accept: "application/json", "X-HTTP-Method-Override": "POST" };
  assert.deepEqual(checkRequest(mayPost, ["/api/3", { method: "POST", headers }], PAGE), { method: "POST", url: "https://a.test/api/3" });
});
