// @ts-check
// Clicks and keys by Chrome's debugger, for a run whose manifest says `input: trusted`. Attached from the first of them to
// the end of the run: the bar that Chrome shows then moves the page, so it must not come and go.

/** @typedef {{x: number, y: number}} Spot */

export class TrustedInput {
  /** @param {number} tab @param {import("./worker_link.js").WorkerLink} link */
  constructor(tab, link) {
    this.tab = tab;
    this.link = link;
    /** @type {Promise<void> | null} */
    this.attached = null;
  }

  /** Before anything is aimed at. */
  async attach() {
    this.attached ??= this.link.ask("input.attach", { tab: this.tab });
    await this.attached;
  }

  /** @param {object[]} actions of worker/input.js */
  async act(actions) {
    await this.attach();
    await this.link.ask("input.act", { tab: this.tab, actions });
  }

  /** The run is over. */
  async end() {
    if (this.attached) await this.link.ask("input.detach", { tab: this.tab }).catch(() => {});
  }
}
