/**
 * Choosing on the map: the places that a question or an act offers are marked, and a click, a tap or a key takes one.
 * An act that may be aimed at any cell shows whom it would catch there; one with a facing takes it from the place in
 * the cell. A bar over the map says what is to be chosen, and what is under the pointer.
 */

import { cellAt } from "../../core/map/geometry.js";
import { aimedPick, facingInCell, pickAt } from "../../core/game/map-picks.js";
import { RestingQuestion } from "../../core/game/resting-question.js";
import { button } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Act, Cell, Target} from "../../../types/contract.js" */
/** @import {Pick} from "../../core/game/map-picks.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Page} from "../page/page-state.js" */

export class MapPicking {
  /** Takes what was chosen; null if the user cancels. @type {((value: any) => void) | null} */
  #settle = null;

  /**
   * @param {HTMLElement} host of the bar
   * @param {HTMLElement} view gets the focus while something is to be chosen
   * @param {{store: Store, page: Page, session: Session}} parts
   */
  constructor(host, view, { store, page, session }) {
    this.view = view;
    this.store = store;
    this.page = page;
    this.text = el("span", { role: "status" });
    const cancel = button("pick-cancel", localize("ActForm.Cancel"), () => this.cancel());
    this.bar = el("div", { id: "pick-bar", hidden: true }, this.text, cancel);
    host.append(this.bar);
    this.aim = new RestingQuestion({
      ask: (/** @type {{act: Act}} */ { act }) => session.requestPreview(act),
      take: (/** @type {Target | null} */ found) => found && this.#showAimed(found),
      drop: () => {},
    });
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
    return this.#begin(picks, null, localize("Pick.BoardHint", { count: picks.length }));
  }

  /**
   * Let the user aim an act at any cell; who would be in it is shown once the pointer rests.
   * @param {Target} target
   * @returns {Promise<Act | null>} null if the user cancels
   */
  place({ act, label }) {
    return this.#begin([], act, localize("Pick.AimHint", { label }));
  }

  /**
   * @param {Pick<any>[]} picks
   * @param {Act | null} aimed
   * @param {string} hint
   * @returns {Promise<any>}
   */
  #begin(picks, aimed, hint) {
    this.cancel();
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.page.set({ picking: { picks, chosen: null, aimed } });
      this.store.set({ target: null });
      document.body.dataset.picking = "yes";
      this.bar.hidden = false;
      this.text.textContent = hint;
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
    if (picking.aimed) return this.#aimAtNext(picking.aimed, direction);
    const now = chosen ? picks.indexOf(chosen) : -1;
    const next = now < 0 && direction < 0 ? picks.length - 1 : now + direction;
    this.#show(picks[(next + picks.length) % picks.length]);
    return true;
  }

  /** @param {Cell} at @returns {Pick<any> | null} */
  #at(at) {
    const { picking } = this.page.state;
    const { replica } = this.store.state;
    if (picking?.aimed && replica) {
      const { grid } = replica.scene;
      const cell = cellAt(grid, at);
      const facing = picking.aimed.facing === null ? null : facingInCell(grid, cell, at);
      return this.#aimedAt({ ...picking.aimed, facing }, cell);
    }
    return picking && replica
      ? pickAt(picking.picks, replica.scene, /** @type {[number, number]} */ (at))
      : null;
  }

  /** Aim an act at a cell, and ask whom it catches there; what is known of that cell stays. @param {Act} aimed @param {Cell | null} at */
  #aimedAt(aimed, at) {
    const chosen = this.page.state.picking?.chosen ?? null;
    if (!at || (String(chosen?.at) === String(at) && chosen?.value.facing === aimed.facing))
      return at && chosen;
    const act = { ...aimed, at };
    this.aim.put({ act });
    return aimedPick(act, "", []);
  }

  /** Aim at the middle of the next unit on the board. @param {Act} aimed @param {number} direction */
  #aimAtNext(aimed, direction) {
    const places = (this.store.state.replica?.scene.tokens ?? []).flatMap(({ at }) => (at ? [at] : []));
    const now = places.findIndex((at) => String(at) === String(this.page.state.picking?.chosen?.at));
    const next = now < 0 && direction < 0 ? places.length - 1 : now + direction;
    if (places.length)
      this.#show(this.#aimedAt({ ...aimed, facing: null }, places[(next + places.length) % places.length]));
    return true;
  }

  /** Show whom an act catches where it is aimed, or why it cannot be aimed there. @param {Target} target */
  #showAimed({ act, legal, why, caught }) {
    const { picking } = this.page.state;
    if (!picking?.aimed || String(picking.chosen?.at) !== String(act.at)) return;
    if (picking.chosen?.value.facing !== act.facing) return;
    const tokens = this.store.state.replica?.scene.tokens ?? [];
    const names = tokens.filter(({ id }) => caught.includes(id)).map(({ name }) => name);
    const inside = names.length
      ? localize("Pick.Inside", { names: names.join(", ") })
      : localize("Pick.NoOne");
    this.#show(aimedPick(act, legal ? inside : why, legal ? caught : []));
  }

  /** @param {Pick<any> | null} chosen */
  #show(chosen) {
    const { picking } = this.page.state;
    if (!picking || picking.chosen === chosen) return;
    if (picking.aimed) {
      this.page.set({ picking: { ...picking, chosen } });
      if (chosen?.label) this.text.textContent = chosen.label;
      return;
    }
    this.page.set({ picking: { ...picking, chosen } });
    this.text.textContent = chosen?.label ?? localize("Pick.BoardHint", { count: picking.picks.length });
  }

  /** @param {Pick<any> | null} pick */
  #end(pick) {
    const settle = this.#settle;
    if (!settle) return;
    this.#settle = null;
    this.aim.put(null);
    this.page.set({ picking: null });
    delete document.body.dataset.picking;
    this.bar.hidden = true;
    settle(pick?.value ?? null);
  }
}
