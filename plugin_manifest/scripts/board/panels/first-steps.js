/** The first minutes: what an empty table needs, and what a guest is told when it gets a unit. */

import { canPlay, hasChanged, isGm } from "../../core/game/store.js";
import { button } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Notices, TableState} from "../../../types/page.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Board} from "../page/page-state.js" */

/** The steps: the tab of the drawer that each opens, and what gets the focus there. */
const STEPS = /** @type {const} */ ([
  ["Map", "tab-setup", "map-file"],
  ["Units", "tab-setup", "place-unit"],
  ["Players", "tab-players", "invite-player"],
]);

/** @param {TableState} state */
const isEmpty = ({ replica }) =>
  replica !== null &&
  !replica.scene.tokens.length &&
  !replica.scene.walls.length &&
  !replica.scene.background;

/**
 * Show the GM of an empty table three large steps.
 * @param {HTMLElement} host
 * @param {{store: Store, board: Board, notices: Notices, open: (tab: string) => void}} parts
 */
export function firstSteps(host, { store, board, notices, open }) {
  const steps = STEPS.map(([name, tab, focus]) => {
    const go = () => {
      open(tab);
      setTimeout(() => document.getElementById(focus)?.focus());
    };
    const step = button(`first-${name.toLowerCase()}`, "", go, { class: "first-step" });
    step.append(el("strong", {}, localize(`First.${name}`)), el("small", {}, localize(`First.${name}Hint`)));
    return step;
  });
  const panel = el(
    "section",
    { id: "first-steps", class: "glass", hidden: true, "aria-labelledby": "first-title" },
    el("h2", { id: "first-title" }, localize("First.Title")),
    ...steps,
  );
  host.append(panel);
  board.subscribe((state) => {
    panel.hidden = !(isGm(state) && isEmpty(state) && !state.placing && !state.tool);
  });
  tellOwnUnits(store, notices);
}

/** Tell a guest when it gets its first unit. @param {Store} store @param {Notices} notices */
function tellOwnUnits(store, notices) {
  let had = -1;
  store.subscribe((state, before) => {
    const { replica } = state;
    if (!replica || replica.role !== "player" || !hasChanged(state, before, "replica")) return;
    const own = replica.scene.tokens.filter((token) => canPlay(state, token));
    if (had === 0 && own.length)
      notices.info(localize("Dock.NowYours", { names: own.map(({ name }) => name).join(", ") }));
    had = own.length;
  });
}
