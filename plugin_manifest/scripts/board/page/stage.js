/** The view of the board: its camera, and the canvas that draws it as soon as the rest of the page can be used. */

import { NAME_FONT, TEXT_FONT } from "../../core/draw/text-size.js";
import { CELL, boardSize, tokenCenter } from "../../core/map/geometry.js";
import { canPlay } from "../../core/game/store.js";
import { fitCamera, freePart, panCamera, toView, zoomCamera } from "./camera.js";
import { Drawing, loadPixi } from "./drawing.js";
import { coveredEdges, hasColumn } from "./free-area.js";

/** @import {Cell} from "../../../types/contract.js" */
/** @import {Camera, TableState} from "../../../types/page.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Board, Page} from "./page-state.js" */

/** The map does not wait longer for its letters. */
const FONTS_MS = 300;
/** A token this near to the edge of the free part counts as out of view. */
const EDGE_PX = 24;
/** On a board narrower than this, or lower than half of it, a cell is as wide as a finger at first. */
const [SMALL_PX, FINGER_PX] = [600, 44];

/** Keeps the camera, and shows the board in an element. */
export class Stage {
  /** @type {Camera | null} the camera that `fit` set last */
  #fitted = null;
  /** @type {Drawing | null} null until PIXI has been loaded */
  #drawing = null;
  /** @type {Promise<() => void> | null} */
  #loading = null;
  /** @type {Promise<void> | null} */
  #scripts = null;

  /** @param {HTMLElement} host @param {{store: Store, page: Page, board: Board}} parts */
  constructor(host, { store, page, board }) {
    this.host = host;
    this.page = page;
    this.board = board;
    new ResizeObserver(() => this.#resize()).observe(host);
    // A drawer that opens takes room from a board that is shown whole.
    new MutationObserver(() => this.#refit()).observe(document.body, { attributeFilter: ["class"] });
    store.subscribe((state, before) => this.#show(state, before));
  }

  /** Move the camera so that the whole board is visible. */
  fit() {
    const { replica } = this.board.state;
    if (!replica) return;
    const view = this.#view();
    const fitted = fitCamera(boardSize(replica.scene.grid), view, coveredEdges(view, hasColumn()));
    // An equal camera would have the board drawn again.
    if (JSON.stringify(fitted) !== JSON.stringify(this.page.state.camera)) this.page.set({ camera: fitted });
    this.#fitted = this.page.state.camera;
  }

  /** Zoom by a factor around the middle of the part of the view that is free. @param {number} factor */
  zoom(factor) {
    const { left, top, width, height } = this.#free();
    const middle = /** @type {Cell} */ ([left + width / 2, top + height / 2]);
    this.page.set({ camera: zoomCamera(this.page.state.camera, middle, factor) });
  }

  #view() {
    return /** @type {Cell} */ ([this.host.clientWidth, this.host.clientHeight]);
  }

  /** Return the part of the view that neither the panels nor a question covers. */
  #free() {
    const view = this.#view();
    const covered = coveredEdges(view, hasColumn());
    const sheet = /** @type {HTMLElement | null} */ (document.querySelector("#prompts .prompt"));
    const [right, bottom] = freePart(view, sheet);
    const width = Math.min(right, view[0] - covered.right) - covered.left;
    const height = Math.min(bottom, view[1] - covered.bottom) - covered.top;
    return { left: covered.left, top: covered.top, width: Math.max(width, 0), height: Math.max(height, 0) };
  }

  /** Pan so that a token is in the part of the map that no question covers, or in its middle. @param {string} id @param {boolean} [isCentered] */
  reveal(id, isCentered = false) {
    const { replica, camera } = this.board.state;
    const token = replica?.scene.tokens.find((other) => other.id === id);
    if (!replica || !token?.at) return;
    const [x, y] = toView(camera, tokenCenter(replica.scene.grid, token, token.at));
    const { left, top, width, height } = this.#free();
    const [dx, dy] = [x - left, y - top];
    const isInView = dx > EDGE_PX && dy > EDGE_PX && dx < width - EDGE_PX && dy < height - EDGE_PX;
    if (isInView && !isCentered) return;
    this.page.set({ camera: panCamera(camera, width / 2 - dx, height / 2 - dy) });
  }

  /** Show a new board: the whole, or on a small screen its part around a unit, large enough for a finger. */
  #open() {
    this.fit();
    const { replica, camera } = this.board.state;
    const { clientWidth: width, clientHeight: height } = this.host;
    const isSmall = width <= SMALL_PX || height <= SMALL_PX / 2;
    if (!replica || !isSmall || camera.scale * CELL >= FINGER_PX) return;
    this.zoom(FINGER_PX / CELL / camera.scale);
    const all = replica.scene.tokens.filter(({ at }) => at);
    const first =
      all.find((token) => replica.role === "player" && canPlay(this.board.state, token)) ?? all[0];
    if (first) this.reveal(first.id, true);
  }

  /** @param {TableState} state @param {TableState} before */
  #show({ replica }, before) {
    if (!replica) return;
    const [grid, old] = [replica.scene.grid, before.replica?.scene.grid];
    if (grid !== old && JSON.stringify(grid) !== JSON.stringify(old)) this.#open();
  }

  /**
   * Load the canvas, once.
   * @returns {Promise<() => void>} draws the board, now and after each change; rejected if the server does not answer
   */
  load() {
    return (this.#loading ??= this.#load());
  }

  /** Load what the canvas needs: early, because the page waits for the server anyway. */
  loadScripts() {
    this.#scripts ??= this.#loadScripts();
    this.#scripts.catch(() => {}); // who awaits `load` tells what fails
    return this.#scripts;
  }

  async #loadScripts() {
    await nextTask(); // what the page asks the server for goes out first
    const fonts = [TEXT_FONT, NAME_FONT].map((font) => document.fonts.load(`700 16px ${font}`));
    await loadPixi();
    // The page's own texts have long needed them: a text on the map is drawn once.
    await Promise.race([Promise.allSettled(fonts), new Promise((resolve) => setTimeout(resolve, FONTS_MS))]);
  }

  async #load() {
    await this.loadScripts();
    await nextTask();
    const drawing = (this.#drawing = new Drawing(this.host, this.board));
    return () => drawing.start();
  }

  #resize() {
    this.#drawing?.resize();
    this.#refit();
  }

  #refit() {
    if (this.page.state.camera === this.#fitted) this.fit();
  }
}

/** Let the browser handle the user's input between two pieces of work. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));
