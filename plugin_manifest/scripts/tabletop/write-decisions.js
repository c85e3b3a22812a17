/**
 * The GM's choice of what is written into the tabletop: always, never, or after a question. A change that is not written
 * stays at the table until a person changes the same thing in the tabletop.
 */

import { HeldMoves } from "./held-moves.js";
import { keep, readKept } from "./kept.js";
import { centerOf } from "./placed-grid.js";
import { contentOf, writeTarget } from "./writes.js";

/** @import {Replica} from "../../types/contract.js" */
/** @import {PendingWrites} from "./pending-writes.js" */
/** @import {Place} from "./held-moves.js" */
/** @import {TabletopScene, TabletopToken} from "./tabletop.js" */
/** @import {Write, WriteMode} from "./writes.js" */

/** The writes that each tabletop of this kind can take. */
export const KINDS = /** @type {const} */ (["moves", "hitPoints", "defeated"]);
/** @typedef {Extract<Write, {kind: typeof KINDS[number]}>} TokenWrite */

const MODES = ["do", "ask", "never"];

/** The decisions of a GM at one table. */
export class WriteDecisions {
  /** Writes that the GM does not want, by their content. @type {Set<string>} */
  #declined = new Set();

  /**
   * @param {string} table
   * @param {PendingWrites} pending gets what the GM is asked
   */
  constructor(table, pending) {
    this.pending = pending;
    this.name = `enfilade.writes.${table}`;
    const held = `enfilade.held.${table}`;
    this.held = new HeldMoves({ read: () => readKept(held) ?? {}, save: (places) => keep(held, places) });
  }

  /** @param {TokenWrite["kind"]} kind @returns {WriteMode} */
  modeOf(kind) {
    const mode = readKept(this.name)?.[kind];
    return MODES.includes(mode) ? mode : "do";
  }

  /** @param {TokenWrite["kind"]} kind @param {WriteMode} mode */
  setMode(kind, mode) {
    keep(this.name, { ...readKept(this.name), [kind]: mode });
  }

  /**
   * Tells whether to write now. Otherwise the table keeps its state, and the GM is asked where that was chosen.
   * @param {TokenWrite} write
   * @param {TabletopToken} now the token in the tabletop
   * @param {string} scene its ID
   */
  isToDo(write, now, scene) {
    const mode = write.isDecided ? "do" : this.modeOf(write.kind);
    if (mode === "do") {
      this.held.release(writeTarget(write));
      return true;
    }
    this.hold(write, now, scene);
    if (mode === "ask" && !this.#declined.has(contentOf(write))) this.pending.add([write]);
    return false;
  }

  /** Keeps the table's state against the tabletop's. @param {TokenWrite} write @param {TabletopToken} now @param {string} scene */
  hold(write, now, scene) {
    const [target, state] = [writeTarget(write), stateOf(write.kind, now, scene)];
    if (state && !this.held.has(target, state)) this.held.hold(target, state);
  }

  /** Takes out questions about a token that something has overtaken. @param {string} token @param {TokenWrite[]} needed */
  forgetMoot(token, needed) {
    const open = new Set(needed.map(contentOf));
    this.pending.withdraw(
      (write) => "token" in write && write.token === token && !open.has(contentOf(write)),
    );
  }

  /**
   * Remembers what the GM declined. The tabletop's place of a token counts again; its hit points stay different.
   * @param {Write[]} writes
   * @returns {string[]} the tokens whose place the table is to take
   */
  decline(writes) {
    for (const write of writes) this.#declined.add(contentOf(write));
    const moves = writes.filter(({ kind }) => kind === "moves");
    for (const write of moves) this.held.release(writeTarget(write));
    return moves.flatMap((write) => ("token" in write ? [write.token] : []));
  }

  /** @returns {Set<string>} the tokens that have another state at the table */
  heldTokens() {
    return new Set(Object.keys(this.held.places).map((target) => target.slice(target.indexOf(" ") + 1)));
  }

  /**
   * Returns a scene as the table is to have it: with the table's own state of what is held.
   * @param {TabletopScene} scene
   * @param {Replica | null} replica
   * @returns {TabletopScene}
   */
  applyTo(scene, replica) {
    if (!Object.keys(this.held.places).length || !replica) return scene;
    const known = new Map(replica.scene.tokens.map((token) => [token.id, token]));
    const tokens = scene.tokens.map((token) => {
      const table = known.get(token.id);
      const keeps = (/** @type {TokenWrite["kind"]} */ kind) => {
        const state = stateOf(kind, token, scene.id);
        return state !== null && this.held.keeps(`${kind} ${token.id}`, state);
      };
      if (!table) return token;
      const center = keeps("moves") ? centerOf(scene.grid, table) : null;
      const placed = center ? { ...token, center, facing: table.facing ?? token.facing } : token;
      const bar = replica.bars[token.id];
      const points = bar && keeps("hitPoints") ? table.tracks[bar.track] : undefined;
      if (!placed.hitPoints || points === undefined) return placed;
      return { ...placed, hitPoints: { ...placed.hitPoints, value: points } };
    });
    return { ...scene, tokens };
  }
}

/** @param {TokenWrite["kind"]} kind @param {TabletopToken} token @param {string} scene @returns {Place | null} null for what the table never takes */
function stateOf(kind, { center, facing, hitPoints }, scene) {
  if (kind === "moves") return { scene, x: center.x, y: center.y, rotation: facing };
  return kind === "hitPoints" ? { scene, x: hitPoints?.value ?? 0, y: 0, rotation: 0 } : null;
}
