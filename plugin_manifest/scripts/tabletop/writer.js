/**
 * Writes the table's changes into the tabletop: places, hit points, defeat and doors. A write brings the tabletop to
 * what the table has *now*, so that one that is repeated or late changes nothing.
 */

import { WriteRefused } from "./refusals.js";
import { centerOf, facingOn, isSameGrid, placeOf } from "./placed-grid.js";
import { KINDS } from "./write-decisions.js";
import { writeTarget } from "./writes.js";

/** @import {LogEntry, Replica, TableEvent, Token} from "../../types/contract.js" */
/** @import {TableClient} from "../core/table/table-client.js" */
/** @import {PlacedGrid, Tabletop, TabletopScene, TabletopToken} from "./tabletop.js" */
/** @import {TokenWrite, WriteDecisions} from "./write-decisions.js" */
/** @import {Write} from "./writes.js" */

/** So often a write is tried that the tabletop puts off, with growing pauses: for most of a minute. */
const MAX_TRIES = 15;
const MAX_PAUSE_MS = 4_000;
/** The condition that means defeat. */
const OUT = "out";

/** Writes for the page that is the bridge. */
export class TabletopWriter {
  /** The writes that are under way, one after the other. @type {Promise<unknown>} */
  #queue = Promise.resolve();
  /** The number of unfinished writes of each token. @type {Map<string, number>} */
  #pending = new Map();

  /**
   * @param {TableClient} client
   * @param {Tabletop} tabletop
   * @param {(name: string, reason: string) => void} tell called with the name of a unit that the tabletop did not change
   * @param {WriteDecisions | null} [decisions] the GM's; without them everything is written
   */
  constructor(client, tabletop, tell, decisions = null) {
    this.decisions = decisions;
    this.client = client;
    this.tabletop = tabletop;
    this.tell = tell;
  }

  /** @returns {Promise<unknown>} settled when everything is written */
  settled() {
    return this.#queue;
  }

  /** Tells whether the tabletop does not have the table's state of a token yet: then it has no news of it. @param {string} token */
  isPending(token) {
    return this.#pending.has(token);
  }

  /** Writes what some entries have changed. @param {LogEntry[]} entries */
  writeEntries(entries) {
    return this.write(touchedBy(entries));
  }

  /** Returns a scene with the table's own state of what is not written. @param {TabletopScene} scene */
  withHeld(scene) {
    return this.decisions?.applyTo(scene, this.client.replica) ?? scene;
  }

  /** Puts a token back whose move the table refused, also against the GM's choice. @param {string} token */
  putBack(token) {
    return this.#enqueue({ tokens: new Set([token]), doors: new Set() }, ["moves"]);
  }

  /** Writes what the GM has accepted, if it is still so at the table. @param {Write[]} writes */
  accept(writes) {
    const kinds = writes.map(writeTarget);
    const tokens = new Set(writes.flatMap((write) => ("token" in write ? [write.token] : [])));
    return this.#enqueue({ tokens, doors: new Set() }, kinds);
  }

  /** Brings tokens and doors to the table's state. @param {Touched} touched */
  write(touched) {
    return this.#enqueue(touched, []);
  }

  /**
   * @param {Touched} touched
   * @param {string[]} decided the kinds or targets of writes that need no decision
   */
  #enqueue(touched, decided) {
    const { tokens, doors } = touched;
    if (!tokens.size && !doors.size) return this.#queue;
    for (const id of tokens) this.#pending.set(id, (this.#pending.get(id) ?? 0) + 1);
    this.#queue = this.#queue
      .then(() => this.#write(touched, decided))
      .catch((problem) => this.tell("", String(problem)))
      .then(() => this.#finish(tokens));
    return this.#queue;
  }

  /** @param {Set<string>} tokens */
  #finish(tokens) {
    for (const id of tokens) {
      const left = (this.#pending.get(id) ?? 1) - 1;
      if (left) this.#pending.set(id, left);
      else this.#pending.delete(id);
    }
  }

  /** @param {Touched} touched @param {string[]} decided */
  async #write({ tokens, doors, changes }, decided) {
    const scene = await this.tabletop.readScene();
    const { replica } = this.client;
    if (
      !scene ||
      !replica ||
      !isSameGrid(scene.grid, replica.scene.grid) ||
      replica.scene.name !== scene.name
    )
      return;
    for (const one of scene.tokens)
      if (tokens.has(one.id)) await this.#writeToken(scene, one, replica, { changes, decided });
    for (const { id, state } of scene.walls) {
      const wall = doors.has(id) ? replica.scene.walls.find((other) => other.id === id) : null;
      if (wall && wall.state !== state)
        await this.#try(wall.id, () => this.tabletop.setDoor(wall.id, wall.state));
    }
  }

  /**
   * Writes what the table has changed of a token. What else differs a person may just have changed in the tabletop.
   * @param {TabletopScene} scene
   * @param {TabletopToken} now
   * @param {Replica} replica
   * @param {{changes?: Set<string>, decided: string[]}} which
   */
  async #writeToken(scene, now, replica, { changes, decided }) {
    const token = replica.scene.tokens.find(({ id }) => id === now.id);
    if (!token) return;
    const needed = writesOf(scene.grid, now, token, replica);
    this.decisions?.forgetMoot(token.id, needed);
    for (const write of needed.filter((one) => !changes || changes.has(writeTarget(one)))) {
      const isDecided = decided.includes(write.kind) || decided.includes(writeTarget(write));
      const isToDo = this.decisions?.isToDo({ ...write, isDecided }, now, scene.id) ?? true;
      const isDone =
        !isToDo || (await this.#try(token.name, () => this.#apply(write, scene.grid, now, token)));
      if (!isDone) this.decisions?.hold(write, now, scene.id);
    }
  }

  /** @param {TokenWrite} write @param {PlacedGrid} grid @param {TabletopToken} now @param {Token} token */
  #apply(write, grid, now, token) {
    if (write.kind === "hitPoints") return this.tabletop.setHitPoints(token.id, write.value);
    if (write.kind === "defeated") return this.tabletop.setOut(token.id, write.isOn);
    const center = isAt(grid, now, token) ? now.center : (centerOf(grid, token) ?? now.center);
    return this.tabletop.move(token.id, center, write.facing);
  }

  /**
   * Writes, and again as often as the tabletop asks for it.
   * @param {string} name
   * @param {() => Promise<void>} write
   * @returns {Promise<boolean>} whether the tabletop has taken it
   */
  async #try(name, write) {
    for (let tries = 1; ; tries++) {
      try {
        await write();
        return true;
      } catch (problem) {
        if (!(problem instanceof WriteRefused)) throw problem;
        const { retryMs, message } = problem;
        if (retryMs === null || tries === MAX_TRIES) {
          this.tell(name, message);
          return false;
        }
        // Random, so that what waits for the same tabletop does not come back all at once.
        const pause = Math.min(MAX_PAUSE_MS, retryMs * 2 ** (tries - 1)) * (0.5 + Math.random());
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}

/** Tells whether a token stands where the table has it. @param {PlacedGrid} grid @param {TabletopToken} now @param {Token} token */
const isAt = (grid, now, token) =>
  String(placeOf(grid, now.center, grid.kind === "square" ? token.size : [1, 1])) === String(token.at);

/**
 * Returns the writes that bring a token to the table's state.
 * @param {PlacedGrid} grid
 * @param {TabletopToken} now
 * @param {Token} token the table's
 * @param {Pick<Replica, "bars" | "seq">} replica
 * @returns {TokenWrite[]}
 */
function writesOf(grid, now, token, { bars, seq }) {
  const id = token.id;
  const isTurned = token.facing !== null && facingOn(grid, now.facing) !== token.facing;
  const isElsewhere = token.at !== null && !isAt(grid, now, token);
  const bar = bars[id];
  const points = bar ? token.tracks[bar.track] : undefined;
  const isOut = OUT in token.conditions;
  /** @type {TokenWrite[]} */
  const writes = [];
  if (token.at && (isElsewhere || isTurned))
    writes.push({
      seq,
      kind: "moves",
      token: id,
      at: token.at,
      facing: isTurned ? token.facing : null,
      path: [],
    });
  if (bar && now.hitPoints && points !== undefined && points !== now.hitPoints.value)
    writes.push({ seq, kind: "hitPoints", token: id, value: points, most: bar.most });
  if (isOut !== now.isOut) writes.push({ seq, kind: "defeated", token: id, isOn: isOut });
  return writes;
}

/**
 * Tokens and doors to write, and the targets of the writes of tokens; without targets all that differs is written.
 * @typedef {{tokens: Set<string>, doors: Set<string>, changes?: Set<string>}} Touched
 */

/** The kinds of writes that an event of the table about a token can bring. */
const KINDS_OF_EVENT = { token_moved: ["moves"], track_set: ["hitPoints"], condition_set: ["defeated"] };

/** Returns what entries change of tokens and doors. @param {LogEntry[]} entries */
export function touchedBy(entries) {
  const touched = {
    tokens: /** @type {Set<string>} */ (new Set()),
    doors: /** @type {Set<string>} */ (new Set()),
    changes: /** @type {Set<string>} */ (new Set()),
  };
  for (const { events } of entries) for (const event of events) touch(touched, event);
  return touched;
}

/** @param {Required<Touched>} touched @param {TableEvent} event */
function touch({ tokens, doors, changes }, event) {
  const add = (/** @type {string} */ token, /** @type {readonly string[]} */ kinds) => {
    tokens.add(token);
    for (const kind of kinds) changes.add(`${kind} ${token}`);
  };
  if (event.type === "token_moved") add(event.token, KINDS_OF_EVENT.token_moved);
  else if (event.type === "token_placed") add(event.token.id, KINDS);
  else if (event.type === "track_set" || event.type === "condition_set")
    add(event.holder, KINDS_OF_EVENT[event.type]);
  else if (event.type === "door_set") doors.add(event.wall);
}
