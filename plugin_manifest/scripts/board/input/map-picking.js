/**
 * Choosing on the map: the places that a question or an act offers are marked, and a click, a tap or a key takes one.
 * A bar over the map says what is to be chosen, and what is under the pointer.
 */

import { pickAt } from "../../core/game/map-picks.js";
import { button } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Cell} from "../../../types/contract.js" */
/** @import {Pick} from "../../core/game/map-picks.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Page} from "../page/page-state.js" */

export class MapPicking {
  /** Takes what was chosen; null if the user cancels. @type {((value: any) => void) | null} */
  #settle = null;

  /**
   * @param {HTMLElement} host of the bar
   * @param {HTMLElement} view gets the focus while something is to be chosen
   * @param {{store: Store, page: Page}} stores
   */
  constructor(host, view, { store, page }) {
    this.view = view;
    this.store = store;
    this.page = page;
    this.text = el("span", { role: "status" });
    const cancel = button("pick-cancel", localize("ActForm.Cancel"), () => this.cancel());
    this.bar = el("div", { id: "pick-bar", hidden: true }, this.text, cancel);
    host.append(this.bar);
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.cancel());
    store.subscribe(({ replica }) => {
      if (page.state.picking && !replica?.scene) this.cancel();
    });
  }

  /**
   * Let the user choose one of some places.
   * @template T
   * @param {Pick<T>[]} picks
   * @returns {Promise<T | null>} null if the user cancels, or something else is to be chosen
   */
  choose(picks) {
    this.cancel();
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.page.set({ picking: { picks, chosen: null } });
      this.store.set({ target: null });
      document.body.dataset.picking = "yes";
      this.bar.hidden = false;
      this.text.textContent = localize("Pick.BoardHint", { count: picks.length });
      this.view.focus();
    });
  }

  /** End without a choice. */
  cancel() {
    this.#end(null);
  }

  /** Show what a place means. @param {Cell} at on the plane */
  point(at) {
    this.#show(this.#at(at));
  }

  /** Take what a place means. @param {Cell} at on the plane */
  take(at) {
    const pick = this.#at(at);
    if (pick) this.#end(pick);
    else this.text.textContent = localize("Pick.Nothing");
  }

  /**
   * Go to the next or previous place, or take the one that is shown.
   * @param {number} direction 1 or -1; 0 takes
   * @returns {boolean} whether something is to be chosen
   */
  key(direction) {
    const { picking } = this.page.state;
    if (!picking) return false;
    const { picks, chosen } = picking;
    if (!direction) {
      if (chosen) this.#end(chosen);
      return true;
    }
    const now = chosen ? picks.indexOf(chosen) : -1;
    const next = now < 0 && direction < 0 ? picks.length - 1 : now + direction;
    this.#show(picks[(next + picks.length) % picks.length]);
    return true;
  }

  /** @param {Cell} at @returns {Pick<any> | null} */
  #at(at) {
    const { picking } = this.page.state;
    const { replica } = this.store.state;
    return picking && replica
      ? pickAt(picking.picks, replica.scene, /** @type {[number, number]} */ (at))
      : null;
  }

  /** @param {Pick<any> | null} chosen */
  #show(chosen) {
    const { picking } = this.page.state;
    if (!picking || picking.chosen === chosen) return;
    this.page.set({ picking: { ...picking, chosen } });
    this.text.textContent = chosen?.label ?? localize("Pick.BoardHint", { count: picking.picks.length });
  }

  /** @param {Pick<any> | null} pick */
  #end(pick) {
    const settle = this.#settle;
    if (!settle) return;
    this.#settle = null;
    this.page.set({ picking: null });
    delete document.body.dataset.picking;
    this.bar.hidden = true;
    settle(pick?.value ?? null);
  }
}
