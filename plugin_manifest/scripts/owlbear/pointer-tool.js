/**
 * A tool of the map: over another token it shows the verdict, over a place what the selected token's way there costs.
 * The host tells of the pointer only inside an extension's own tool.
 */

import { cellName } from "../core/map/geometry.js";
import { PathCosts } from "../core/game/path-costs.js";
import { localize } from "../core/ui/i18n.js";
import { placeOf } from "../tabletop/placed-grid.js";
import { OBR, OWN, ask } from "./host.js";
import { pointedToken } from "./tabletop.js";

/** @import {Cell} from "../../types/contract.js" */
/** @import {LivePage} from "../tabletop/live-page.js" */
/** @import {PlacedGrid, Point} from "../tabletop/tabletop.js" */

const [TOOL, MODE] = [`${OWN}/tool`, `${OWN}/tool-mode`];

/**
 * Adds the tool.
 * @param {string} icon its address
 * @param {() => LivePage | null} page the page that is connected
 */
export async function addPointerTool(icon, page) {
  let pointed = /** @type {Cell | null} */ (null);
  let grid = /** @type {PlacedGrid | null} */ (null);
  let costs = /** @type {{page: LivePage, costs: PathCosts} | null} */ (null);

  const costsOf = (/** @type {LivePage} */ live) => {
    if (costs?.page !== live)
      costs = { page: live, costs: new PathCosts(live.seat.store, live.seat.session, () => show(live)) };
    return costs.costs;
  };
  const show = (/** @type {LivePage} */ live) => {
    const { selected } = live.seat.store.state;
    if (!grid || !pointed || !selected) return label([]);
    const [leg] = costsOf(live).legs(selected, [pointed]);
    if (!leg) return null; // still to come
    const values = { place: cellName(grid, pointed), cost: leg.total ?? "–", budget: leg.budget };
    return label([localize(leg.isAllowed ? "Owlbear.Cost" : "Owlbear.CostTooHigh", values)]);
  };
  const label = (/** @type {string[]} */ lines) => {
    const live = page();
    if (live && grid) live.tabletop.label(pointed, lines, grid);
  };

  /** @param {Point} at @param {any} target */
  const move = (at, target) => {
    const live = page();
    if (!live) return;
    const token = pointedToken(target);
    const { selected } = live.seat.store.state;
    const place = token || !grid ? null : placeOf(grid, at, [1, 1]);
    live.seat.point(token !== selected ? token : null);
    if (String(place) === String(pointed)) return;
    pointed = place;
    show(live);
  };
  const start = async () => {
    grid =
      (
        await page()
          ?.tabletop.readScene()
          .catch(() => null)
      )?.grid ?? null;
  };
  const end = () => {
    label([]);
    pointed = null;
    page()?.seat.point(null);
  };

  const icons = [{ icon, label: localize("Owlbear.Tool") }];
  await ask(() => OBR.tool.create({ id: TOOL, icons, defaultMode: MODE }));
  await ask(() =>
    OBR.tool.createMode({
      ...{ id: MODE, icons: [{ ...icons[0], filter: { activeTools: [TOOL] } }] },
      onToolMove: (_, { pointerPosition, target }) => move(pointerPosition, target),
      onActivate: start,
      onDeactivate: end,
    }),
  );
}
