/** Keyboard input: keys on the board; undo, redo and the end of placing everywhere. */

import { CELL, cellName, isOnBoard } from "../../core/map/geometry.js";
import { nextHoverTarget } from "../../core/game/hover-verdict.js";
import { layerDigit, availableLayers } from "../../core/game/layers.js";
import { panCamera, zoomCamera } from "../page/camera.js";
import { canPlay, isGm, selectedToken } from "../../core/game/store.js";
import { TOOL_KEYS } from "./map-tools.js";
import { targetsInOrder } from "../panels/next-step.js";
import { localize } from "../../core/ui/i18n.js";
import { inNameOrder } from "../../core/ui/names.js";

/** @import {Cell} from "../../../types/contract.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {MapPicking} from "./map-picking.js" */
/** @import {MapTools} from "./map-tools.js" */
/** @import {Moves} from "./moves.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Stage} from "../page/stage.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Page} from "../page/page-state.js" */

const PAN_PX = 80;
/** @type {Record<string, Cell>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** @type {Record<string, Cell>} */
const PANS = { w: [0, 1], a: [1, 0], s: [0, -1], d: [-1, 0] };

/** The keys of buttons that unfold something. @type {Record<string, string>} */
const OPENERS = { l: "layers-open", b: "sketch-open" };

/** Handles keys while the board has the focus. */
export class Keys {
  /**
   * @param {HTMLElement} host
   * @param {{store: Store, page: Page, session: Session, moves: Moves, commands: GmCommands, tools: MapTools, picking: MapPicking, stage: Stage, announce: (text: string) => void, pick: (token: string) => void, takeStep: () => void}} parts
   */
  constructor(
    host,
    { store, page, session, moves, commands, tools, picking, stage, announce, pick, takeStep },
  ) {
    this.host = host;
    this.store = store;
    this.page = page;
    this.session = session;
    this.moves = moves;
    this.commands = commands;
    this.tools = tools;
    this.picking = picking;
    this.stage = stage;
    this.announce = announce;
    this.pick = pick;
    this.takeStep = takeStep;
    host.addEventListener("keydown", (event) => this.#handleOnBoard(event));
    document.addEventListener("keydown", (event) => this.#handleAnywhere(event));
  }

  /** @param {KeyboardEvent} event */
  #handleOnBoard(event) {
    if (event.target !== this.host || event.ctrlKey || event.metaKey || event.altKey) return;
    const isHeld = event.repeat && [" ", "Enter"].includes(event.key); // it would take the step after, too
    if (isHeld || this.#handle(event)) event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  #handleAnywhere(event) {
    const isTyping =
      event.target instanceof Element && event.target.matches("input:not([type=checkbox]), textarea, select");
    const isCovered = document.querySelector("dialog:modal") !== null; // the change would not be seen
    const isCommand = !isTyping && !isCovered && (event.ctrlKey || event.metaKey) && isGm(this.store.state);
    const key = event.key.toLowerCase();
    if (isCommand && (key === "y" || (key === "z" && event.shiftKey))) {
      event.preventDefault();
      this.commands.redo();
    } else if (isCommand && key === "z") {
      event.preventDefault();
      this.commands.undo();
    } else if (key === "escape" && this.page.state.placing) {
      this.page.set({ placing: null, cursor: null });
    }
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  #handle({ key, shiftKey }) {
    if (this.page.state.past) return this.#watch(key);
    if (this.page.state.picking && this.#pickByKey(key, shiftKey)) return true;
    if (key in ARROWS) return this.#arrow(ARROWS[key]);
    if (this.#toggleBy(key)) return true;
    if (key.toLowerCase() === "n") return this.#selectNext(shiftKey ? -1 : 1);
    if (key.toLowerCase() === "t") return this.#inspect(shiftKey ? -1 : 1);
    return this.#letter(key.toLowerCase());
  }

  /**
   * Move the view or change the layers while the board shows a past moment: a key that acts would change the battle,
   * which is not on the board then. The other keys are those of the replay.
   * @param {string} key
   * @returns {boolean}
   */
  #watch(key) {
    if (["+", "=", "-", "f", "F"].includes(key) || key.toLowerCase() in PANS)
      return this.#letter(key.toLowerCase());
    return this.#toggleBy(key);
  }

  /** @param {string} key @param {boolean} isBack @returns {boolean} whether it chooses on the map */
  #pickByKey(key, isBack) {
    if (key === "Enter") return this.picking.key(0);
    if (key in ARROWS) return this.picking.key(ARROWS[key][0] + ARROWS[key][1]);
    return key.toLowerCase() === "n" && this.picking.key(isBack ? -1 : 1);
  }

  /** @param {string} key @returns {boolean} */
  #letter(key) {
    if (key in PANS) return this.#pan(PANS[key]);
    if (key in TOOL_KEYS) {
      this.tools.take(TOOL_KEYS[key]);
      return true;
    }
    if (key in OPENERS) return openByKey(OPENERS[key]);
    /** @type {Record<string, () => unknown>} */
    const actions = {
      q: () => this.moves.turn(-1),
      e: () => this.moves.turn(1),
      f: () => this.stage.fit(),
      p: () => this.moves.addWaypoint(),
      "+": () => this.#zoom(1.25),
      "=": () => this.#zoom(1.25),
      "-": () => this.#zoom(0.8),
      enter: () => this.#enter(),
      " ": () => this.takeStep(),
      escape: () => this.#escape(),
    };
    actions[key]?.();
    return key in actions;
  }

  /**
   * Select the next token of the turn tracker; a player's own tokens only.
   * @param {1 | -1} direction
   * @returns {boolean}
   */
  #selectNext(direction) {
    const { state } = this.store;
    const all = inNameOrder(state.replica?.scene.tokens.filter((token) => token.at) ?? []);
    const own = state.replica?.role === "player" ? all.filter((token) => canPlay(state, token)) : all;
    const sides = state.replica?.scene.sides.map(({ id }) => id) ?? [];
    const tokens = own.toSorted((a, b) => sides.indexOf(a.side) - sides.indexOf(b.side));
    const at = tokens.findIndex((token) => token.id === state.selected);
    const next = at < 0 && direction < 0 ? tokens.at(-1) : tokens.at((at + direction) % tokens.length);
    if (!next) return true;
    this.pick(next.id);
    this.#describe();
    return true;
  }

  /**
   * Inspect another token from the selected one; the verdict panel announces the result.
   * @param {1 | -1} direction
   * @returns {boolean}
   */
  #inspect(direction) {
    const next = nextHoverTarget(this.store.state, direction);
    if (next) this.store.set({ hovered: next });
    else this.announce(localize("Verdict.NoToken"));
    return true;
  }

  /** Announce the selected token. */
  #describe() {
    const token = selectedToken(this.store.state);
    const scene = this.store.state.replica?.scene;
    if (!token?.at || !scene) return;
    const side = scene.sides.find((other) => other.id === token.side)?.name ?? token.side;
    const isHidden = token.hidden || "hidden" in token.conditions;
    const tracks = Object.entries(token.tracks).map(([track, value]) => `${track} ${value}`);
    this.announce(
      [
        `${token.name}, ${side}`,
        cellName(scene.grid, token.at),
        ...("hp" in token.tracks ? [localize("Token.HitPoints", { points: token.tracks.hp })] : tracks),
        ...("downed" in token.conditions ? [localize("Token.Downed")] : []),
        ...(isHidden ? [localize("Token.Hidden")] : []),
      ].join(", "),
    );
  }

  /** @param {Cell} step @returns {boolean} */
  #arrow(step) {
    const { placing } = this.page.state;
    if (this.tools.key(step)) return true;
    if (placing) this.#moveCursor(step);
    else if (selectedToken(this.store.state)) this.moves.step(...step);
    else this.#pan([-step[0], -step[1]]);
    return true;
  }

  /** Move the frame that marks the cell for a new unit. @param {Cell} step */
  #moveCursor(step) {
    const grid = this.store.state.replica?.scene.grid;
    if (!grid) return;
    const stride = grid.kind === "gridless" ? CELL : 1;
    const from = this.page.state.cursor ?? [0, 0];
    const cell = /** @type {Cell} */ ([from[0] + step[0] * stride, from[1] + step[1] * stride]);
    if (!isOnBoard(grid, cell)) return;
    this.page.set({ cursor: cell });
    this.announce(cellName(grid, cell));
  }

  /** @param {Cell} step @returns {boolean} */
  #pan([x, y]) {
    this.page.set({ camera: panCamera(this.page.state.camera, x * PAN_PX, y * PAN_PX) });
    return true;
  }

  /** @param {number} factor */
  #zoom(factor) {
    this.page.set({
      camera: zoomCamera(
        this.page.state.camera,
        [this.host.clientWidth / 2, this.host.clientHeight / 2],
        factor,
      ),
    });
  }

  /** Show or hide the layer of a digit. @param {string} digit @returns {boolean} whether there is one */
  #toggleBy(digit) {
    const { layers, replica } = this.store.state;
    const layer = replica && availableLayers(replica.ruleset).find((_, i) => layerDigit(i) === digit);
    if (layer) this.store.set({ layers: { ...layers, [layer.key]: !layers[layer.key] } });
    return Boolean(layer);
  }

  /** Return the targets of the selected unit, the likeliest enemy first, allies last. */
  #targets() {
    const { overlay, replica } = this.store.state;
    const token = selectedToken(this.store.state);
    if (!overlay || !replica || !token) return [];
    const { enemies, allies } = targetsInOrder(replica, overlay, token);
    return [...enemies, ...allies].map(([id]) => id);
  }

  #enter() {
    const { placing, cursor } = this.page.state;
    const { hovered, ghost } = this.store.state;
    if (this.tools.key(null)) return undefined;
    if (ghost?.isPlan) return this.moves.drop();
    if (placing && cursor) return this.commands.place(placing, cursor);
    const target = this.#targets().find((id) => id === hovered) ?? this.#targets()[0];
    if (target) this.store.set({ target });
    return undefined;
  }

  #escape() {
    const { target, ghost, picked } = this.store.state;
    const { placing } = this.page.state;
    if (this.tools.escape()) return;
    if (ghost) this.moves.cancel();
    else if (picked.length) this.store.set({ picked: [] });
    else if (target) this.store.set({ target: null });
    else if (placing) this.page.set({ placing: null, cursor: null });
    else {
      this.store.set({ hovered: null });
      this.session.select(null);
    }
  }
}

/** Press a button that this seat has. @param {string} id @returns {boolean} whether it has it */
function openByKey(id) {
  const opener = document.getElementById(id);
  if (!opener?.checkVisibility()) return false;
  opener.click();
  return true;
}
