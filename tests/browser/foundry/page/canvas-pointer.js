// The pointer on the canvas: it selects, drags and targets tokens, and opens their HUD.

import { middleOf, sizeOf, snapped } from "./canvas-grid.js";
import { SOURCE, getters } from "./documents.js";
import { strict } from "./strict.js";

/** Returns the options of a drag: its method tells it from a program's move from 13 on. */
export const dragged = (generation) =>
  generation < 13 ? {} : { _movement: { pending: { waypoints: [] }, method: "dragging" } };

/** The user's hand on a canvas. */
export class CanvasPointer {
  /** The token that is dragged, where it began, and its waypoints. */
  #held = null;

  constructor(board) {
    this.board = board;
    const { view } = board.app;
    let held = null;
    view.addEventListener("pointerdown", (event) => {
      held = this.#under(event);
      if (!held) return board.releaseAll();
      if (held.isOwner) held.control();
      held = { token: held, from: board.toCanvas(event), isMoved: false, waypoints: [] };
      this.#held = held;
    });
    view.addEventListener("pointermove", (event) => {
      board.pointer = board.toCanvas(event);
      if (held) this.#preview(held, board.pointer);
      else this.#hover(this.#under(event));
    });
    view.addEventListener("pointerup", (event) => {
      const { token, from, isMoved, preview, waypoints } = held ?? {};
      held = this.#held = null;
      board.painter.removePreview();
      if (preview) board.hooks.callAll("destroyToken", preview);
      if (isMoved && this.#canDrag(token)) this.#drop(token, from, board.toCanvas(event), waypoints);
    });
    view.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const token = this.#under(event);
      if (token?.isOwner) this.#openHud(token);
    });
    window.addEventListener("keydown", (event) => this.#key(event));
  }

  /** While the game is paused only the GM drags tokens: foundryvtt.com/article/controls, "Pause Game". */
  #canDrag(token) {
    return token.isOwner && (this.board.me.isGM || !this.board.isPaused);
  }

  /** Drags a preview of a token along with the pointer. */
  #preview(held, { x, y }) {
    held.isMoved = true;
    if (!this.#canDrag(held.token)) return;
    const { document: doc } = held.token;
    const { x: left, y: top } = doc[SOURCE];
    held.at = { x: left + x - held.from.x, y: top + y - held.from.y };
    held.preview ??= strict(
      "Token",
      Object.defineProperties(
        {},
        getters({
          id: () => doc.id,
          document: () => doc,
          isPreview: () => true,
          center: () => middleOf({ ...held.at, width: doc.width, height: doc.height }, this.board.scene.grid),
        }),
      ),
    );
    this.board.painter.paintPreview(doc, held.at, this.#labels());
    this.refreshRuler();
    this.board.hooks.callAll("refreshToken", held.preview, { refreshPosition: true });
  }

  /** Opens the HUD of a token: jQuery in 12, an element from 13 on. */
  #openHud(token) {
    document.getElementById("token-hud")?.remove();
    const hud = Object.assign(document.createElement("div"), { id: "token-hud" });
    hud.innerHTML = '<div class="col left"></div><div class="col right"></div>';
    const [width, height] = sizeOf(token.document, this.board.scene.grid);
    const { scale } = this.board.app.stage;
    const [x, y] = this.board.toScreen(token.document.x, token.document.y);
    Object.assign(hud.style, { left: `${x}px`, top: `${y}px` });
    Object.assign(hud.style, { width: `${width * scale.x}px`, height: `${height * scale.y}px` });
    document.body.append(hud);
    const html = this.board.generation < 13 ? { 0: hud, length: 1 } : hud;
    this.board.hooks.callAll("renderTokenHUD", strict("TokenHUD", { object: token }), html, {});
  }

  #key(event) {
    const token = this.board.tokens.find((one) => one.hover);
    if (event.code !== "KeyT" || !token || event.target.closest?.("input, textarea, select")) return;
    token.setTarget(!this.board.me.targets.has(token));
  }

  #under(event) {
    const { x, y } = this.board.toCanvas(event);
    return this.board.tokens.find(({ document: doc, visible }) => {
      const [width, height] = sizeOf(doc, this.board.scene.grid);
      const [right, bottom] = [doc.x + width, doc.y + height];
      return visible && x >= doc.x && x < right && y >= doc.y && y < bottom;
    });
  }

  #hover(token) {
    for (const one of this.board.tokens) {
      if (one.hover === (one === token)) continue;
      one[SOURCE].hover = one === token;
      this.board.hooks.callAll("hoverToken", one, one.hover);
    }
  }

  /** Drops a token; it snaps to squares. */
  #drop({ document: doc }, from, to, waypoints) {
    const { x, y } = doc[SOURCE];
    const there = snapped({ x: x + to.x - from.x, y: y + to.y - from.y }, this.board.scene.grid);
    // Its method tells a drag from a program's move from 13 on: D14 foundry.documents.types.TokenMovementMethod.
    if (waypoints.length) return doc.move([...waypoints, there], { method: "dragging" });
    if (there.x !== x || there.y !== y)
      doc.update(there, dragged(this.board.generation)).catch((problem) => console.error(problem));
  }

  /** Sets a waypoint where the dragged token is. */
  addWaypoint() {
    const { at, waypoints } = this.#held;
    waypoints.push(snapped(at, this.board.scene.grid));
    this.refreshRuler();
  }

  /** Has the dragged token's ruler draw its way, as from 13 on. */
  refreshRuler() {
    const { token, at, waypoints } = this.#held ?? {};
    if (!at || this.board.generation < 13) return;
    const { grid } = this.board.scene;
    const { document: doc } = token;
    const { width, height } = doc;
    const { x, y } = doc[SOURCE];
    const places = [{ x, y }, ...waypoints, snapped(at, grid)];
    token[SOURCE].ruler.refresh(places.map(({ x, y }) => middleOf({ x, y, width, height }, grid)));
    this.board.painter.paintLabels(this.#labels());
  }

  #labels() {
    return this.#held?.token[SOURCE].ruler?.labels ?? [];
  }

  /** Returns the texts of the ruler that is drawn. */
  get rulerLabels() {
    const labels = this.board.generation < 13 ? (this.board.ruler?.labels ?? []) : this.#labels();
    return labels.map(({ text }) => text);
  }
}
