// @ts-check
// Keys: from the words of an author ("Control+A") to the events that a page listens for. Nothing is typed by them but
// what the page's own listeners do; the few defaults of the browser that matter (Enter sends a form) are in submit.js.

(() => {
  const { page } = globalThis.runhome;

  /** @typedef {{key: string, code: string, keyCode: number}} Key @typedef {{ctrlKey: boolean, altKey: boolean, shiftKey: boolean, metaKey: boolean}} Modifiers */

  const MAC = /Mac|iPhone|iPad/.test(navigator.platform);

  /** @type {Record<string, number>} UI Events, "key" values and the key codes browsers give them */
  const NAMED = {
    Backspace: 8,
    Tab: 9,
    Enter: 13,
    Escape: 27,
    " ": 32,
    PageUp: 33,
    PageDown: 34,
    End: 35,
    Home: 36,
    ArrowLeft: 37,
    ArrowUp: 38,
    ArrowRight: 39,
    ArrowDown: 40,
    Insert: 45,
    Delete: 46,
    Shift: 16,
    Control: 17,
    Alt: 18,
    Meta: 91,
    F1: 112,
    F2: 113,
    F3: 114,
    F4: 115,
    F5: 116,
    F6: 117,
    F7: 118,
    F8: 119,
    F9: 120,
    F10: 121,
    F11: 122,
    F12: 123,
  };
  /** @type {Record<string, string>} */
  const OTHER_WORDS = {
    esc: "Escape",
    return: "Enter",
    space: " ",
    del: "Delete",
    up: "ArrowUp",
    down: "ArrowDown",
    left: "ArrowLeft",
    right: "ArrowRight",
    ctrl: "Control",
    cmd: "Meta",
    command: "Meta",
    option: "Alt",
    controlormeta: MAC ? "Meta" : "Control",
  };
  /** @type {Record<string, [string, number]>} */
  const PUNCTUATION = {
    ";": ["Semicolon", 186],
    "=": ["Equal", 187],
    ",": ["Comma", 188],
    "-": ["Minus", 189],
    ".": ["Period", 190],
    "/": ["Slash", 191],
    "`": ["Backquote", 192],
    "[": ["BracketLeft", 219],
    "\\": ["Backslash", 220],
    "]": ["BracketRight", 221],
    "'": ["Quote", 222],
  };
  const MODIFIERS = new Set(["Control", "Alt", "Shift", "Meta"]);

  /**
   * @param {string} words "Enter", "Control+A", "Shift+Tab" @returns {{key: Key, modifiers: Modifiers}}
   * @throws BAD_ARGUMENT for a key that no keyboard has
   */
  function parse(words) {
    const parts = words === "+" ? ["+"] : words.replace(/\+\+$/, "+Plus").split("+");
    const names = parts.map((part) => named(part, words));
    const last = /** @type {string} */ (names.pop());
    const wrong = names.find((name) => !MODIFIERS.has(name));
    if (wrong) throw unknown(wrong, words);
    const modifiers = {
      ctrlKey: names.includes("Control"),
      altKey: names.includes("Alt"),
      shiftKey: names.includes("Shift"),
      metaKey: names.includes("Meta"),
    };
    return { key: describe(last, modifiers.shiftKey), modifiers };
  }

  /** @param {string} part @param {string} words */
  function named(part, words) {
    if (part === "Plus") return "+";
    if ([...part].length === 1) return part;
    const other = OTHER_WORDS[part.toLowerCase()];
    if (other) return other;
    const known = Object.keys(NAMED).find((name) => name.toLowerCase() === part.toLowerCase());
    if (known) return known;
    throw unknown(part, words);
  }

  /** @param {string} part @param {string} words */
  function unknown(part, words) {
    return page.error(
      "BAD_ARGUMENT",
      `There is no key "${part}" in "${words}". Write one character, or Enter, Tab, Escape, Backspace, Delete, ArrowDown, Home, F1 ..., with Control+, Alt+, Shift+ or Meta+ before it.`,
    );
  }

  /** @param {string} name @param {boolean} shift @returns {Key} */
  function describe(name, shift) {
    if (name in NAMED) return { key: name, code: name === " " ? "Space" : codeOf(name), keyCode: NAMED[name] };
    const upper = name.toUpperCase();
    if (/^[A-Z]$/.test(upper))
      return { key: shift ? upper : name.toLowerCase(), code: `Key${upper}`, keyCode: upper.charCodeAt(0) };
    if (/^\d$/.test(name)) return { key: name, code: `Digit${name}`, keyCode: name.charCodeAt(0) };
    const [code, keyCode] = PUNCTUATION[name] ?? ["", 0];
    return { key: name, code, keyCode };
  }

  /** @param {string} name */
  function codeOf(name) {
    return MODIFIERS.has(name) ? `${name}Left` : name;
  }

  /**
   * Sends one key to an element: keydown, keypress where a character or Enter would give one, keyup.
   * @param {Element} element @param {string} words @returns {boolean} whether the page took it (cancelled the default)
   */
  function send(element, words) {
    const { key, modifiers } = parse(words);
    const down = dispatch(element, "keydown", key, modifiers);
    const types = [...key.key].length === 1 || key.key === "Enter";
    const pressed =
      !down && types && !modifiers.ctrlKey && !modifiers.metaKey && dispatch(element, "keypress", key, modifiers);
    dispatch(element.isConnected ? element : element.ownerDocument.body, "keyup", key, modifiers);
    return down || pressed;
  }

  /** The end of a typing: many a page looks at its field when a key comes up. @param {Element} element @param {string} typed */
  function release(element, typed) {
    const last = [...typed].at(-1) ?? "Backspace";
    const key = /\s/.test(last) ? " " : last;
    dispatch(element, "keyup", describe(key, false), { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false });
  }

  /** @param {Element} element @param {string} type @param {Key} key @param {Modifiers} modifiers */
  function dispatch(element, type, key, modifiers) {
    const charCode = type === "keypress" ? (key.key === "Enter" ? 13 : key.key.charCodeAt(0)) : 0;
    const event = new KeyboardEvent(type, {
      key: key.key,
      code: key.code,
      keyCode: charCode || key.keyCode,
      charCode,
      which: charCode || key.keyCode,
      ...modifiers,
      bubbles: true,
      cancelable: true,
      composed: true,
      view: element.ownerDocument.defaultView,
    });
    return !element.dispatchEvent(event);
  }

  /** @param {string} words @param {{mac: string}} other what a Mac has in its place */
  function forHere(words, { mac }) {
    return MAC ? mac : words;
  }

  page.keys = {
    send,
    release,
    parse,
    SELECT_ALL: forHere("Control+a", { mac: "Meta+a" }),
    TO_END: forHere("Control+End", { mac: "Meta+ArrowDown" }),
  };
})();
