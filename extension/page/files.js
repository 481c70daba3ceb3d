// @ts-check
// The page scripts in the order in which they are loaded. The only list of them; a test checks that each file exists.

/** MAIN world: sees the page's own fetch and variables. Injected first. */
export const MAIN_FILES = ["page/main.js"];

/** ISOLATED world: see the DOM. Classic scripts that share `runhome.page`. */
export const ISOLATED_FILES = [
  "page/namespace.js",
  "page/text.js",
  "page/tree.js",
  "page/roots.js",
  "page/visibility.js",
  "page/role_table.js",
  "page/roles.js",
  "page/host_names.js",
  "page/generated_content.js",
  "page/embedded_controls.js",
  "page/names.js",
  "page/rendered_text.js",
  "page/target.js",
  "page/match.js",
  "page/pools.js",
  "page/text_search.js",
  "page/frames.js",
  "page/search.js",
  "page/describe.js",
  "page/candidates.js",
  "page/handles.js",
  "page/find.js",
  "page/pace.js",
  "page/moving.js",
  "page/hit.js",
  "page/keys.js",
  "page/actionable.js",
  "page/typing/caret.js",
  "page/pointer.js",
  "page/typing/words.js",
  "page/typing/composing.js",
  "page/typing/place.js",
  "page/fields.js",
  "page/typing/clipboard.js",
  "page/typing/strategies.js",
  "page/typing/reading.js",
  "page/typing/editor.js",
  "page/typing/drawn.js",
  "page/submit.js",
  "page/typing/type.js",
  "page/port.js", // last: connects when everything is registered
];
