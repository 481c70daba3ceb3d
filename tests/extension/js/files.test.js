// The extension's folder is what Chrome loads: every file that is named in it exists.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { ISOLATED_FILES, MAIN_FILES } from "../../../extension/page/files.js";

const EXTENSION = new URL("../../../extension/", import.meta.url);

test("every page script in the list exists, and every page script is in the list", () => {
  const listed = [...MAIN_FILES, ...ISOLATED_FILES];
  for (const file of listed) assert.ok(existsSync(new URL(file, EXTENSION)), file);
  assert.equal(new Set(listed).size, listed.length);
  const there = readdirSync(new URL("page/", EXTENSION), { recursive: true }).filter((name) => name.endsWith(".js"));
  const unlisted = there.map((name) => `page/${name}`).filter((file) => file !== "page/files.js" && !listed.includes(file));
  assert.deepEqual(unlisted, []);
  assert.equal(ISOLATED_FILES[0], "page/namespace.js");
  assert.equal(ISOLATED_FILES.at(-1), "page/port.js");
});

test("the manifest names files that exist", () => {
  const manifest = JSON.parse(readFileSync(new URL("manifest.json", EXTENSION), "utf8"));
  const named = [
    manifest.background.service_worker,
    manifest.action.default_popup,
    manifest.options_ui.page,
    ...manifest.sandbox.pages,
    ...Object.values(manifest.icons),
    ...Object.values(manifest.action.default_icon),
  ];
  for (const file of named) assert.ok(existsSync(new URL(file, EXTENSION)), file);
});

test("no page of ours has a script or a style in its text", () => {
  for (const file of readdirSync(EXTENSION, { recursive: true })) {
    if (!file.endsWith(".html")) continue;
    const text = readFileSync(new URL(file, EXTENSION), "utf8");
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/i, file);
  }
});
