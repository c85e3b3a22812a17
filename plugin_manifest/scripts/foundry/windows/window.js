/** A window of Foundry's that holds one element, which keeps itself up to date. */

import { el } from "../../core/ui/dom.js";

const { ApplicationV2 } = foundry.applications.api;

/** The module's windows draw themselves, without templates: what they hold is made of elements, never of markup. */
export class Window extends ApplicationV2 {
  static DEFAULT_OPTIONS = { classes: ["enfilade"], window: { resizable: true }, position: { width: 380 } };

  /**
   * @param {string} name of the window among the module's
   * @param {string} title a key of the words
   * @param {(host: HTMLElement) => void} fill puts into the element what the window shows
   */
  constructor(name, title, fill) {
    super({ id: `enfilade-${name}`, window: { title: `ENFILADE.${title}` } });
    this.host = el("div", { class: `enfilade-body enfilade-${name}-body` });
    fill(this.host);
  }

  /** Shows the window, before all others; the keyboard is where one begins to write. */
  async open() {
    await this.render({ force: true });
    this.bringToFront();
    const first = this.host.querySelector("[autofocus]");
    if (first instanceof HTMLElement) first.focus();
  }

  async _renderHTML() {
    return this.host;
  }

  /** @param {HTMLElement} result @param {HTMLElement} content it may be in another browser window than before */
  _replaceHTML(result, content) {
    content.replaceChildren(result);
  }
}
