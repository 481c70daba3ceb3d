// @ts-check
// Editors that keep every paragraph in an editing host of its own: what was typed into one of them may stand in several.
// It changes nothing.

(() => {
  const { page } = globalThis.runhome;
  const { words } = page;

  const HOSTS = '[contenteditable]:not([contenteditable="false"])';

  /** What the other hosts around this one hold. @param {HTMLElement} host @returns {Map<Element, string>} */
  function around(host) {
    return new Map(hostsOf(host.getRootNode()).map((other) => [other, words.of(other)]));
  }

  /**
   * What stands now in this host and in those that are new or changed, a line or more for each; null where the text did
   * not go there.
   * @param {HTMLElement} host @param {string} text
   * @param {Map<Element, string>} before @param {Node} root of the host before it was typed into
   * @returns {string | null}
   */
  function spread(host, text, before, root) {
    const touched = hostsOf(root).filter((other) => other === host || before.get(other) !== words.of(other));
    if (touched.every((other) => other === host)) return null;
    const all = touched.map((other) => words.of(other)).join("\n");
    const arrived = text.split("\n").every((line) => words.fold(all).includes(words.fold(line).trim()));
    return arrived ? all : null;
  }

  /** Outermost editing hosts, in the order of the page. @param {Node} root @returns {HTMLElement[]} */
  function hostsOf(root) {
    const all = /** @type {HTMLElement[]} */ ([.../** @type {Document} */ (root).querySelectorAll(HOSTS)]);
    return all.filter((host) => !host.parentElement?.isContentEditable);
  }

  page.blocks = { around, spread };
})();
