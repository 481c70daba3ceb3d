// @ts-check
// The helper `upload`: files into a file input, or dropped where a page takes dropped files.

(() => {
  const { page } = globalThis.runhome;

  /** @typedef {import("../types").PageContext} PageContext */

  /**
   * Args: target, a file or a list of files, {timeout}. Gives the names that the page holds now.
   * @param {any[]} args @param {PageContext} context @returns {Promise<string[]>}
   */
  async function upload([target, given, options], context) {
    const files = (Array.isArray(given) ? given : [given]).map(fileOf);
    const element = await page.actionable.ready(target, context, {
      timeout: options?.timeout,
      unseen: (/** @type {Element} */ found) => inputOf(found) !== null,
    });
    const input = inputOf(element);
    context.acted();
    if (!input) return drop(element, files);
    refuse(input, files);
    const transfer = transferOf(files);
    page.caret.focus(input);
    input.files = transfer.files;
    input.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
    return files.map((file) => file.name);
  }

  /** @param {any} given @returns {File} */
  function fileOf(given) {
    const bytes = given?.data ?? given?.$bytes;
    if (typeof given?.name !== "string" || typeof bytes !== "string")
      throw page.error("BAD_ARGUMENT", "upload needs files: {name, type, data} with the data in base64.");
    try {
      return new File([bytesOf(atob(bytes))], given.name, { type: given.type ?? "" });
    } catch {
      throw page.error("BAD_ARGUMENT", `The data of "${given.name}" is not base64.`);
    }
  }

  /**
   * A plain loop: Uint8Array.from takes fifteen times as long, which are seconds for a large file.
   * @param {string} text one character for each byte
   */
  function bytesOf(text) {
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
    return bytes;
  }

  /** The file input that an element is, labels, or holds. @param {Element} element @returns {HTMLInputElement | null} */
  function inputOf(element) {
    const own = element.localName === "label" ? /** @type {HTMLLabelElement} */ (element).control : element;
    if (own?.matches('input[type="file"]')) return /** @type {HTMLInputElement} */ (own);
    const inside = element.querySelectorAll('input[type="file"]');
    return inside.length === 1 ? /** @type {HTMLInputElement} */ (inside[0]) : null;
  }

  /** @param {HTMLInputElement} input @param {File[]} files */
  function refuse(input, files) {
    if (files.length > 1 && !input.multiple)
      throw page.error("BAD_ARGUMENT", `${page.describe(input)} takes one file, not ${files.length}.`);
    const wrong = files.find((file) => !accepted(file, input.accept));
    if (wrong) throw page.error("BAD_ARGUMENT", `${page.describe(input)} takes ${input.accept}, not "${wrong.name}".`);
  }

  /** HTML, the accept attribute: extensions, types, and kinds such as image/*. @param {File} file @param {string} accept */
  function accepted(file, accept) {
    const tokens = accept
      .toLowerCase()
      .split(",")
      .map((token) => token.trim())
      .filter(Boolean);
    return (
      tokens.length === 0 ||
      tokens.some((token) => {
        if (token.startsWith(".")) return file.name.toLowerCase().endsWith(token);
        return token.endsWith("/*") ? file.type.startsWith(token.slice(0, -1)) : file.type === token;
      })
    );
  }

  /** @param {Element} element @param {File[]} files */
  function drop(element, files) {
    const dataTransfer = transferOf(files);
    const taken = ["dragenter", "dragover", "drop"].map((type) => page.dragging.send(element, type, dataTransfer));
    if (taken.at(-1)) return files.map((file) => file.name);
    throw page.error(
      "NOT_EDITABLE",
      `${page.describe(element)} is no file input, holds none, and takes no dropped files.`,
    );
  }

  /** @param {File[]} files */
  function transferOf(files) {
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    return transfer;
  }

  page.register("upload", upload);
})();
