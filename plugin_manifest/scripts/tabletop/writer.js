/**
 * Writes the table's changes into the tabletop: places, hit points, defeat and doors. A write brings the tabletop to
 * what the table has *now*, so that one that is repeated or late changes nothing.
 */

import { WriteRefused } from "./refusals.js";
import { centerOf, facingOn, isSameGrid, placeOf } from "./placed-grid.js";

/** @import {LogEntry, Replica, TableEvent} from "../../types/contract.js" */
/** @import {TableClient} from "../core/table/table-client.js" */
/** @import {Tabletop, TabletopScene, TabletopToken} from "./tabletop.js" */

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
   */
  constructor(client, tabletop, tell) {
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

  /** Brings tokens and doors to the table's state. @param {Touched} touched */
  write({ tokens, doors }) {
    if (!tokens.size && !doors.size) return this.#queue;
    for (const id of tokens) this.#pending.set(id, (this.#pending.get(id) ?? 0) + 1);
    this.#queue = this.#queue
      .then(() => this.#write(tokens, doors))
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

  /** @param {Set<string>} tokens @param {Set<string>} doors */
  async #write(tokens, doors) {
    const scene = await this.tabletop.readScene();
    const { replica } = this.client;
    if (
      !scene ||
      !replica ||
      !isSameGrid(scene.grid, replica.scene.grid) ||
      replica.scene.name !== scene.name
    )
      return;
    for (const one of scene.tokens) if (tokens.has(one.id)) await this.#writeToken(scene, one, replica);
    for (const { id, state } of scene.walls) {
      const wall = doors.has(id) ? replica.scene.walls.find((other) => other.id === id) : null;
      if (wall && wall.state !== state)
        await this.#try(wall.id, () => this.tabletop.setDoor(wall.id, wall.state));
    }
  }

  /** @param {TabletopScene} scene @param {TabletopToken} now @param {Replica} replica */
  async #writeToken({ grid }, now, { scene, bars }) {
    const token = scene.tokens.find(({ id }) => id === now.id);
    if (!token) return;
    const place = placeOf(grid, now.center, grid.kind === "square" ? token.size : [1, 1]);
    const center = String(place) === String(token.at) ? now.center : centerOf(grid, token);
    const isTurned = token.facing !== null && facingOn(grid, now.facing) !== token.facing;
    if (center && (center !== now.center || isTurned))
      await this.#try(token.name, () => this.tabletop.move(token.id, center, isTurned ? token.facing : null));
    const bar = bars[token.id];
    const points = bar ? token.tracks[bar.track] : undefined;
    if (now.hitPoints && points !== undefined && points !== now.hitPoints.value)
      await this.#try(token.name, () => this.tabletop.setHitPoints(token.id, points));
    const isOut = OUT in token.conditions;
    if (isOut !== now.isOut) await this.#try(token.name, () => this.tabletop.setOut(token.id, isOut));
  }

  /**
   * Writes, and again as often as the tabletop asks for it.
   * @param {string} name
   * @param {() => Promise<void>} write
   */
  async #try(name, write) {
    for (let tries = 1; ; tries++) {
      try {
        return await write();
      } catch (problem) {
        if (!(problem instanceof WriteRefused)) throw problem;
        const { retryMs, message } = problem;
        if (retryMs === null || tries === MAX_TRIES) return this.tell(name, message);
        // Random, so that what waits for the same tabletop does not come back all at once.
        const pause = Math.min(MAX_PAUSE_MS, retryMs * 2 ** (tries - 1)) * (0.5 + Math.random());
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}

/** @typedef {{tokens: Set<string>, doors: Set<string>}} Touched */

/** Returns the tokens and doors that entries change. @param {LogEntry[]} entries @returns {Touched} */
export function touchedBy(entries) {
  const touched = { tokens: new Set(), doors: new Set() };
  for (const { events } of entries) for (const event of events) touch(touched, event);
  return touched;
}

/** @param {Touched} touched @param {TableEvent} event */
function touch({ tokens, doors }, event) {
  if (event.type === "token_moved") tokens.add(event.token);
  else if (event.type === "token_placed") tokens.add(event.token.id);
  else if (event.type === "track_set" || event.type === "condition_set") tokens.add(event.holder);
  else if (event.type === "door_set") doors.add(event.wall);
}
