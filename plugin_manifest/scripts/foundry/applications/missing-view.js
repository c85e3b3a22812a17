/** The window of what the table lacks of the scene: a part for each cause, with a button that mends it. */

import { button, firstClick } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { REACH_CELLS, mendedWall } from "../read/walls.js";

/** @import {FarWall} from "../read/walls.js" */
/** @import {UiContext} from "../seat-ui.js" */

const SHOWN = 20;

/** @param {HTMLElement} host @param {UiContext} context */
export function missingView(host, context) {
  const show = () => replaceContent(host, ...content(context));
  context.missing.subscribe(show);
  show();
}

/** @param {UiContext} context @returns {HTMLElement[]} */
function content({ missing, windows }) {
  const { unfit, odd, far, notes } = missing;
  const parts = [
    part("Unfit", unfit.length, named(unfit.map(({ name }) => name)), [
      button("enfilade-missing-profiles", localize("Missing.FixUnfit"), () => windows.open("profiles")),
    ]),
    part(
      "Odd",
      odd.length,
      [],
      [
        button("enfilade-missing-odd", localize("Missing.FixOdd", { count: odd.length }), () =>
          change(missing.scene, "update", odd.map(mendedWall)),
        ),
      ],
    ),
    part("Far", far.length, far.map(farText), farButtons(missing.scene, far)),
  ];
  const nothing = el("p", { class: "quiet" }, localize("Missing.Nothing"));
  const shown = [...(missing.count ? parts : [nothing]), part("Notes", notes.length, notes, [])];
  return shown.flatMap((one) => one ?? []);
}

/**
 * @param {string} cause its name in the language file
 * @param {number} count
 * @param {string[]} lines
 * @param {HTMLElement[]} buttons
 */
function part(cause, count, lines, buttons) {
  if (!count) return null;
  const rows = lines.slice(0, SHOWN).map((line) => el("li", {}, line));
  if (lines.length > SHOWN)
    rows.push(el("li", {}, localize("FarWalls.More", { count: lines.length - SHOWN })));
  return el(
    "section",
    { class: "enfilade-missing-part" },
    el("h2", {}, localize(`Missing.${cause}`, { count, cells: REACH_CELLS })),
    el("ul", {}, ...rows),
    el("div", { class: "buttons" }, ...buttons),
  );
}

/** Returns names, each once with how often it is there. @param {string[]} names */
function named(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} (${count})` : name));
}

/** @param {FarWall} wall */
function farText({ c: [x1, y1, x2, y2], isOnMap }) {
  const place = { from: `${x1}, ${y1}`, to: `${x2}, ${y2}` };
  return localize(isOnMap ? "FarWalls.Crossing" : "FarWalls.Wall", place);
}

/** @param {string} scene @param {FarWall[]} walls */
function farButtons(scene, walls) {
  const off = walls.filter(({ isOnMap }) => !isOnMap).map(({ id }) => id);
  const label = localize("FarWalls.Delete", { count: off.length });
  const remove = () => change(scene, "delete", off);
  return off.length ? [button("enfilade-far-walls-delete", label, firstClick(remove))] : [];
}

/** @param {string} scene @param {"update" | "delete"} action @param {any[]} rows walls, or their IDs */
const change = (scene, action, rows) => game.scenes.get(scene)?.[`${action}EmbeddedDocuments`]("Wall", rows);
