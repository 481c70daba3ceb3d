// @ts-check
// Where a text really goes: from the element an author means to the field, editing host or hidden input behind it.
// It changes nothing.

(() => {
  const { page } = globalThis.runhome;

  /**
   * field: input or textarea · rich: an editing host · drawn: an editor that paints its own text and takes it through
   * an EditContext or a tiny hidden textarea
   * @typedef {{kind: "field" | "rich" | "drawn", element: HTMLElement}} Place
   */

  const TAKES_TEXT = 'input, textarea, [contenteditable]:not([contenteditable="false"]), iframe';
  const NO_TEXT = new Set(["button", "submit", "reset", "image", "checkbox", "radio", "file", "hidden"]);
  const DRAWN_AT_MOST_PX = 2;

  /** @param {Element} element @returns {Place | null} null where no text can go */
  function of(element) {
    const tag = element.localName;
    if (tag === "label") return ofLabel(/** @type {HTMLLabelElement} */ (element));
    if (tag === "input" || tag === "textarea") return ofField(/** @type {HTMLInputElement} */ (element));
    if (tag === "iframe") return ofFrame(/** @type {HTMLIFrameElement} */ (element));
    if (/** @type {any} */ (element).editContext) return { kind: "drawn", element: /** @type {any} */ (element) };
    if (/** @type {HTMLElement} */ (element).isContentEditable) return { kind: "rich", element: hostOf(element) };
    if (tag === "select" || tag === "button") return null;
    return ofInner(element);
  }

  /** @param {HTMLLabelElement} label */
  function ofLabel(label) {
    return label.control ? of(label.control) : ofInner(label);
  }

  /** @param {HTMLInputElement} field @returns {Place | null} */
  function ofField(field) {
    if (field.localName === "input") return NO_TEXT.has(field.type) ? null : { kind: "field", element: field };
    return { kind: standsForAnEditor(field) ? "drawn" : "field", element: field };
  }

  /** A textarea that nobody can see takes the keys of an editor that is drawn elsewhere. @param {HTMLElement} field */
  function standsForAnEditor(field) {
    const box = field.getBoundingClientRect();
    if (box.width <= DRAWN_AT_MOST_PX || box.height <= DRAWN_AT_MOST_PX) return true;
    if (getComputedStyle(field).opacity === "0") return true;
    const parent = field.parentElement?.getBoundingClientRect();
    return !!parent && (parent.width <= DRAWN_AT_MOST_PX || parent.height <= DRAWN_AT_MOST_PX);
  }

  /** @param {HTMLIFrameElement} frame @returns {Place | null} */
  function ofFrame(frame) {
    const inner = frame.contentDocument;
    if (!inner?.body) return null;
    if (inner.designMode === "on") return { kind: "rich", element: inner.body };
    return of(inner.body);
  }

  /** The outermost editable element: the one that listens. @param {Element} element */
  function hostOf(element) {
    let host = /** @type {HTMLElement} */ (element);
    while (host.parentElement?.isContentEditable) host = host.parentElement;
    return host;
  }

  /** The one place inside a wrapper (a custom element, a styled box with role=textbox). @param {Element} wrapper */
  function ofInner(wrapper) {
    /** @type {Place[]} */
    const places = [];
    for (const element of inside(wrapper)) {
      const place = of(element);
      if (place && !places.some((known) => known.element === place.element)) places.push(place);
      if (places.length > 1) return null;
    }
    return places[0] ?? null;
  }

  /** @param {Element} wrapper @returns {Iterable<Element>} */
  function* inside(wrapper) {
    for (const root of [wrapper, wrapper.shadowRoot]) {
      if (!root) continue;
      yield* root.querySelectorAll(TAKES_TEXT);
      for (const element of root.querySelectorAll("*")) if (element.shadowRoot) yield* inside(element);
    }
  }

  /**
   * Whether it is what a drawn editor listens with: too small to be seen, yet there for keys and for screen readers.
   * @param {Element} element
   */
  function isDrawn(element) {
    return element.checkVisibility({ visibilityProperty: true }) && of(element)?.kind === "drawn";
  }

  page.place = { of, isDrawn };
})();
