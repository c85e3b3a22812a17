/** The tools that take the pointer over the board: ruler, ping, and the GM's walls, doors, terrain and changes. */

import { CELL, boardSize, cellAt, cellName, toPlane } from "../../core/map/geometry.js";
import {
  brushCells,
  changedPart,
  distanceToLine,
  drawnWalls,
  erasedTerrain,
  joined,
  paintCell,
  paintedTerrain,
  snap,
  terrainAt,
  toWire,
  wallAt,
} from "../../core/draw/wall-edits.js";
import { localize } from "../../core/ui/i18n.js";
import { NO_DRAFT } from "../page/page-state.js";
import { SketchTool } from "./sketch-tool.js";

/** @import {Cell, Scene, Wall} from "../../../types/contract.js" */
/** @import {Tool} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Board, Page} from "../page/page-state.js" */

/** A wall this near to the pointer is meant, in pixels. */
const NEAR_PX = 12;
const WALL_TOOLS = ["wall", "door", "secret", "window"];
/** The key that takes up each tool; with it again it is put down. @type {Record<string, Tool>} */
export const TOOL_KEYS = { m: "ruler", g: "ping" };

/** The terrain that the GM paints, as the fields of the panel have it. */
export const newTerrain = { name: "", cost: 2, blocks_sight: false, hidden: false, kind: "" };

export class MapTools {
  /** @type {{from: Cell, last: Cell, end: 0 | 1 | null} | null} */
  #press = null;

  /** @param {{store: Store, page: Page, board: Board, commands: GmCommands, announce: (text: string) => void}} parts */
  constructor({ store, page, board, commands, announce }) {
    this.sketch = new SketchTool({ board, session: commands.session });
    this.store = store;
    this.page = page;
    this.commands = commands;
    this.announce = announce;
  }

  get tool() {
    return this.page.state.tool;
  }

  /** Take up a tool; null, or the same again, puts it down. @param {Tool | null} tool */
  take(tool) {
    const next = tool === this.tool ? null : tool;
    this.#keepWall();
    this.sketch.drop();
    const change = { tool: next, ruler: null, draft: NO_DRAFT, placing: null, edited: null };
    this.store.set({ target: null });
    this.page.set(next ? { ...change, cursor: this.page.state.cursor } : { ...change, cursor: null });
    if (next) this.announce(localize(`Tool.${next}`));
  }

  /** Draw the wall along the corners so far, because its tool goes. */
  #keepWall() {
    const [chain, tool] = [this.#chain ?? [], this.tool];
    this.#chain = this.#press = null;
    if (tool && WALL_TOOLS.includes(tool) && chain.length > 1) this.#finishWall(chain, tool);
  }

  /** @param {Cell} point on the plane @param {boolean} isFree whether points do not snap */
  down(point, isFree) {
    const scene = this.#scene();
    if (!scene) return;
    if (this.sketch.uses(this.tool)) {
      this.sketch.down(point);
      return;
    }
    this.#isByKey = false;
    const at = this.#isWall() && !isFree ? snap(scene.grid, point) : point;
    this.#press = { from: at, last: at, end: null };
    if (this.tool === "ruler") this.page.set({ ruler: [point, point] });
    if (this.tool === "terrain") {
      this.page.set({ draft: NO_DRAFT }); // a stroke that is still being sent is not part of this one
      this.#paint(scene, point);
    }
    if (this.tool === "edit") this.#grab(scene, point);
  }

  /** @param {Cell} point on the plane @param {boolean} isFree */
  move(point, isFree) {
    const scene = this.#scene();
    if (!scene) return;
    if (this.sketch.uses(this.tool)) {
      this.sketch.move(point);
      return;
    }
    const press = this.#press;
    if (press && this.tool === "ruler") this.page.set({ ruler: [press.from, point] });
    if (press && this.tool === "terrain") this.#paint(scene, point);
    if (press && this.tool === "edit" && press.end !== null) this.#pull(scene, point, isFree);
    if (this.#isWall()) {
      const at = isFree ? point : snap(scene.grid, point);
      const { points } = this.page.state.draft;
      const fixed = this.#chain ?? (press ? [press.from] : []);
      if (fixed.length || points.length) this.page.set({ draft: { ...NO_DRAFT, points: [...fixed, at] } });
    }
  }

  /** The points that clicks have set. @type {Cell[] | null} */
  #chain = null;

  /** @param {Cell} point on the plane @param {boolean} isFree @param {boolean} wasDragged */
  up(point, isFree, wasDragged) {
    const [scene, press] = [this.#scene(), this.#press];
    this.#press = null;
    if (scene && this.sketch.uses(this.tool)) {
      this.sketch.up(point, wasDragged);
      return;
    }
    if (!scene || !press) return;
    const at = isFree ? point : snap(scene.grid, point);
    if (this.tool === "ping") this.#point(point);
    else if (this.tool === "terrain") this.#finishTerrain();
    else if (this.tool === "erase") this.#erase(scene, point);
    else if (this.tool === "edit") this.#finishEdit(scene, point, press, wasDragged);
    else if (this.#isWall() && wasDragged && !this.#chain) this.#finishWall([press.from, at]);
    else if (this.#isWall()) this.addPoint(at);
  }

  /**
   * Add a corner to the wall. The last one again, as a double click does, ends it, and the first one closes it. A door has
   * two points.
   * @param {Cell} at on the plane
   */
  addPoint(at) {
    const chain = this.#chain ?? [];
    const last = chain.at(-1);
    if (last && String(last) === String(at)) return this.finish();
    this.#chain = [...chain, at];
    const isClosed = chain.length > 2 && String(chain[0]) === String(at);
    if (isClosed) return this.finish();
    this.page.set({ draft: { ...NO_DRAFT, points: this.#chain } });
    if (this.tool !== "wall" && this.tool !== "window" && this.#chain.length === 2) this.finish();
    return undefined;
  }

  /** Draw the wall along the points so far. */
  finish() {
    const chain = this.#chain ?? [];
    this.#chain = null;
    if (chain.length > 1) return this.#finishWall(chain);
    return this.page.set({ draft: NO_DRAFT });
  }

  /** Go one step back: take back a corner, drop the draft, else put the tool down. @returns {boolean} whether there was anything */
  escape() {
    const { tool, draft, ruler } = this.page.state;
    if (!tool) return false;
    if (this.#chain && this.#chain.length > 1) {
      this.#chain = this.#chain.slice(0, -1);
      this.page.set({ draft: { ...NO_DRAFT, points: this.#chain } });
      return true;
    }
    const isDrawing = this.sketch.uses(tool)
      ? this.sketch.isDrawing
      : draft.points.length > 0 || draft.cells.length > 0 || ruler;
    this.sketch.drop();
    this.#chain = this.#press = null;
    if (isDrawing) this.page.set({ draft: NO_DRAFT, ruler: null });
    else this.take(null);
    return true;
  }

  /** Forget what the pointer draws: a second finger makes it a pinch. Corners that clicks have set stay. */
  cancel() {
    if (!this.#press && !this.sketch.isDrawing) return;
    this.#press = null;
    this.sketch.drop();
    this.page.set({ draft: { ...NO_DRAFT, points: this.#chain ?? [] }, ruler: null });
  }

  /**
   * Use the tool by key: move its mark by half a cell, or act where it is.
   * @param {Cell | null} step null acts
   * @returns {boolean} whether a tool is up
   */
  key(step) {
    const scene = this.#scene();
    if (!this.tool || !scene) return false;
    const [width, height] = boardSize(scene.grid);
    const at = this.#spot ?? /** @type {Cell} */ ([width / 2, height / 2]);
    if (!step && this.sketch.uses(this.tool)) {
      this.#spot = at;
      const done = this.sketch.press(at);
      if (done) this.announce(localize(`Sketch.${done}`));
      return true;
    }
    if (!step) {
      // Corners that were clicked are a wall; only a place that keys have moved to is another corner.
      if (this.#isWall() && this.#chain && !this.#isByKey) {
        this.finish();
        return true;
      }
      this.down(at, true);
      this.up(at, true, false);
      this.#isByKey = true;
      return true;
    }
    this.#isByKey = true;
    const next = /** @type {Cell} */ ([at[0] + (step[0] * CELL) / 2, at[1] + (step[1] * CELL) / 2]);
    this.#spot = [Math.min(width, Math.max(0, next[0])), Math.min(height, Math.max(0, next[1]))];
    const from = this.page.state.ruler?.[0] ?? this.#spot;
    this.announce(cellName(scene.grid, cellAt(scene.grid, this.#spot)));
    if (this.sketch.uses(this.tool)) this.sketch.go(this.#spot);
    else if (this.tool === "ruler") this.page.set({ ruler: [from, this.#spot] });
    else this.page.set({ draft: { ...NO_DRAFT, points: [...(this.#chain ?? []), this.#spot] } });
    return true;
  }

  /** The place of the tool that keys move, on the plane. @type {Cell | null} */
  #spot = null;
  /** Set while keys set or move the next corner. */
  #isByKey = false;

  #scene() {
    return this.store.state.replica?.scene ?? null;
  }

  #isWall() {
    return WALL_TOOLS.includes(this.tool ?? "");
  }

  /** @param {Cell} point */
  #point(point) {
    this.commands.ping(point);
    this.take(null);
  }

  /** @param {Cell[]} points @param {Tool | null} [tool] that draws it */
  async #finishWall(points, tool = this.tool) {
    const draft = { ...NO_DRAFT, points };
    this.page.set({ draft });
    if (tool) await this.commands.editMap((scene) => drawnWalls(scene, tool, points));
    this.#clear(draft);
  }

  /** Clear a draft that the server has, unless the next one has begun by then. @param {object} draft */
  #clear(draft) {
    if (this.page.state.draft === draft) this.page.set({ draft: NO_DRAFT });
  }

  /** Paint from the brush's last place to a point. @param {Scene} scene @param {Cell} point */
  #paint({ grid }, point) {
    const { draft } = this.page.state;
    const cells = joined(draft.cells, brushCells(grid, this.#press?.last ?? point, point));
    if (this.#press) this.#press.last = point;
    if (cells.length > draft.cells.length) this.page.set({ draft: { ...NO_DRAFT, cells } });
  }

  async #finishTerrain() {
    const [{ draft }, wanted] = [this.page.state, { ...newTerrain }];
    await this.commands.editMap((scene) => paintedTerrain(scene, wanted, draft.cells));
    this.#clear(draft);
  }

  /** @param {Scene} seen @param {Cell} point */
  #erase(seen, point) {
    const wall = wallAt(seen, point, this.#near());
    const patch = wall ? null : terrainAt(seen, point);
    const cell = paintCell(seen.grid, point);
    if (wall)
      this.commands.editMap(({ walls }) =>
        walls.some(({ id }) => id === wall.id) ? { remove: [wall.id] } : null,
      );
    else if (patch) this.commands.editMap((scene) => erasedTerrain(scene, patch.id, cell));
  }

  /** Note the end of the edited wall that is under the pointer. @param {Scene} scene @param {Cell} point */
  #grab(scene, point) {
    const wall = scene.walls.find(({ id }) => id === this.page.state.edited);
    if (!wall || !this.#press) return;
    const [x1, y1, x2, y2] = toPlane(scene.grid, wall.line);
    const near = this.#near() * 1.5;
    if (distanceToLine(point, [x1, y1, x1, y1]) < near) this.#press.end = 0;
    else if (distanceToLine(point, [x2, y2, x2, y2]) < near) this.#press.end = 1;
  }

  /** @param {Scene} scene @param {Cell} point @param {boolean} isFree */
  #pull(scene, point, isFree) {
    const wall = scene.walls.find(({ id }) => id === this.page.state.edited);
    if (!wall || !this.#press) return;
    const [x1, y1, x2, y2] = toPlane(scene.grid, wall.line);
    const fixed = /** @type {Cell} */ (this.#press.end ? [x1, y1] : [x2, y2]);
    this.page.set({ draft: { ...NO_DRAFT, points: [fixed, isFree ? point : snap(scene.grid, point)] } });
  }

  /**
   * Give the edited wall its new end, or choose what is under the pointer.
   * @param {Scene} scene
   * @param {Cell} point
   * @param {{end: 0 | 1 | null}} press
   * @param {boolean} wasDragged
   */
  async #finishEdit(scene, point, { end }, wasDragged) {
    const wall = scene.walls.find(({ id }) => id === this.page.state.edited);
    const { draft } = this.page.state;
    const [, moved] = draft.points;
    if (wall && end !== null && wasDragged && moved) {
      const to = toWire(scene.grid, moved);
      const moveEnd = (/** @type {Wall} */ { line: [x1, y1, x2, y2] }) => ({
        line: /** @type {Wall["line"]} */ (end ? [x1, y1, ...to] : [...to, x2, y2]),
      });
      await this.commands.editMap((now) => changedPart(now, "walls", wall.id, moveEnd));
      return this.#clear(draft);
    }
    const found = wallAt(scene, point, this.#near()) ?? terrainAt(scene, point);
    return this.page.set({ edited: found?.id ?? null, draft: NO_DRAFT });
  }

  /** Return the distance on the plane in which a wall is meant. */
  #near() {
    return NEAR_PX / this.page.state.camera.scale;
  }
}
