/** The keyboard on the board, as a table of keys; Ctrl+Z anywhere but in a text field. */

import { targetsByToken } from "../../core/draw/overlay-marks.js";
import { CELL, cellName, isOnBoard } from "../../core/draw/geometry.js";
import { nextHoverTarget } from "../../core/game/hover-verdict.js";
import { layerDigit, availableLayers } from "../../core/draw/palette.js";
import { panCamera, zoomCamera } from "../page/camera.js";
import { selectedToken } from "../../core/game/store.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Cell} from "../../../types/contract.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Moves} from "./moves.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Stage} from "../page/stage.js" */
/** @import {Store} from "../../core/game/store.js" */

const PAN = 80;
/** @type {Record<string, Cell>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** @type {Record<string, Cell>} */
const PANS = { w: [0, 1], a: [1, 0], s: [0, -1], d: [-1, 0] };

/** What the help lists; the keys themselves are in `Keys`. */
export const KEY_HELP = [
  ["Tab, Shift+Tab", "next or previous token"],
  ["Arrows", "move the token; with none selected, the board"],
  ["Q, E", "turn left, right"],
  ["T, Shift+T", "look at the next token from the selected one, or the one before: seen or not, odds"],
  ["Enter", "open the attacks at the one looked at, or the best target"],
  ["1, 2, 3 … 0", "layers on and off"],
  ["W A S D", "move the board"],
  ["+ and −, F", "nearer, further, fit"],
  ["Escape", "close, or select nothing"],
  ["Ctrl+Z", "undo"],
];

/** @param {Record<string, number>} tracks as people say them */
const numbers = (tracks) => Object.entries(tracks).map(([name, value]) => `${name} ${value}`);

/** Listens to keys while the board has the focus. */
export class Keys {
  /**
   * @param {HTMLElement} host
   * @param {{store: Store, session: Session, moves: Moves, commands: GmCommands, stage: Stage, announce: (text: string) => void}} parts
   */
  constructor(host, { store, session, moves, commands, stage, announce }) {
    this.host = host;
    this.store = store;
    this.session = session;
    this.moves = moves;
    this.commands = commands;
    this.stage = stage;
    this.announce = announce;
    host.addEventListener("keydown", (event) => this.#onBoard(event));
    document.addEventListener("keydown", (event) => this.#anywhere(event));
  }

  /** @param {KeyboardEvent} event */
  #onBoard(event) {
    if (event.target !== this.host || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#handled(event)) event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  #anywhere(event) {
    const isTyping =
      event.target instanceof Element && event.target.matches("input:not([type=checkbox]), textarea, select");
    if (!isTyping && (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z") {
      event.preventDefault();
      this.commands.undo();
    }
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  #handled({ key, shiftKey }) {
    if (key === "Tab") return this.#next(shiftKey ? -1 : 1);
    if (key in ARROWS) return this.#arrow(ARROWS[key]);
    const { replica } = this.store.state;
    const layer = replica && availableLayers(replica.ruleset).find((_, i) => layerDigit(i) === key);
    if (layer) return this.#toggle(layer.key);
    if (key.toLowerCase() === "t") return this.#look(shiftKey ? -1 : 1);
    return this.#letter(key.toLowerCase());
  }

  /** @param {string} key @returns {boolean} */
  #letter(key) {
    if (key in PANS) return this.#pan(PANS[key]);
    /** @type {Record<string, () => unknown>} */
    const does = {
      q: () => this.moves.turn(-1),
      e: () => this.moves.turn(1),
      f: () => this.stage.fit(),
      "+": () => this.#zoom(1.25),
      "=": () => this.#zoom(1.25),
      "-": () => this.#zoom(0.8),
      enter: () => this.#enter(),
      escape: () => this.#escape(),
    };
    does[key]?.();
    return key in does;
  }

  /** @param {1 | -1} way @returns {boolean} false past the last token, so that the focus can leave the board */
  #next(way) {
    const tokens = this.store.state.replica?.scene.tokens.filter((token) => token.at) ?? [];
    const at = tokens.findIndex((token) => token.id === this.store.state.selected);
    const next = at < 0 ? (way > 0 ? tokens[0] : tokens.at(-1)) : tokens[at + way];
    if (!next) return false;
    this.session.select(next.id);
    this.#describe();
    return true;
  }

  /** @param {1 | -1} way @returns {boolean} looks at another token from the selected one; its verdict is announced */
  #look(way) {
    const next = nextHoverTarget(this.store.state, way);
    if (next) this.store.set({ hovered: next });
    else this.announce(localize("Verdict.Nobody"));
    return true;
  }

  #describe() {
    const token = selectedToken(this.store.state);
    const scene = this.store.state.replica?.scene;
    if (!token?.at || !scene) return;
    const side = scene.sides.find((other) => other.id === token.side)?.name ?? token.side;
    const state = ["downed", "hidden"].filter(
      (word) => word in token.conditions || (word === "hidden" && token.hidden),
    );
    this.announce(
      [
        `${token.name}, ${side}`,
        cellName(scene.grid, token.at),
        ...("hp" in token.tracks ? [`${token.tracks.hp} hit points`] : numbers(token.tracks)),
        ...state,
      ].join(", "),
    );
  }

  /** @param {Cell} step @returns {boolean} */
  #arrow(step) {
    const { placing } = this.store.state;
    if (placing) this.#aim(step);
    else if (selectedToken(this.store.state)) this.moves.step(...step);
    else this.#pan([-step[0], -step[1]]);
    return true;
  }

  /** @param {Cell} step moves the cursor that a unit is placed with */
  #aim(step) {
    const grid = this.store.state.replica?.scene.grid;
    if (!grid) return;
    const unit = grid.kind === "gridless" ? CELL : 1;
    const from = this.store.state.cursor ?? [0, 0];
    const cell = /** @type {Cell} */ ([from[0] + step[0] * unit, from[1] + step[1] * unit]);
    if (!isOnBoard(grid, cell)) return;
    this.store.set({ cursor: cell });
    this.announce(cellName(grid, cell));
  }

  /** @param {Cell} step @returns {boolean} */
  #pan([x, y]) {
    this.store.set({ camera: panCamera(this.store.state.camera, x * PAN, y * PAN) });
    return true;
  }

  /** @param {number} factor */
  #zoom(factor) {
    this.store.set({
      camera: zoomCamera(
        this.store.state.camera,
        [this.host.clientWidth / 2, this.host.clientHeight / 2],
        factor,
      ),
    });
  }

  /** @param {import("../../../types/contract.js").LayerKey} key @returns {boolean} */
  #toggle(key) {
    const { layers } = this.store.state;
    this.store.set({ layers: { ...layers, [key]: !layers[key] } });
    return true;
  }

  #enter() {
    const { placing, cursor, overlay, hovered } = this.store.state;
    if (placing && cursor) return this.commands.place(cursor);
    const targets = overlay ? [...targetsByToken(overlay).keys()] : [];
    const target = targets.find((id) => id === hovered) ?? targets[0];
    if (target) this.store.set({ target });
    return undefined;
  }

  #escape() {
    const { target, placing, ghost } = this.store.state;
    if (ghost) this.moves.cancel();
    else if (target) this.store.set({ target: null });
    else if (placing) this.store.set({ placing: null, cursor: null });
    else {
      this.store.set({ hovered: null });
      this.session.select(null);
    }
  }
}
