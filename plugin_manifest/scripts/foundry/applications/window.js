/** A Foundry window that holds one element. The element keeps itself up to date. */

import { el } from "../../core/ui/dom.js";
import { freePlace } from "./window-place.js";

const { ApplicationV2 } = foundry.applications.api;

/** The icons of the module's windows. @type {Record<string, string>} */
const ICONS = {
  advice: "fa-solid fa-lightbulb",
  attack: "fa-solid fa-khanda",
  branch: "fa-solid fa-code-branch",
  choice: "fa-solid fa-circle-question",
  connect: "fa-solid fa-plug",
  missing: "fa-solid fa-screwdriver-wrench",
  layers: "fa-solid fa-layer-group",
  log: "fa-solid fa-scroll",
  override: "fa-solid fa-gavel",
  profile: "fa-solid fa-id-card",
  profiles: "fa-solid fa-people-group",
  proposals: "fa-solid fa-list-check",
  replay: "fa-solid fa-clapperboard",
  rules: "fa-solid fa-book",
  "self-check": "fa-solid fa-stethoscope",
  turn: "fa-solid fa-hourglass-half",
  values: "fa-solid fa-sliders",
};

/** The widths of windows in pixels; a choice may hold a table of odds. @type {Record<string, number>} */
const WIDTHS = { choice: 540 };
const WIDTH = 380;

/** An entry of the menu in a window's header. @typedef {{name: string, title: string, open: () => unknown}} MenuEntry */

/** The base of the module's windows. They build elements, never markup, and need no templates. */
export class SeatWindow extends ApplicationV2 {
  /** Called after the window has closed. @type {(() => void) | null} */
  onClose = null;
  #wasPlaced = false;
  /** The windows that are open and have their place. @type {Set<SeatWindow>} */
  static #open = new Set();

  static DEFAULT_OPTIONS = { classes: ["enfilade"], window: { resizable: true }, position: { width: WIDTH } };

  /**
   * @param {string} name among the module's windows
   * @param {string} title a localization key
   * @param {(host: HTMLElement) => void} fill adds the window's content to its element
   * @param {MenuEntry[]} [menu] other windows that its header opens
   */
  constructor(name, title, fill, menu = []) {
    const controls = menu.map((entry) => ({
      icon: ICONS[entry.name],
      label: `ENFILADE.${entry.title}`,
      action: `open-${entry.name}`,
    }));
    super({
      id: `enfilade-${name}`,
      window: { title: `ENFILADE.${title}`, icon: ICONS[name], controls },
      position: { width: WIDTHS[name] ?? WIDTH },
      actions: Object.fromEntries(menu.map((entry) => [`open-${entry.name}`, () => entry.open()])),
    });
    this.host = el("div", { class: `enfilade-body enfilade-${name}-body` });
    fill(this.host);
  }

  /** Shows the window in front of all others and focuses its first field. */
  async open() {
    const isNew = !this.rendered;
    await this.render({ force: true });
    if (!this.rendered) return; // closed meanwhile
    if (isNew) this.host.dispatchEvent(new Event("shown"));
    if (isNew && !SeatWindow.#open.has(this)) this.#moveAside(); // it may have been opened twice at once
    this.bringToFront();
    const first = this.host.querySelector("[autofocus]");
    if (first instanceof HTMLElement) first.focus();
  }

  _onClose() {
    SeatWindow.#open.delete(this);
    this.onClose?.();
  }

  /** Moves the window to a place that is free of the module's others: Foundry opens each in the middle of the screen. */
  #moveAside() {
    const { ownerDocument } = this.element;
    const others = [...SeatWindow.#open].map(({ element }) => element.getBoundingClientRect());
    const { innerWidth: width, innerHeight: height } = ownerDocument.defaultView ?? window;
    // A window that was open before comes back where its user has put it, if that place is free.
    const before = this.#wasPlaced ? placeOf(this.position) : null;
    this.setPosition(freePlace(this.element.getBoundingClientRect(), others, { width, height }, before));
    this.#wasPlaced = true;
    SeatWindow.#open.add(this);
  }

  async _renderHTML() {
    return this.host;
  }

  /** @param {HTMLElement} result @param {HTMLElement} content may be in a detached browser window */
  _replaceHTML(result, content) {
    content.replaceChildren(result);
  }
}

/** @param {{left?: number, top?: number}} position @returns {{left: number, top: number}} */
const placeOf = ({ left = 0, top = 0 }) => ({ left, top });
