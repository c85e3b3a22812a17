/** Placing units: which, for whom, and then a click or Enter for each cell. */

import { el } from "../core/dom.js";
import { CELL } from "../core/geometry.js";
import { button, choices, field, section } from "../core/controls.js";

/** @import {Cell, Grid, Replica} from "../../types/contract.js" */
/** @import {Store} from "../core/store.js" */

/**
 * The section that starts and ends placing.
 * @param {Replica} replica
 * @param {Store} store
 */
export function placeUnit({ scene, ruleset }, store) {
  const now = store.state.placing;
  const units = ruleset.catalogue.map(({ key, name }) => /** @type {[string, string]} */ ([key, name]));
  const sides = scene.sides.map(({ id, name }) => /** @type {[string, string]} */ ([id, name]));
  const unit = choices("place-unit", units, now?.unit);
  const side = choices("place-side", sides, now?.side);
  const choose = () => {
    const cursor = store.state.cursor ?? middleOf(scene.grid);
    store.set({ placing: { unit: unit.value, side: side.value }, cursor });
  };
  unit.onchange = side.onchange = () => store.state.placing && choose();
  const hint = el("p", { class: "quiet" }, hintFor(now !== null, sides.length > 0));
  const go = now ? stopButton(store) : startButton(choose, sides.length > 0);
  return section("Place a unit", field("Unit", unit), field("Side", side), go, hint);
}

/** @param {() => void} choose @param {boolean} isReady */
const startButton = (choose, isReady) =>
  button("place-go", "Place", choose, { class: "primary", disabled: !isReady });

/** @param {Store} store */
const stopButton = (store) =>
  button("place-go", "Done placing", () => store.set({ placing: null, cursor: null }));

/** @param {boolean} isPlacing @param {boolean} isReady */
function hintFor(isPlacing, isReady) {
  if (isPlacing) return "Click a cell, or move the frame with the arrows and press Enter on the board.";
  return isReady ? "" : "Add a side first.";
}

/** @param {Grid} grid @returns {Cell} */
function middleOf({ columns, rows, kind }) {
  const unit = kind === "gridless" ? CELL : 1;
  return [Math.floor(columns / 2) * unit, Math.floor(rows / 2) * unit];
}
