/** The window that lists walls far off the map, which the table does not get, and deletes them. */

import { button, firstClick } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { REACH_CELLS } from "../read/walls.js";
import { SeatWindow } from "./window.js";

/** @import {FarWall} from "../read/walls.js" */

const SHOWN = 20;

/** Tells the GM once of each scene's walls far off. */
export class FarWalls {
  /** @type {SeatWindow | null} */
  #window = null;
  /** The walls that the GM was told of, by scene. @type {Map<string, string>} */
  #told = new Map();

  /** Shows a scene's walls, if they are others than before. @param {string} scene @param {FarWall[]} walls */
  tell(scene, walls) {
    const ids = walls.map(({ id }) => id).join(" ");
    if (ids === (this.#told.get(scene) ?? "")) return;
    const isFewer = walls.every(({ id }) => this.#told.get(scene)?.includes(id));
    this.#told.set(scene, ids);
    this.#window ??= new SeatWindow("far-walls", "FarWalls.Title", () => {});
    replaceContent(this.#window.host, ...content(scene, walls));
    if (!walls.length && this.#window.rendered) this.#window.close();
    if (isFewer) return; // the GM has deleted some
    ui.notifications.warn(localize("FarWalls.Notice", { count: walls.length, cells: REACH_CELLS }));
    this.#window.open();
  }
}

/** @param {string} scene @param {FarWall[]} walls */
function content(scene, walls) {
  const rows = walls.slice(0, SHOWN).map(({ c: [x1, y1, x2, y2], isOnMap }) => {
    const place = { from: `${x1}, ${y1}`, to: `${x2}, ${y2}` };
    return el("li", {}, localize(isOnMap ? "FarWalls.Crossing" : "FarWalls.Wall", place));
  });
  const more = walls.length - rows.length;
  const last = more > 0 ? [el("li", {}, localize("FarWalls.More", { count: more }))] : [];
  const off = walls.filter(({ isOnMap }) => !isOnMap).map(({ id }) => id);
  const remove = firstClick(() => game.scenes.get(scene)?.deleteEmbeddedDocuments("Wall", off));
  const label = localize("FarWalls.Delete", { count: off.length });
  return [
    el("p", {}, localize("FarWalls.Text", { cells: REACH_CELLS })),
    el("ul", {}, ...rows, ...last),
    ...(off.length
      ? [el("div", { class: "buttons" }, button("enfilade-far-walls-delete", label, remove))]
      : []),
  ];
}
