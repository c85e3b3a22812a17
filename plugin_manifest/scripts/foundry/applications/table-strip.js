/** A strip at the top of the page while it shows another scene, or level, than the table's: it says where the table is. */

import { button } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { guarded } from "../boundary.js";
import { isTableShown, moveTableHere, showTable, tablePlace } from "../read/table-scene.js";

/** The strip of this page. */
export class TableStrip {
  #element = el("aside", { class: "enfilade enfilade-strip", role: "status" });

  /** Shows the strip if this page has a table and shows another scene. @param {boolean} hasTable */
  show(hasTable) {
    if (!hasTable || !canvas.ready || isTableShown()) return this.#element.remove();
    replaceContent(this.#element, ...content());
    if (!this.#element.isConnected) document.body.append(this.#element);
  }
}

/** Returns what the strip says, and the buttons that this user may use. */
function content() {
  const place = tablePlace();
  const { isGM } = game.user;
  const move = button("enfilade-table-here", localize("Table.MoveHere"), guarded("scene", moveTableHere));
  if (!place) return [el("span", {}, localize("Table.Nowhere")), ...(isGM ? [move] : [])];
  const { scene, level } = place;
  const isShared = isGM || scene.active || scene.testUserPermission(game.user, "LIMITED");
  const show = button("enfilade-table-show", localize("Table.Show"), guarded("scene", showTable));
  const name = isShared ? scene.name : localize("Table.Elsewhere");
  const levelName = (level && scene.levels && scene.levels.size > 1 && scene.levels.get(level)?.name) || "";
  const text = levelName
    ? localize("Table.AtLevel", { scene: name, level: levelName })
    : localize("Table.At", { scene: name });
  return [el("span", {}, text), ...(isShared ? [show] : []), ...(isGM ? [move] : [])];
}
