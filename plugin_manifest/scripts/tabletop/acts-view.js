/** The acts of the selected token, by target, with their odds; those without a target last. */

import { diceField, setFaceHint } from "../core/dice/notation.js";
import { untargetedActs, targetsByToken } from "../core/draw/overlay-marks.js";
import { canAct, canEnterDice, hasChanged, isGm, selectedToken } from "../core/game/store.js";
import { actView } from "../core/ui/act-view.js";
import { button, checkbox, field, firstClick } from "../core/ui/controls.js";
import { el, replaceContent } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";

/** @import {Target} from "../../types/contract.js" */
/** @import {TabletopSeat} from "./seat.js" */

/**
 * Fills an element with the acts and keeps them current.
 * @param {HTMLElement} host
 * @param {TabletopSeat} seat
 */
export function actsView(host, { store, commands }) {
  const dice = diceField("enfilade-dice", localize("Attack.ServerRolls"));
  const physical = el("input", { type: "checkbox", id: "enfilade-physical" });
  const hidden = el("input", { type: "checkbox", id: "enfilade-hidden" });
  const list = el("div", { class: "enfilade-acts" });
  const byDice = [field(localize("Dice.Enter"), dice), checkbox(physical, localize("Attack.PhysicalDice"))];
  const byGm = checkbox(hidden, localize("Attack.HiddenRoll"));
  host.append(list, ...byDice, byGm);

  /** @param {Target} target */
  const act = async (target) => {
    const how = { isPhysical: physical.checked, isHidden: hidden.checked };
    if (await commands.act(target.act, dice.value, how)) dice.value = "";
  };
  const show = () => {
    const { replica, overlay } = store.state;
    const token = selectedToken(store.state);
    const isOwn = token !== null && canAct(store.state);
    for (const row of byDice) row.hidden = !isOwn || !canEnterDice(store.state);
    byGm.hidden = !isOwn || !isGm(store.state);
    setFaceHint(dice, replica?.ruleset.faces ?? []);
    if (!token) return replaceContent(list, el("p", { class: "quiet" }, localize("Tabletop.Select")));
    const byTarget = isOwn && overlay ? [...targetsByToken(overlay)] : [];
    const tokens = replica?.scene.tokens ?? [];
    const nameOf = (/** @type {string} */ id) => tokens.find((one) => one.id === id)?.name ?? id;
    let index = 0;
    const items = (/** @type {Target[]} */ targets) =>
      el(
        "ul",
        { class: "acts" },
        ...targets.map((one) => actView(one, index++, act, tokens, isGm(store.state))),
      );
    const others = isOwn && overlay ? untargetedActs(overlay).filter(({ legal }) => legal) : [];
    return replaceContent(
      list,
      el("h2", {}, token.name),
      el(
        "dl",
        { class: "card" },
        ...(overlay?.card ?? []).flatMap(({ label, value, note }) => [
          el("dt", {}, label),
          el("dd", {}, note ? `${value} ${note}` : value),
        ]),
      ),
      ...byTarget.flatMap(([id, targets]) => [el("h3", {}, `→ ${nameOf(id)}`), items(targets)]),
      ...others.map((one, i) =>
        button(
          `other-${i}`,
          one.label,
          firstClick(() => act(one)),
          { class: "quiet-button" },
        ),
      ),
      isOwn && overlay && !byTarget.length ? el("p", { class: "quiet" }, localize("Attack.Nothing")) : "",
    );
  };
  store.subscribe((state, before) => hasChanged(state, before, "selected", "overlay", "replica") && show());
  show();
}

/**
 * Returns the button that takes the last act back; hidden where this seat may not.
 * @param {TabletopSeat} seat
 */
export function undoButton({ store, commands }) {
  const undo = button("enfilade-undo", localize("Tabletop.Undo"), () => commands.undo());
  store.subscribe((state) => (undo.hidden = !isGm(state)));
  undo.hidden = true;
  return undo;
}
