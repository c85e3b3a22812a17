/** Mouse and touch input: click, double-click, drag a token, drag the board, wheel. */

import { placeOfBase } from "../../core/draw/bases.js";
import { dropCell } from "../../core/draw/footprints.js";
import { targetsByToken } from "../../core/draw/overlay-marks.js";
import { cellAt, isOnBoard } from "../../core/draw/geometry.js";
import { panCamera, toBoard, zoomCamera } from "../page/camera.js";
import { doorAt, tokenAt } from "../page/camera.js";
import { canAct, isGm } from "../../core/game/store.js";

/** @import {Cell, Token} from "../../../types/contract.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Moves} from "./moves.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/** The pointer must move this many pixels before a press becomes a drag. */
const MIN_DRAG_PX = 5;

/** Handles the pointer over the board. */
export class Pointer {
  /** @type {{start: Cell, last: Cell, token: Token | null, isDrag: boolean} | null} */
  #press = null;
  /** @type {string | null} the token under the pointer */
  #hovered = null;

  /**
   * @param {HTMLElement} host
   * @param {{store: Store, session: Session, moves: Moves, commands: GmCommands}} parts
   */
  constructor(host, { store, session, moves, commands }) {
    this.host = host;
    this.store = store;
    this.session = session;
    this.moves = moves;
    this.commands = commands;
    host.addEventListener("pointerdown", (event) => this.#down(event));
    host.addEventListener("pointermove", (event) => this.#move(event));
    host.addEventListener("pointerup", (event) => this.#up(event));
    host.addEventListener("pointercancel", () => this.#cancel());
    host.addEventListener("pointerleave", () => this.#hover(null));
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
    const { replica, camera } = this.store.state;
    return replica ? tokenAt(replica.scene, toBoard(camera, point)) : null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0 || !isBoard(event)) return;
    const point = this.#point(event);
    const token = this.store.state.placing ? null : this.#tokenAt(point);
    this.#press = { start: point, last: point, token, isDrag: false };
    this.host.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const point = this.#point(event);
    if (this.store.state.placing) this.#moveCursor(point);
    const press = this.#press;
    if (!press) {
      this.#hover(isBoard(event) ? this.#tokenAt(point) : null);
      this.#pointAt(isBoard(event) ? point : null);
      return;
    }
    press.isDrag ||= Math.hypot(point[0] - press.start[0], point[1] - press.start[1]) >= MIN_DRAG_PX;
    if (!press.isDrag) return;
    this.#hover(null);
    if (press.token && this.moves.canMove(press.token)) this.#dragToken(event, press.token, point);
    else
      this.store.set({
        camera: panCamera(this.store.state.camera, point[0] - press.last[0], point[1] - press.last[1]),
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
    const { replica, camera, overlay, pointed } = this.store.state;
    const cell =
      point && replica && overlay?.reach ? cellAt(replica.scene.grid, toBoard(camera, point)) : null;
    if (String(cell) !== String(pointed)) this.store.set({ pointed: cell });
  }

  /** @param {PointerEvent} event @param {Token} token @param {Cell} point */
  #dragToken(event, token, point) {
    const { replica, camera } = this.store.state;
    if (!replica) return;
    this.session.select(token.id);
    const cell = dropCell(replica.scene.grid, replica.regions, token, toBoard(camera, point));
    this.moves.drag(token, placeOfBase(replica.scene, token, cell), event.shiftKey);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    this.#press = null;
    if (!press) return;
    if (press.isDrag) this.moves.drop();
    else this.#click(this.#point(event), press.token);
  }

  #cancel() {
    this.#press = null;
    this.moves.cancel();
  }

  /** @param {Cell} point @param {Token | null} token */
  #click(point, token) {
    const { replica, camera, placing, overlay } = this.store.state;
    if (!replica) return;
    const at = toBoard(camera, point);
    if (placing) return this.commands.place(cellAt(replica.scene.grid, at));
    const isTarget = token && overlay && canAct(this.store.state) && targetsByToken(overlay).has(token.id);
    if (isTarget) return this.store.set({ target: token.id });
    const door = token ? null : doorAt(replica.scene, at);
    if (door && isGm(this.store.state)) return this.commands.toggleDoor(door);
    return this.session.select(token?.id ?? null);
  }

  /** Select a token, even if a click would open its attack panel. @param {MouseEvent} event */
  #double(event) {
    const token = isBoard(event) ? this.#tokenAt(this.#point(event)) : null;
    if (token) this.session.select(token.id);
  }

  /** Mark the cell for a new unit. @param {Cell} point */
  #moveCursor(point) {
    const { replica, camera } = this.store.state;
    if (!replica) return;
    const cell = cellAt(replica.scene.grid, toBoard(camera, point));
    this.store.set({ cursor: isOnBoard(replica.scene.grid, cell) ? cell : null });
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!isBoard(event)) return;
    event.preventDefault();
    const amount = event.deltaY || event.deltaX;
    if (event.shiftKey) this.moves.turn(amount > 0 ? 1 : -1);
    else
      this.store.set({
        camera: zoomCamera(this.store.state.camera, this.#point(event), Math.exp(-amount / 500)),
      });
  }
}

/** Return whether an event hit the board itself, not a panel over it. @param {Event} event */
const isBoard = (event) => event.target instanceof HTMLCanvasElement;
