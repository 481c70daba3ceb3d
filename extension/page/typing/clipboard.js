// @ts-check
// An editor's own account of what it holds: it is asked to copy everything. The real clipboard is not touched.

(() => {
  const { page } = globalThis.runhome;

  /**
   * Sends a copy of the selection into a DataTransfer of ours.
   * @param {HTMLElement} host @returns {string | null} null where no listener answers
   */
  function copy(host) {
    const clipboardData = new DataTransfer();
    const event = new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true, composed: true });
    host.dispatchEvent(event);
    if (clipboardData.types.includes("text/plain")) return clipboardData.getData("text/plain");
    return event.defaultPrevented ? "" : null;
  }

  /** @param {HTMLElement} host @returns {boolean} whether an editor's listener took the cut */
  function cut(host) {
    const clipboardData = new DataTransfer();
    return !host.dispatchEvent(
      new ClipboardEvent("cut", { clipboardData, bubbles: true, cancelable: true, composed: true }),
    );
  }

  page.clipboard = { copy, cut };
})();
