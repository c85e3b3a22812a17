/** One seat's page at a tabletop: the selection's overlay and the verdict, drawn on the tabletop's own map. */

import { LAYERS } from "../core/game/layers.js";
import { overlayLayers } from "../core/draw/overlay-marks.js";
import { sightMarks, verdictLines } from "../core/draw/verdict-marks.js";
import { GmCommands } from "../core/game/gm-commands.js";
import { hoverVerdict } from "../core/game/hover-verdict.js";
import { Session } from "../core/game/session.js";
import { hasChanged, tableStore } from "../core/game/store.js";
import { TabletopNotices } from "./notices.js";
import { isSameGrid } from "./placed-grid.js";

/** @import {LayerKey} from "../../types/contract.js" */
/** @import {TableState} from "../../types/page.js" */
/** @import {TableClient} from "../core/table/table-client.js" */
/** @import {PlacedGrid, Tabletop} from "./tabletop.js" */

/** The layer of the line of sight and what blocks it. */
const VERDICT = "verdict";

/** The state, the commands and the drawing of one seat. */
export class TabletopSeat {
  store = tableStore();
  /** @type {PlacedGrid | null} where the board lies on the map that this user sees */
  #grid = null;
  /** The layers that show something. @type {Set<string>} */
  #drawn = new Set();
  /** The tokens that are selected in the tabletop, whether the table knows it or not. @type {string[]} */
  #chosen = [];

  /**
   * @param {TableClient} client
   * @param {Tabletop} tabletop
   * @param {{draws?: boolean}} [options] `draws`: whether this page draws on the map, which one page of a user does
   */
  constructor(client, tabletop, { draws = true } = {}) {
    this.tabletop = tabletop;
    this.draws = draws;
    this.notices = new TabletopNotices(tabletop);
    this.session = new Session(this.store, this.notices, client);
    this.commands = new GmCommands(this.store, this.session, this.notices);
    hoverVerdict(this.store, this.session);
    this.store.subscribe((state, before) => this.#show(state, before));
    this.#readGrid();
  }

  /** Reads where the board lies: the scene may be another. */
  async changed() {
    await this.#readGrid();
  }

  /** Selects what the user has selected in the tabletop, if it is a single token that the table knows. @param {string[]} ids */
  select(ids) {
    this.#chosen = ids;
    const [id] = ids.length === 1 ? ids : [];
    const isKnown = this.store.state.replica?.scene.tokens.some((token) => token.id === id);
    this.store.set({ controlled: id ?? null });
    return this.session.select(isKnown ? id : null);
  }

  /** Asks for the verdict of the selected token on another, or none. @param {string | null} id */
  point(id) {
    this.store.set({ hovered: id });
  }

  /** @param {LayerKey[]} layers the visible ones */
  showLayers(layers) {
    const shown = Object.fromEntries(LAYERS.map(({ key }) => [key, layers.includes(key)]));
    this.store.set({ layers: /** @type {Record<LayerKey, boolean>} */ (shown) });
  }

  /** Removes everything drawn, and forgets the table. */
  close() {
    for (const layer of this.#drawn) if (this.#grid) this.tabletop.draw(layer, [], this.#grid);
    if (this.#grid && this.draws) this.tabletop.label(null, [], this.#grid);
    this.#drawn.clear();
    this.#grid = null;
    this.store.set({ replica: null, overlay: null, selected: null, verdict: null });
  }

  async #readGrid() {
    const scene = await this.tabletop.readScene().catch(() => null); // the bridge tells the GM why
    const before = JSON.stringify(this.#grid);
    this.#grid = scene?.grid ?? null;
    if (JSON.stringify(this.#grid) !== before) this.#paint(this.store.state);
  }

  /** @param {TableState} state @param {TableState} before */
  #show(state, before) {
    const isJoining = state.replica !== before.replica && state.selected !== (this.#chosen[0] ?? null);
    if (isJoining) this.select(this.#chosen);
    if (!hasChanged(state, before, "overlay", "verdict", "layers", "replica")) return;
    this.#paint(state);
  }

  /** @param {TableState} state */
  #paint({ replica, overlay, verdict, layers }) {
    const grid = this.#grid;
    if (!grid || !this.draws) return;
    const scene = replica && isSameGrid(replica.scene.grid, grid) ? replica.scene : null;
    for (const { key, marks } of scene
      ? overlayLayers(scene, overlay)
      : LAYERS.map(({ key }) => ({ key, marks: [] })))
      this.#draw(key, layers[/** @type {LayerKey} */ (key)] ? marks : [], grid);
    this.#draw(VERDICT, scene && verdict ? sightMarks(scene, verdict) : [], grid);
    const target = scene?.tokens.find(({ id }) => id === verdict?.target);
    const lines = verdict && target?.at ? verdictLines(verdict, target.name) : [];
    this.tabletop.label(lines.length && target ? target.at : null, lines, grid);
  }

  /** @param {string} layer @param {import("../../types/contract.js").Mark[]} marks @param {PlacedGrid} grid */
  #draw(layer, marks, grid) {
    if (!marks.length && !this.#drawn.has(layer)) return;
    if (marks.length) this.#drawn.add(layer);
    else this.#drawn.delete(layer);
    this.tabletop.draw(layer, marks, grid);
  }
}
