/** Mouse and touch input: click, double-click, drag a token, drag the board, wheel. */

import { placeOfBase } from "../../core/draw/bases.js";
import { dropCell } from "../../core/map/footprints.js";
import { targetsByToken } from "../../core/draw/overlay-marks.js";
import { CELL, cellAt, isOnBoard, tokenCenter } from "../../core/map/geometry.js";
import { panCamera, toBoard, zoomCamera } from "../page/camera.js";
import { doorAt, tokenAt } from "../page/camera.js";
import { canAct, isGm, selectedToken } from "../../core/game/store.js";

/** @import {Cell, Grid, Token} from "../../../types/contract.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {MapPicking} from "./map-picking.js" */
/** @import {MapTools} from "./map-tools.js" */
/** @import {Moves} from "./moves.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Board, Page} from "../page/page-state.js" */

/** The pointer must move this many pixels before a press becomes a drag; a finger more. */
const MIN_DRAG_PX = 5;
const MIN_TOUCH_DRAG_PX = 12;
const LONG_PRESS_MS = 600;
/** A press so soon and so near after another is the second of a double click. */
const DOUBLE_MS = 500;
const DOUBLE_PX = 10;

/** Handles the pointer over the board. */
export class Pointer {
  /** @type {{start: Cell, last: Cell, token: Token | null, isDrag: boolean} | null} */
  #press = null;
  /** The fingers on the board. @type {Map<number, Cell>} */
  #fingers = new Map();
  /** @type {string | null} the token under the pointer */
  #hovered = null;
  /** The page's last press. @type {PointerEvent | null} */
  #last = null;
  /** True while the last press is the second of a double click whose first took away a dialog over the board. */
  #isLeftover = false;

  /**
   * @param {HTMLElement} host
   * @param {{store: Store, page: Page, board: Board, session: Session, moves: Moves, commands: GmCommands, tools: MapTools, picking: MapPicking, pick: (token: string) => void}} parts
   */
  constructor(host, { store, page, board, session, moves, commands, tools, picking, pick }) {
    this.host = host;
    this.store = store;
    this.page = page;
    this.board = board;
    this.session = session;
    this.moves = moves;
    this.commands = commands;
    this.tools = tools;
    this.picking = picking;
    this.pick = pick;
    document.addEventListener("pointerdown", (event) => this.#notePress(event), { capture: true });
    host.addEventListener("pointerdown", (event) => this.#down(event));
    host.addEventListener("pointermove", (event) => this.#move(event));
    host.addEventListener("pointerup", (event) => this.#up(event));
    host.addEventListener("pointercancel", (event) => this.#cancel(event));
    host.addEventListener("pointerleave", () => (this.#hover(null), this.#pointAt(null)));
    host.addEventListener("dblclick", (event) => this.#double(event));
    host.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** @param {MouseEvent} event @returns {Cell} in the view */
  #point(event) {
    const box = this.host.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {Cell} point in the view */
  #tokenAt(point) {
    const { replica, camera } = this.board.state;
    return replica ? tokenAt(replica.scene, toBoard(camera, point)) : null;
  }

  /** Note whether a press on the board belongs to a double click on what lay over it. @param {PointerEvent} event */
  #notePress(event) {
    const last = this.#last;
    this.#last = event;
    this.#isLeftover =
      last !== null &&
      isBoard(event) &&
      (this.#isLeftover || !isBoard(last)) &&
      event.timeStamp - last.timeStamp < DOUBLE_MS &&
      Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY) < DOUBLE_PX;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0 || !isBoard(event) || this.#isLeftover) return;
    const point = this.#point(event);
    if (event.pointerType === "touch") this.#fingers.set(event.pointerId, point);
    if (this.#fingers.size > 1) return this.#cancelPress();
    const { placing, tool, camera, picking } = this.page.state;
    const token = placing || tool || picking ? null : this.#tokenAt(point);
    this.#press = { start: point, last: point, token, isDrag: false };
    this.host.setPointerCapture(event.pointerId);
    if (tool) this.tools.down(toBoard(camera, point), event.altKey);
    else if (event.pointerType === "touch") this.#awaitLongPress(point);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const point = this.#point(event);
    if (this.#fingers.size > 1) return this.#pinch(event.pointerId, point);
    if (this.page.state.placing) this.#moveCursor(point);
    const press = this.#press;
    if (this.page.state.tool) {
      this.tools.move(toBoard(this.page.state.camera, point), event.altKey);
      if (press) press.isDrag ||= isFar(point, press.start, event);
      return;
    }
    if (!press && this.page.state.picking) {
      return this.picking.point(toBoard(this.page.state.camera, point));
    }
    if (!press) {
      this.#hover(isBoard(event) ? this.#tokenAt(point) : null);
      this.#pointAt(isBoard(event) ? point : null);
      return;
    }
    press.isDrag ||= isFar(point, press.start, event);
    if (!press.isDrag) return;
    clearTimeout(this.#longPress);
    this.#hover(null);
    if (press.token && !this.#isStillHeld(press.token)) return this.#cancelPress();
    if (press.token && this.moves.canMove(press.token)) this.#dragToken(event, press.token, point);
    else if (event.shiftKey) this.#frame(press.start, point);
    else
      this.page.set({
        camera: panCamera(this.page.state.camera, point[0] - press.last[0], point[1] - press.last[1]),
      });
    press.last = point;
  }

  /**
   * Note the token under the pointer. A token inspected by key stays hovered until the pointer reaches another.
   * @param {Token | null} token
   */
  #hover(token) {
    const id = token?.id ?? null;
    if (id === this.#hovered) return;
    this.#hovered = id;
    this.store.set({ hovered: id });
  }

  /** Note the reachable cell under the pointer. @param {Cell | null} point in the view */
  #pointAt(point) {
    const { replica, camera, overlay, pointed } = this.board.state;
    const cell =
      point && replica && overlay?.reach ? cellAt(replica.scene.grid, toBoard(camera, point)) : null;
    if (String(cell) !== String(pointed)) this.store.set({ pointed: cell });
  }

  /** @param {PointerEvent} event @param {Token} token @param {Cell} point */
  #dragToken(event, token, point) {
    const { replica, camera } = this.board.state;
    if (!replica) return;
    this.session.select(token.id);
    const cell = dropCell(replica.scene.grid, replica.regions, token, toBoard(camera, point));
    this.moves.drag(token, placeOfBase(replica.scene, token, cell), event.shiftKey);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    this.#fingers.delete(event.pointerId);
    this.#press = null;
    clearTimeout(this.#longPress);
    if (!press) return;
    const { tool, camera, frame, picking } = this.page.state;
    if (picking) return press.isDrag ? undefined : this.picking.take(toBoard(camera, this.#point(event)));
    if (tool) return this.tools.up(toBoard(camera, this.#point(event)), event.altKey, press.isDrag);
    if (frame) return this.#pickFramed(frame);
    if (!press.isDrag && event.altKey) return void this.commands.ping(toBoard(camera, this.#point(event)));
    if (!press.isDrag && event.shiftKey && press.token) return this.#pickAlso(press.token);
    const isMove = press.isDrag && press.token && this.moves.canMove(press.token);
    if (isMove) this.moves.drop();
    else if (!press.isDrag) this.#click(this.#point(event), press.token);
  }

  /** Return whether a token under the press is still there, and still this seat's if it was. @param {Token} token */
  #isStillHeld(token) {
    const now = this.store.state.replica?.scene.tokens.find(({ id }) => id === token.id);
    return now !== undefined && (this.moves.canMove(now) || !this.moves.canMove(token));
  }

  /** The timer of a finger that rests. @type {ReturnType<typeof setTimeout> | undefined} */
  #longPress;

  /** Point at the place of a finger that rests, for all seats. @param {Cell} point in the view */
  #awaitLongPress(point) {
    clearTimeout(this.#longPress);
    this.#longPress = setTimeout(() => {
      if (!this.#press || this.#press.isDrag) return;
      this.#press = null;
      this.commands.ping(toBoard(this.page.state.camera, point));
    }, LONG_PRESS_MS);
  }

  /** Show the frame that picks tokens. @param {Cell} from in the view @param {Cell} to */
  #frame(from, to) {
    const { camera } = this.page.state;
    this.page.set({ frame: [toBoard(camera, from), toBoard(camera, to)] });
  }

  /** Pick the tokens inside a frame that this seat may move. @param {[Cell, Cell]} frame */
  #pickFramed([[x1, y1], [x2, y2]]) {
    const scene = this.store.state.replica?.scene;
    const isBetween = (/** @type {number} */ value, /** @type {number} */ a, /** @type {number} */ b) =>
      value >= Math.min(a, b) && value <= Math.max(a, b);
    const inside = (scene?.tokens ?? []).filter((token) => {
      if (!scene || !token.at || !this.moves.canMove(token)) return false;
      const [x, y] = tokenCenter(scene.grid, token, token.at);
      return isBetween(x, x1, x2) && isBetween(y, y1, y2);
    });
    this.page.set({ frame: null });
    this.store.set({ picked: inside.map(({ id }) => id) });
    if (inside.length) this.session.select(inside[0].id);
  }

  /** Add a token to the picked ones, or take it out. @param {Token} token */
  #pickAlso({ id }) {
    const { picked, selected } = this.store.state;
    const all = picked.length || !selected ? picked : [selected];
    const isIn = all.includes(id);
    this.store.set({ picked: isIn ? all.filter((other) => other !== id) : [...all, id] });
    if (!selected) this.session.select(id);
  }

  /** @param {PointerEvent} event */
  #cancel(event) {
    this.#fingers.delete(event.pointerId);
    this.#cancelPress();
  }

  #cancelPress() {
    this.#press = null;
    clearTimeout(this.#longPress);
    this.moves.cancel();
    this.tools.cancel();
  }

  /**
   * Zoom by the change of the distance between two fingers; the board point between them stays there.
   * @param {number} id the finger that moves
   * @param {Cell} point
   */
  #pinch(id, point) {
    const before = [...this.#fingers.values()].slice(0, 2);
    if (!this.#fingers.has(id)) return;
    this.#fingers.set(id, point);
    const after = [...this.#fingers.values()].slice(0, 2);
    const [from, to] = [middle(before), middle(after)];
    const factor = spread(after) / Math.max(1, spread(before));
    const zoomed = zoomCamera(this.page.state.camera, from, factor);
    this.page.set({ camera: panCamera(zoomed, to[0] - from[0], to[1] - from[1]) });
  }

  /** @param {Cell} point @param {Token | null} token */
  #click(point, token) {
    const { replica, camera, placing, overlay } = this.board.state;
    if (!replica) return;
    const at = toBoard(camera, point);
    if (placing) return this.commands.place(placing, cellAt(replica.scene.grid, at));
    const isTarget = token && overlay && canAct(this.store.state) && targetsByToken(overlay).has(token.id);
    if (isTarget) return this.store.set({ target: token.id, ghost: null });
    const door = token ? null : doorAt(replica.scene, at);
    if (door && isGm(this.store.state)) return this.commands.toggleDoor(door);
    if (!token && this.#planMove(at)) return undefined;
    if (this.store.state.ghost) this.moves.cancel();
    if (this.store.state.picked.length) this.store.set({ picked: [] });
    return token ? this.pick(token.id) : this.session.select(null);
  }

  /**
   * Plan the selected token's move to a point; a second click there makes it.
   * @param {Cell} at on the board
   * @returns {boolean} whether a move was planned or made
   */
  #planMove(at) {
    const { replica, ghost } = this.store.state;
    const token = selectedToken(this.store.state);
    if (!replica || !token) return false;
    const cell = placeOfBase(replica.scene, token, dropCell(replica.scene.grid, replica.regions, token, at));
    const isAgain = ghost?.isPlan && ghost.token === token.id && isNear(replica.scene.grid, ghost.at, cell);
    if (isAgain) this.moves.drop();
    return isAgain || this.moves.plan(token, cell);
  }

  /** Select a token, even if a click would open its attack panel. @param {MouseEvent} event */
  #double(event) {
    const token = isBoard(event) && !this.#isLeftover ? this.#tokenAt(this.#point(event)) : null;
    if (token) this.pick(token.id);
  }

  /** Mark the cell for a new unit. @param {Cell} point */
  #moveCursor(point) {
    const { replica, camera } = this.board.state;
    if (!replica) return;
    const cell = cellAt(replica.scene.grid, toBoard(camera, point));
    this.page.set({ cursor: isOnBoard(replica.scene.grid, cell) ? cell : null });
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!isBoard(event)) return;
    event.preventDefault();
    const amount = event.deltaY || event.deltaX;
    if (event.shiftKey) this.moves.turn(amount > 0 ? 1 : -1);
    else
      this.page.set({
        camera: zoomCamera(this.page.state.camera, this.#point(event), Math.exp(-amount / 500)),
      });
  }
}

/** Return whether a press has become a drag. @param {Cell} point @param {Cell} start @param {PointerEvent} event */
const isFar = (point, start, { pointerType }) =>
  Math.hypot(point[0] - start[0], point[1] - start[1]) >=
  (pointerType === "touch" ? MIN_TOUCH_DRAG_PX : MIN_DRAG_PX);

/** @param {Cell[]} points two @returns {Cell} */
const middle = ([[x1, y1], [x2, y2]]) => [(x1 + x2) / 2, (y1 + y2) / 2];

/** @param {Cell[]} points two */
const spread = ([[x1, y1], [x2, y2]]) => Math.hypot(x2 - x1, y2 - y1);

/** Return whether two places are the same cell; on a gridless board within half an inch. @param {Grid} grid @param {Cell} a @param {Cell} b */
const isNear = (grid, a, b) =>
  grid.kind === "gridless" ? Math.hypot(a[0] - b[0], a[1] - b[1]) < CELL / 2 : String(a) === String(b);

/** Return whether an event hit the board itself, not a panel over it. @param {Event} event */
const isBoard = (event) => event.target instanceof HTMLCanvasElement;
