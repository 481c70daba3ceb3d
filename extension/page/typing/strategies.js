// @ts-check
// The ways to give an editor a text, each a way that some editors listen to. It reads nothing back and chooses nothing.
//
// Where no cancel is heard, a paste, a beforeinput and a textInput of ours have done nothing: only the editor's own
// listener acts on events that a script sends. execCommand acts by itself, on any editable element.

(() => {
  const { page } = globalThis.runhome;

  /** @param {HTMLElement} host @param {string} text @returns {boolean} whether somebody took it */
  function paste(host, text) {
    return offer(host, { "text/plain": text });
  }

  /**
   * A paragraph a line, for editors that make one of several line breaks in plain text. The attribute is how ProseMirror
   * marks what was copied from itself, open at both ends: it is taken as it is, not read as Markdown.
   * @param {HTMLElement} host @param {string} text
   */
  function paragraphPaste(host, text) {
    const sheet = host.ownerDocument.implementation.createHTMLDocument().body;
    for (const line of text.split("\n")) {
      const paragraph = sheet.appendChild(sheet.ownerDocument.createElement("p"));
      if (line) paragraph.textContent = line;
      else paragraph.append(sheet.ownerDocument.createElement("br"));
    }
    sheet.firstElementChild?.setAttribute("data-pm-slice", "1 1 []");
    return offer(host, { "text/plain": text, "text/html": sheet.innerHTML });
  }

  /** @param {HTMLElement} host @param {Record<string, string>} forms by MIME type */
  function offer(host, forms) {
    const clipboardData = new DataTransfer();
    for (const [type, data] of Object.entries(forms)) clipboardData.setData(type, data);
    return !host.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true }),
    );
  }

  /** The browser's own typing. @param {HTMLElement} host @param {string} text */
  function command(host, text) {
    const document = host.ownerDocument;
    if (host.contentEditable !== "plaintext-only") return document.execCommand("insertText", false, text);
    return eachLine(
      text,
      (line) => document.execCommand("insertText", false, line),
      () => document.execCommand("insertLineBreak"),
    );
  }

  /** Paragraph by paragraph, as with the Enter key. @param {HTMLElement} host @param {string} text */
  function paragraphs(host, text) {
    const document = host.ownerDocument;
    return eachLine(
      text,
      (line) => document.execCommand("insertText", false, line),
      () => document.execCommand("insertParagraph"),
    );
  }

  /** @param {HTMLElement} host @param {string} text */
  function beforeInput(host, text) {
    return eachLine(
      text,
      (line) => ask(host, "insertText", line),
      () => ask(host, "insertParagraph"),
    );
  }

  /** @param {HTMLElement} host @param {string} inputType @param {string | null} [data] */
  function ask(host, inputType, data = null) {
    const range = host.ownerDocument.getSelection()?.rangeCount
      ? host.ownerDocument.getSelection()?.getRangeAt(0)
      : null;
    const targetRanges = range && host.contains(range.startContainer) ? [new StaticRange(range)] : [];
    return !host.dispatchEvent(
      new InputEvent("beforeinput", { inputType, data, targetRanges, bubbles: true, cancelable: true, composed: true }),
    );
  }

  /** The event of old that React builds its onBeforeInput from. @param {HTMLElement} host @param {string} text */
  function textInput(host, text) {
    const event = /** @type {any} */ (host.ownerDocument.createEvent("TextEvent"));
    event.initTextEvent("textInput", true, true, host.ownerDocument.defaultView, text);
    return !host.dispatchEvent(event);
  }

  /** @param {string} text @param {(line: string) => boolean} put @param {() => boolean} between */
  function eachLine(text, put, between) {
    let taken = false;
    text.split("\n").forEach((line, index) => {
      if (index > 0) taken = between() || taken;
      if (line) taken = put(line) || taken;
    });
    return taken;
  }

  page.strategies = { paste, paragraphPaste, command, paragraphs, beforeInput, textInput, ask };
})();
