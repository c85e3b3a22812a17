/** A Foundry window that holds one element. The element keeps itself up to date. */

import { el } from "../../core/ui/dom.js";

const { ApplicationV2 } = foundry.applications.api;

/** The base of the module's windows. They build elements, never markup, and need no templates. */
export class SeatWindow extends ApplicationV2 {
  static DEFAULT_OPTIONS = { classes: ["enfilade"], window: { resizable: true }, position: { width: 380 } };

  /**
   * @param {string} name among the module's windows
   * @param {string} title a localization key
   * @param {(host: HTMLElement) => void} fill adds the window's content to its element
   */
  constructor(name, title, fill) {
    super({ id: `enfilade-${name}`, window: { title: `ENFILADE.${title}` } });
    this.host = el("div", { class: `enfilade-body enfilade-${name}-body` });
    fill(this.host);
  }

  /** Shows the window in front of all others and focuses its first field. */
  async open() {
    await this.render({ force: true });
    this.bringToFront();
    const first = this.host.querySelector("[autofocus]");
    if (first instanceof HTMLElement) first.focus();
  }

  async _renderHTML() {
    return this.host;
  }

  /** @param {HTMLElement} result @param {HTMLElement} content may be in a detached browser window */
  _replaceHTML(result, content) {
    content.replaceChildren(result);
  }
}
