/**
 * Advice in Foundry: a window for the selected token, with the heat map on the canvas while it is open. A press on a
 * place shows the token there; a second press moves it, as a drag by its user would.
 */

import { numberOf, signed } from "../../core/draw/decision-marks.js";
import { cellAt, cellName } from "../../core/map/geometry.js";
import { Decisions, hasAdvice } from "../../core/game/decisions.js";
import { hasChanged, selectedToken } from "../../core/game/store.js";
import { adviceView } from "../../core/ui/advice-view.js";
import { button, field, selectField } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { focusView } from "../../core/ui/focus-view.js";
import { localize } from "../../core/ui/i18n.js";
import { guarded } from "../boundary.js";
import { moveToken } from "../branch-switch.js";
import { boardPosition, canvasPoint, toBoard } from "../canvas/board-position.js";
import { isTableShown } from "../read/table-scene.js";
import { SeatWindow } from "./window.js";

/** @import {MapCell, Token} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */
/** @import {UiContext} from "../seat-ui.js" */
/** @import {MenuEntry} from "./window.js" */

/** The window is also the switch of the advice: the table is asked while it is open. */
export class AdviceWindow extends SeatWindow {
  #stopPointer = () => {};

  /** @param {UiContext} context @param {MenuEntry[]} menu */
  constructor(context, menu) {
    super("advice", "Advice.Title", () => {}, menu);
    const { store, session } = context;
    this.store = store;
    this.decisions = new Decisions(store, session);
    const places = el("div", {});
    const move = el("div", { class: "buttons", "aria-live": "polite" });
    const focus = el("div", {});
    adviceView(this.host, {
      store,
      decisions: this.decisions,
      plan: (token, cell) => plan(context, token, cell),
    });
    focusView(focus, { store, session });
    this.host.append(move, places, focus);
    store.subscribe((state, before) => {
      if (this.rendered && !hasAdvice(state)) this.close();
      if (!this.decisions.isOn) return;
      if (hasChanged(state, before, "decision")) replaceContent(places, ...placeList(context, state));
      if (hasChanged(state, before, "ghost")) replaceContent(move, ...moveButton(context, state));
      const { ghost } = state;
      if (ghost && ghost.token !== selectedToken(state)?.id) store.set({ ghost: null });
    });
    this.onClose = () => {
      this.decisions.switch(false);
      this.#stopPointer();
      store.set({ pointed: null, ghost: null });
    };
  }

  /** Shows the window and switches the advice on. */
  async open() {
    if (!hasAdvice(this.store.state)) return;
    if (!this.decisions.isOn) {
      this.decisions.switch(true);
      this.#stopPointer = followPointer(this.store);
    }
    await super.open();
  }
}

/**
 * Notes the place under the pointer on the canvas. Returns the function that ends it.
 * @param {UiContext["store"]} store
 */
function followPointer(store) {
  if (!isTableShown()) return () => {}; // this page shows another map, or none
  const { view } = canvas.app;
  const note = guarded("key", (/** @type {PointerEvent} */ event) => {
    const { replica, pointed, decision } = store.state;
    if (!replica || !decision) return;
    const point = toBoard(boardPosition(canvas.grid, canvas.dimensions), canvasPoint(event));
    const cell = cellAt(replica.scene.grid, point);
    if (String(cell) !== String(pointed)) store.set({ pointed: cell });
  });
  view.addEventListener("pointermove", note);
  return () => view.removeEventListener("pointermove", note);
}

/** Shows the token at a place. @param {UiContext} context @param {Token} token @param {MapCell} cell */
function plan({ store }, token, { at, facing }) {
  store.set({ ghost: { token: token.id, at, facing, path: [], text: "", isPlan: true }, pointed: at });
}

/**
 * Builds the list of all places, the best first, for users without a pointer.
 * @param {UiContext} context
 * @param {TableState} state
 */
function placeList(context, state) {
  const { decision, replica } = state;
  const token = selectedToken(state);
  if (!decision || !replica || !token) return [];
  const { grid } = replica.scene;
  const cells = decision.cells.toSorted((a, b) => numberOf(b) - numberOf(a));
  const options = cells.map(
    (cell, i) =>
      /** @type {[string, string]} */ ([String(i), `${cellName(grid, cell.at)}: ${signed(numberOf(cell))}`]),
  );
  const list = selectField("advice-places", [["", localize("Advice.ChoosePlace")], ...options], "");
  list.onchange = () => list.value && plan(context, token, cells[Number(list.value)]);
  return [field(localize("Advice.Places"), list)];
}

/** Builds the button that moves the token to the planned place. @param {UiContext} context @param {TableState} state */
function moveButton(context, { ghost, replica }) {
  if (!ghost?.isPlan || !replica) return [];
  const place = cellName(replica.scene.grid, ghost.at);
  return [
    button("advice-move", localize("Advice.MoveTo", { place }), () => moveThere(context), {
      class: "primary",
    }),
  ];
}

/** Moves the token to the planned place. @param {UiContext} context */
async function moveThere(context) {
  const { ghost, replica } = context.store.state;
  const known = replica?.scene.tokens.find(({ id }) => id === ghost?.token);
  context.store.set({ ghost: null });
  if (ghost && known) await moveToken(context, known, ghost.at, ghost.facing);
}
