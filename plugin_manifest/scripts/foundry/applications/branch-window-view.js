/** The window of branches: at the table opens one; in a branch moves, undo, the comparison, and the way back. */

import { isGm, selectedToken } from "../../core/game/store.js";
import { branchOpener, branchView } from "../../core/ui/branch-view.js";
import { button } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { moveToken } from "../branch-switch.js";
import { pickOnMap } from "../canvas/map-pick.js";

/** @import {UiContext} from "../seat-ui.js" */
/** @import {Cell} from "../../../types/contract.js" */

/** Fills the window. @param {HTMLElement} host @param {UiContext} context */
export function branchWindowView(host, context) {
  const { store, session, notices, commands, goTo, branch } = context;
  if (!branch) {
    const opener = el(
      "button",
      { type: "button", id: "branch-open", class: "primary" },
      localize("Branch.Open"),
    );
    const shown = branchOpener(opener, { store, session, notices, goTo });
    host.append(el("p", {}, localize("Branch.Explain")), opener, shown);
    return;
  }
  const { controls, comparison } = branchView(branch.link, branch.branch, { store, session, notices, goTo });
  const [text, ...buttons] = controls;
  const move = button("branch-move", localize("Branch.Move"), () => pickMove(context));
  const undo = button("branch-undo", localize("Branch.Undo"), () => commands.undo());
  store.subscribe((state) => (undo.hidden = !isGm(state)));
  host.append(
    text,
    el("p", {}, localize("Branch.MapHint")),
    el("div", { class: "buttons" }, move, undo),
    el("div", { class: "buttons" }, ...buttons),
    comparison,
  );
}

/** Lets the user choose a place in the selected token's reach, and moves it there. @param {UiContext} context */
async function pickMove(context) {
  const { store, notices } = context;
  const token = selectedToken(store.state);
  const { overlay } = store.state;
  const cells = overlay && overlay.token === token?.id ? (overlay.reach?.cells ?? []) : [];
  if (!token || !cells.length) return notices.error(localize("Branch.NoMove"));
  const picks = cells.map(([column, row]) => {
    const at = /** @type {Cell} */ ([column, row]);
    return { value: at, label: "", at, toward: null, caught: [], tokens: [] };
  });
  const at = await pickOnMap(picks, () => store.state.replica?.scene);
  return at && moveToken(context, token, at, null);
}
