// @ts-check
// An element in a few words, for errors and traces: its role, its name and where it is in the page.

(() => {
  const { page } = globalThis.runhome;
  if (page.describe) return;

  /** Places that people have words for. */
  const PLACES = new Set(
    (
      "form dialog alertdialog main navigation banner contentinfo complementary region search article list listbox menu menubar " +
      "table grid row tablist tabpanel toolbar tree group radiogroup figure feed"
    ).split(" "),
  );
  const MOST_PLACES = 2;

  /**
   * `{role, name, where}`; in a sentence it reads as `button "Save"`.
   * @param {Element} element
   */
  function describe(element) {
    const role = page.role(element);
    const name = page.text.shorten(page.name(element), 80);
    const words = { role, name, where: where(element) };
    return Object.defineProperty(words, "toString", { value: () => phrase(element, role, name) });
  }

  /** @param {Element} element @param {string} role @param {string} name */
  function phrase(element, role, name) {
    const noun = role === "generic" || role === "none" ? `<${element.localName}>` : role;
    const said = name || (noun.startsWith("<") ? page.text.shorten(page.renderedText.textOf(element), 40) : "");
    return said ? `${noun} "${said}"` : noun;
  }

  /** The nearest named places around it, outermost first: `form "Sign in" > button`. @param {Element} element */
  function where(element) {
    const path = [phrase(element, page.role(element), "").replace(/ ".*$/s, "")];
    for (const at of page.tree.upwards(element)) {
      if (path.length > MOST_PLACES) break;
      if (at === element) continue;
      const place = placeName(at);
      if (place) path.unshift(place);
    }
    return path.join(" > ");
  }

  /** @param {Element} element */
  function placeName(element) {
    if (element.localName === "iframe" || element.localName === "frame") return `frame "${element.getAttribute("name") || element.id || element.getAttribute("title") || ""}"`;
    const role = page.role(element);
    const isPlace = PLACES.has(role) || element.localName === "form";
    if (!isPlace) return null;
    const name = page.text.shorten(page.name(element), 40);
    const noun = element.localName === "form" ? "form" : role;
    return name ? `${noun} "${name}"` : noun;
  }

  page.describe = describe;
})();
