/** The tools that draw beside the rules: the pen and texts for all who play, the fog for the GM. */

import { brushCells, joined, toWire } from "../../core/draw/wall-edits.js";
import { NO_DRAFT } from "../page/page-state.js";

/** @import {Cell, Drawing, Scene} from "../../../types/contract.js" */
/** @import {Tool} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Board} from "../page/page-state.js" */

/** @type {Tool[]} */
export const SKETCH_TOOLS = ["pen", "text", "cover", "lift"];
/** A line has a new point so far from the last, in 64ths of a cell, and at most so many points. */
const [STEP, MOST] = [8, 400];

/** The next drawing, as the panel sets it. @type {{text: string, color: Drawing["color"], rounds: number, hidden: boolean}} */
export const newDrawing = { text: "", color: "yellow", rounds: 0, hidden: false };

export class SketchTool {
  #isDown = false;
  /** Set while keys hold the pen or the brush: the pointer does not draw then. */
  #isByKey = false;
  /** The first end of a line that two clicks draw. @type {Cell | null} */
  #start = null;
  /** The brush's last place, on the plane. @type {Cell | null} */
  #brush = null;

  /** @param {{board: Board, session: Session}} parts */
  constructor({ board, session }) {
    this.board = board;
    this.page = board.page;
    this.session = session;
  }

  /** True while a line or a stroke is begun and not yet sent. */
  get isDrawing() {
    return this.#isDown || this.#start !== null;
  }

  /** Forget a line that was begun. */
  drop() {
    this.#start = null;
    this.#isDown = this.#isByKey = false;
  }

  /** Go to a place by key; the pen and the brush draw on the way while they are down. @param {Cell} at on the plane */
  go(at) {
    if (this.#isDown) this.#draw(at);
    else this.page.set({ draft: { ...NO_DRAFT, points: [at] } });
  }

  /**
   * Put the pen or the brush down by key, or lift it and send what was drawn. A text is written at once.
   * @param {Cell} at on the plane
   * @returns {"Begun" | "Done" | ""} "" if there is no text to write yet
   */
  press(at) {
    const { replica, tool } = this.board.state;
    if (tool === "text") return replica && this.#write(replica.scene, at) ? "Done" : "";
    this.#isByKey = !this.#isDown;
    if (this.#isByKey) this.down(at);
    else this.up(at, true);
    return this.#isByKey ? "Begun" : "Done";
  }

  /** @param {Tool | null} tool */
  uses(tool) {
    return tool !== null && SKETCH_TOOLS.includes(tool);
  }

  /** @param {Cell} point on the plane */
  down(point) {
    this.#isDown = true;
    const { tool } = this.board.state;
    if (tool === "pen") this.page.set({ draft: { ...NO_DRAFT, points: [this.#start ?? point, point] } });
    else if (tool !== "text") {
      this.page.set({ draft: NO_DRAFT }); // a stroke that is still being sent is not part of this one
      this.#brush = null;
      this.#paint(point);
    }
  }

  /** @param {Cell} point on the plane */
  move(point) {
    if (this.#isByKey) return;
    if (this.board.state.tool === "pen" && !this.#isDown && this.#start)
      this.page.set({ draft: { ...NO_DRAFT, points: [this.#start, point] } });
    if (this.#isDown) this.#draw(point);
  }

  /** Go on with what is being drawn. @param {Cell} point on the plane */
  #draw(point) {
    const { tool, draft } = this.board.state;
    if (tool === "cover" || tool === "lift") return this.#paint(point);
    const last = draft.points.at(-1);
    const isFar = last && Math.hypot(point[0] - last[0], point[1] - last[1]) >= STEP;
    if (tool === "pen" && isFar) this.page.set({ draft: { ...NO_DRAFT, points: [...draft.points, point] } });
    return undefined;
  }

  /** @param {Cell} point on the plane @param {boolean} wasDragged */
  async up(point, wasDragged) {
    if (!this.#isDown) return;
    this.#isDown = false;
    const scene = this.board.state.replica?.scene;
    const { tool, draft } = this.board.state;
    if (!scene) return;
    if (tool === "text") return void this.#write(scene, point);
    if (tool === "pen" && !wasDragged && !this.#start) {
      this.#start = point;
      return;
    }
    this.#start = null;
    if (tool === "pen") await this.#send(scene, [...draft.points, point], "");
    else if (tool === "cover" || tool === "lift")
      await this.session.send("fog.set", {
        [tool]: draft.cells.map(([column, row]) => [row, column, column]),
      });
    // The draft stays until the server has it, unless the next one has begun by then.
    if (this.board.state.draft === draft) this.page.set({ draft: NO_DRAFT });
  }

  /** @param {Scene} scene @param {Cell} point */
  #write(scene, point) {
    const text = newDrawing.text.trim();
    if (!text) {
      document.getElementById("sketch-words")?.focus();
      return null;
    }
    return this.#send(scene, [point], text);
  }

  /** @param {Scene} scene @param {Cell[]} at @param {string} text */
  #send({ grid }, at, text) {
    const { color, rounds, hidden } = newDrawing;
    const points = thinned(at).flatMap((place) => toWire(grid, place));
    return this.session.send("draw", { drawings: [{ points, text, color, rounds, hidden }] });
  }

  /** @param {Cell} point */
  #paint(point) {
    const { replica, draft } = this.board.state;
    if (!replica) return;
    const cells = joined(draft.cells, brushCells(replica.scene.grid, this.#brush ?? point, point));
    this.#brush = point;
    if (cells.length > draft.cells.length) this.page.set({ draft: { ...NO_DRAFT, cells } });
  }
}

/** Return a line with as many points as the server takes. @param {Cell[]} points */
function thinned(points) {
  let found = points;
  while (found.length > MOST) found = found.filter((_, i) => i % 2 === 0 || i === found.length - 1);
  return found;
}
