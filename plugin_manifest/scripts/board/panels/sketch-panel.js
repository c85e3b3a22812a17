/** The pen, texts and fog: what is drawn on the map beside the rules, and how it is cleared. */

import { SKETCH_TOOLS, newDrawing } from "../input/sketch-tool.js";
import { isPhone } from "../page/drawer.js";
import { button, checkbox, field, selectField } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { hasChanged, isGm } from "../../core/game/store.js";
import { COLORS } from "../../core/draw/sketch-marks.js";

/** @import {TableState, Tool} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Board} from "../page/page-state.js" */
/** @import {MapTools} from "../input/map-tools.js" */

/**
 * Fill an element with the tools and keep them current. A spectator has none.
 * @param {HTMLElement} host
 * @param {HTMLElement} opener the button that opens the element
 * @param {{board: Board, session: Session, tools: MapTools}} parts
 */
export function sketchPanel(host, opener, { board, session, tools }) {
  const take = (/** @type {Tool} */ tool) =>
    button(
      `sketch-${tool}`,
      localize(`Tool.${tool}`),
      ({ detail }) => {
        tools.take(tool);
        if (!tools.tool) return;
        if (isPhone()) opener.click(); // the panel lies where one draws
        if (detail === 0) document.getElementById("board")?.focus(); // by key the tool is used there
      },
      { "aria-pressed": "false" },
    );
  const [pen, text, cover, lift] = SKETCH_TOOLS.map(take);
  const fog = fogFields(session, board, [cover, lift]);
  const hidden = el("input", { type: "checkbox", id: "sketch-hidden" });
  hidden.onchange = () => (newDrawing.hidden = hidden.checked);
  const own = checkbox(hidden, localize("Sketch.ForGm"));
  host.append(
    el("h2", {}, localize("Sketch.Title")),
    el("div", { class: "tool-buttons", role: "group", "aria-label": localize("Sketch.Title") }, pen, text),
    field(localize("Sketch.Text"), textField()),
    field(localize("Sketch.Color.Title"), colorField()),
    stays(),
    own,
    button("sketch-erase", localize("Sketch.EraseOwn"), () => session.send("erase", {})),
    fog.element,
  );
  board.subscribe((state, before) => {
    if (!hasChanged(state, before, "tool", "replica")) return;
    const isMaster = isGm(state);
    opener.hidden = !state.replica || state.replica.role === "spectator";
    opener.toggleAttribute("data-on", tools.sketch.uses(state.tool));
    own.hidden = fog.element.hidden = !isMaster;
    const erase = /** @type {HTMLElement} */ (host.querySelector("#sketch-erase"));
    erase.textContent = localize(isMaster ? "Sketch.EraseAll" : "Sketch.EraseOwn");
    for (const [i, one] of [pen, text, cover, lift].entries())
      one.setAttribute("aria-pressed", String(state.tool === SKETCH_TOOLS[i]));
    fog.show(state);
  });
}

function textField() {
  const input = el("input", { id: "sketch-words", type: "text", maxLength: 120 });
  input.oninput = () => (newDrawing.text = input.value);
  return input;
}

function colorField() {
  const options = Object.keys(COLORS).map(
    (color) => /** @type {[string, string]} */ ([color, localize(`Sketch.Color.${color}`)]),
  );
  const list = selectField("sketch-color", options, newDrawing.color);
  list.onchange = () => (newDrawing.color = /** @type {typeof newDrawing.color} */ (list.value));
  return list;
}

/** The choice between drawings that stay and those of this round. */
function stays() {
  const box = el("input", { type: "checkbox", id: "sketch-round" });
  box.onchange = () => (newDrawing.rounds = box.checked ? 1 : 0);
  return checkbox(box, localize("Sketch.ThisRound"));
}

/**
 * @param {Session} session
 * @param {Board} board
 * @param {HTMLElement[]} tools
 */
function fogFields(session, board, tools) {
  const set = (/** @type {Record<string, unknown>} */ change) => session.send("fog.set", change);
  const box = (/** @type {string} */ id, /** @type {"by_sight" | "has_picture"} */ key) => {
    const input = el("input", { type: "checkbox", id });
    input.onchange = () => set({ [key]: input.checked });
    return input;
  };
  const [sight, picture] = [box("fog-sight", "by_sight"), box("fog-picture", "has_picture")];
  const all = () => {
    const { columns = 0, rows = 0 } = board.state.replica?.scene.grid ?? {};
    return set({ cover: Array.from({ length: rows }, (_, row) => [row, 0, columns - 1]) });
  };
  const element = el(
    "div",
    { id: "fog-fields" },
    el("h3", {}, localize("Fog.Title")),
    el("div", { class: "tool-buttons", role: "group", "aria-label": localize("Fog.Title") }, ...tools),
    el(
      "div",
      { class: "tool-buttons" },
      button("fog-all", localize("Fog.CoverAll"), all),
      button("fog-none", localize("Fog.LiftAll"), () => set({ clear: true })),
    ),
    checkbox(sight, localize("Fog.BySight")),
    checkbox(picture, localize("Fog.Picture")),
    el("p", { class: "quiet" }, localize("Fog.PictureHint")),
  );
  return {
    element,
    /** @param {TableState} state */
    show({ replica }) {
      sight.checked = replica?.scene.fog.by_sight ?? false;
      picture.checked = replica?.scene.fog.has_picture ?? false;
    },
  };
}
