// @ts-check
// The page scripts in the order in which they are loaded. The only list of them; a test checks that each file exists.

/** MAIN world: sees the page's own fetch and variables. Injected first. */
export const MAIN_FILES = ["page/main.js"];

/** ISOLATED world: see the DOM. Classic scripts that share `runhome.page`. */
export const ISOLATED_FILES = [
  "page/namespace.js",
  "page/port.js", // last: connects when everything is registered
];
