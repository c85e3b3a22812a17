/**
 * A player's contribution to the dice, made without a click. The page commits to random bytes, sends them once the
 * table has closed the commitments, and stores them to prove later which rolls contain them (docs/fair-dice.md).
 */

import { randomHex } from "../table/connection.js";
import { hashJson } from "./hashing.js";

/** @import {ChainNote, LogEntry, Replica} from "../../../types/contract.js" */
/** @import {TableClient} from "../table/table-client.js" */

const MAX_STORED = 200;

/** Return the commitment to a secret. @param {string} table @param {string} seat @param {string} secret */
export const commitmentFor = (table, seat, secret) => hashJson(["part/v1", table, seat, secret]);

/** The secrets that a player has drawn. They survive a reload if the browser allows storage. */
export class StoredSecrets {
  /** @param {Pick<Storage, "getItem" | "setItem"> | null} storage @param {string} name */
  constructor(storage, name) {
    this.storage = storage;
    this.name = name;
    /** @type {string[]} */
    this.secrets = [];
  }

  /**
   * Return the stored secrets, oldest first, including those of the player's other pages.
   * @returns {string[]}
   */
  all() {
    try {
      const stored = JSON.parse(this.storage?.getItem(this.name) ?? "[]");
      return [...new Set([...stored, ...this.secrets])];
    } catch {
      return this.secrets;
    }
  }

  /** Draw and store a new secret. @returns {string} */
  draw() {
    const secret = randomHex();
    this.secrets = [...this.all(), secret].slice(-MAX_STORED);
    try {
      this.storage?.setItem(this.name, JSON.stringify(this.secrets));
    } catch {
      // Storage is full or denied: the secrets last as long as the page.
    }
    return secret;
  }
}

/** Contributes for this page's player while the connection lasts. */
export class DiceContribution {
  /** @type {StoredSecrets | null} */
  #secrets = null;

  /** @param {TableClient} client @param {Pick<Storage, "getItem" | "setItem"> | null} storage */
  constructor(client, storage) {
    this.client = client;
    this.storage = storage;
    client.on("snapshot", (replica) => this.#start(replica));
    client.on("entries", (entries, replica) => {
      if (replica.role !== "player") return;
      for (const { dice: note } of entries)
        if (note?.type === "committed") this.#send(this.#requested(note, replica), replica);
    });
  }

  /**
   * Return the entries whose rolls contain this player's contribution.
   * @param {Replica} replica
   * @returns {Set<number>}
   */
  ownRolls({ seat, log }) {
    return rollsWithContribution(seat, this.#secrets?.all() ?? [], log);
  }

  /** @param {Replica} replica */
  #start(replica) {
    if (replica.role !== "player") return;
    const { table } = this.client.link;
    this.#secrets ??= new StoredSecrets(this.storage, `enfilade-parts-${table}-${replica.seat}`);
    const last = replica.log.findLast(({ dice }) => dice?.type === "committed" || dice?.type === "given");
    this.#send(last?.dice?.type === "committed" ? this.#requested(last.dice, replica) : null, replica);
  }

  /**
   * Return the secret that closed commitments request from this page; null if it is not this page's.
   * @param {ChainNote & {type: "committed"}} note
   * @param {Replica} replica
   * @returns {string | null}
   */
  #requested({ parts }, { seat }) {
    const { table } = this.client.link;
    const own = parts.find((part) => part.seat === seat)?.commitment;
    return this.#secrets?.all().findLast((secret) => commitmentFor(table, seat, secret) === own) ?? null;
  }

  /** Send a secret, and the commitment to the next one. @param {string | null} give @param {Replica} replica */
  #send(give, { seat }) {
    const secret = /** @type {StoredSecrets} */ (this.#secrets).draw();
    const next = commitmentFor(this.client.link.table, seat, secret);
    // If this fails, the dice are rolled without the contribution, and the log says so.
    this.client.send("dice.contribute", { reveal: give, commit: next }).catch(() => {});
  }
}

/**
 * Return the numbers of the entries whose rolls contain a player's contribution.
 * @param {string} seat the player's id
 * @param {string[]} secrets that the player's pages have drawn
 * @param {LogEntry[]} entries
 * @returns {Set<number>}
 */
export function rollsWithContribution(seat, secrets, entries) {
  const own = new Set();
  for (const { dice: note } of entries)
    if (
      note?.type === "given" &&
      note.parts.some((part) => part.seat === seat && secrets.includes(part.value))
    )
      own.add(note.players);
  const isOwn = (/** @type {ChainNote | null} */ note) =>
    (note?.type === "used" || note?.type === "shown") && own.has(note.players);
  return new Set(entries.filter(({ dice }) => isOwn(dice)).map(({ seq }) => seq));
}
