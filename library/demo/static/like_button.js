// @ts-check
// <like-button>: the one control of the site that lives in a shadow root, as design systems build them.

const STYLE = `
  button { min-height: 36px; padding: 0 14px; border: 1px solid var(--line); border-radius: 999px; background: none;
    color: var(--soft); font: inherit; font-size: 0.875rem; font-weight: 600; cursor: pointer; }
  button[aria-pressed="true"] { border-color: var(--accent); color: var(--accent); }
  button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

export class LikeButton extends HTMLElement {
  /** Sends the like and gives the new count. @type {() => Promise<number>} */
  send = async () => this.count;
  count = 0;
  #button = document.createElement("button");

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.#button.type = "button";
    this.#button.setAttribute("aria-pressed", "false");
    this.#button.addEventListener("click", () => void this.#like());
    root.append(this.#button);
  }

  connectedCallback() {
    this.#show();
  }

  async #like() {
    this.count = await this.send();
    this.#button.setAttribute("aria-pressed", "true");
    this.#show();
  }

  #show() {
    this.#button.textContent = this.count ? `Like · ${this.count}` : "Like";
  }
}

customElements.define("like-button", LikeButton);
