/**
 * A player's part in the dice, taken without a click: this page commits to bytes of its own, gives them once the
 * table has closed the commitments, and keeps them, to show afterwards in which rolls they were.
 */

import { randomHex } from "../table/connection.js";
import { hashJson } from "./hashing.js";

/** @import {ChainNote, LogEntry, Replica} from "../../../types/contract.js" */
/** @import {TableClient} from "../table/table-client.js" */

const MOST_KEPT = 200;

/** @param {string} table @param {string} seat @param {string} value what a player commits to who will give these bytes */
export const commitmentFor = (table, seat, value) => hashJson(["part/v1", table, seat, value]);

/** The bytes that a page has drawn, kept in the browser where it lets the page, so that they outlive a reload. */
export class StoredSecrets {
  /** @param {Pick<Storage, "getItem" | "setItem"> | null} storage @param {string} name */
  constructor(storage, name) {
    this.storage = storage;
    this.name = name;
    /** @type {string[]} */
    this.values = [];
  }

  /** @returns {string[]} the last few hundred, oldest first; other pages of this player may have drawn some */
  all() {
    try {
      const kept = JSON.parse(this.storage?.getItem(this.name) ?? "[]");
      return [...new Set([...kept, ...this.values])];
    } catch {
      return this.values;
    }
  }

  /** @returns {string} bytes that nobody else knows, kept from now on */
  draw() {
    const value = randomHex();
    this.values = [...this.all(), value].slice(-MOST_KEPT);
    try {
      this.storage?.setItem(this.name, JSON.stringify(this.values));
    } catch {
      // A browser that is full or keeps nothing: these bytes live as long as the page.
    }
    return value;
  }
}

/** Takes part for the player at this page, for as long as the line lasts. */
export class DiceContribution {
  /** @type {StoredSecrets | null} */
  #kept = null;

  /** @param {TableClient} client @param {Pick<Storage, "getItem" | "setItem"> | null} storage */
  constructor(client, storage) {
    this.client = client;
    this.storage = storage;
    client.on("snapshot", (replica) => this.#begin(replica));
    client.on("entries", (entries, replica) => {
      if (replica.role === "player") for (const { dice } of entries) this.#hear(dice, replica);
    });
  }

  /** @param {Replica} replica @returns {Set<number>} the entries of the rolls in which this player's own part is */
  ownRolls({ seat, log }) {
    return rollsWithContribution(seat, this.#kept?.all() ?? [], log);
  }

  /** @param {Replica} replica */
  #begin(replica) {
    if (replica.role !== "player") return;
    this.#kept ??= new StoredSecrets(
      this.storage,
      `enfilade-parts-${this.client.link.table}-${replica.seat}`,
    );
    const open = replica.log.findLast(({ dice }) => dice?.type === "committed" || dice?.type === "given");
    this.#send(open?.dice?.type === "committed" ? this.#asked(open.dice, replica) : null, replica);
  }

  /** @param {ChainNote | null} note @param {Replica} replica */
  #hear(note, replica) {
    if (note?.type === "committed") this.#send(this.#asked(note, replica), replica);
  }

  /** @param {ChainNote & {type: "committed"}} note @param {Replica} replica @returns {string | null} the bytes it asks this page for */
  #asked({ parts }, { seat }) {
    const { table } = this.client.link;
    const mine = parts.find((part) => part.seat === seat)?.commitment;
    return this.#kept?.all().findLast((value) => commitmentFor(table, seat, value) === mine) ?? null;
  }

  /** Gives bytes, and commits to the next ones. @param {string | null} give @param {Replica} replica */
  #send(give, { seat }) {
    const value = /** @type {StoredSecrets} */ (this.#kept).draw();
    const next = commitmentFor(this.client.link.table, seat, value);
    this.client.send("dice.part", { give, next }).catch(() => {}); // the dice fall without it, and the log says so
  }
}

/**
 * The rolls into which a player's own part went.
 * @param {string} seat the player's id
 * @param {string[]} values that the player's own pages have drawn
 * @param {LogEntry[]} entries
 * @returns {Set<number>} the numbers of their entries
 */
export function rollsWithContribution(seat, values, entries) {
  const mine = new Set();
  for (const { dice: note } of entries)
    if (
      note?.type === "given" &&
      note.parts.some((part) => part.seat === seat && values.includes(part.value))
    )
      mine.add(note.players);
  const isMine = (/** @type {ChainNote | null} */ note) =>
    (note?.type === "used" || note?.type === "shown") && mine.has(note.players);
  return new Set(entries.filter(({ dice }) => isMine(dice)).map(({ seq }) => seq));
}
