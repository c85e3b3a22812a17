/** The popover of the extension: acts, log, layers and the link. It has its own connection while it is open. */

import { checkbox } from "../core/ui/controls.js";
import { el } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";
import { connectForm } from "../tabletop/connect-form.js";
import { LivePage } from "../tabletop/live-page.js";
import { seatPanel } from "../tabletop/panel.js";
import { keyProblem } from "../tabletop/seat-link.js";
import { savedLink, shareLayers } from "./shared-settings.js";
import { OwlbearTabletop } from "./tabletop.js";

/** @import {Link} from "../../types/page.js" */

/** Starts the page, after the host is ready. @param {HTMLElement} host */
export async function startAction(host) {
  const tabletop = await new OwlbearTabletop().prepare();
  let live = /** @type {LivePage | null} */ (null);
  const show = () => {
    live?.close();
    const link = savedLink.read();
    const form = connectForm({
      server: location.origin,
      isFixed: true,
      needs: localize(tabletop.canBridge() ? "Owlbear.ForGm" : "Owlbear.ForPlayer"),
      check: async (given) => [await keyProblem(given)].filter(Boolean),
      connect: (given) => save(given, form.tell),
      forget: () => save(null, form.tell),
    });
    live =
      link &&
      new LivePage(link, tabletop, {
        draws: false,
        bridges: false,
        onState: (state, why) => form.tell(localize(`line.${state}`, { sentence: why })),
      });
    if (live) shareLayers(live.seat);
    const panel = seatPanel(live, el("div", {}, form.element, fogChoice(tabletop)));
    host.replaceChildren(panel.element);
    Object.assign(window, { enfilade: { live, tabletop } });
  };
  /** @param {Link | null} link @param {(sentence: string) => void} tell */
  const save = (link, tell) => {
    if (!savedLink.save(link)) return tell(localize("Tabletop.NoStorage"));
    return show();
  };
  show();
}

/** @param {OwlbearTabletop} tabletop @returns {HTMLElement} the GM's choice whether fog drawings are walls */
function fogChoice(tabletop) {
  const box = el("input", { type: "checkbox", id: "enfilade-fog-walls" });
  box.onchange = () =>
    tabletop.setFogWalls(box.checked).catch((problem) => tabletop.notify(String(problem), "error"));
  tabletop.readScene().then(
    (scene) => (box.checked = (scene?.walls.length ?? 0) > 0),
    () => {},
  );
  const row = checkbox(box, localize("Owlbear.FogWalls"));
  row.hidden = !tabletop.canBridge();
  return row;
}
