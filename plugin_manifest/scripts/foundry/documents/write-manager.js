/** Decides which writes reach Foundry: the bridge's page writes, as far as the GM allows. */

import { processedSeq, saveProcessedSeq, writeMode } from "../settings.js";
import { DocumentWriter } from "./writer.js";
import { modeKind, planSceneWrites, planWrites, writeTarget } from "./writes.js";

/** @import {LogEntry, Replica} from "../../../types/contract.js" */
/** @import {TableClient} from "../../core/table/table-client.js" */
/** @import {Bridge, TokenResult} from "../sync/bridge.js" */
/** @import {Write} from "./writes.js" */

/** The ID prefix of entries that the bridge causes. */
const FROM_FOUNDRY = "foundry-";

/** Processes the table's entries for one seat. A page that is not the bridge only shows floating text. */
export class WriteManager {
  /**
   * @param {TableClient} client
   * @param {Bridge | null} bridge
   * @param {(writes: Write[]) => void} propose asks the GM
   */
  constructor(client, bridge, propose) {
    this.client = client;
    this.bridge = bridge;
    this.propose = propose;
    this.table = client.link.table;
    this.processed = processedSeq(this.table);
    this.writer = new DocumentWriter(this.table, () => client.replica);
    client.on("entries", (entries, replica) => this.#processEntries(entries, replica));
    client.on("snapshot", (replica) => this.#catchUp(replica));
    bridge?.on("lease", (isHeld) => isHeld && client.replica && this.#catchUp(client.replica));
    bridge?.readAfter(() => this.writer.settled());
    bridge?.on("results", (tokens) => this.#restoreRefused(tokens));
  }

  /** Writes what the GM accepted. @param {Write[]} writes */
  accept(writes) {
    return this.writer.write(writes);
  }

  /** Remembers what the GM declined, also after a reconnect. @param {Write[]} writes */
  decline(writes) {
    return this.writer.decline(writes);
  }

  #isBridge = () => this.bridge !== null && this.bridge.lease !== null;

  /** @param {LogEntry[]} entries @param {Replica} replica after them */
  #processEntries(entries, { bars, seq }) {
    const writes = planWrites(entries, bars, isFromFoundry);
    if (writeMode("floating") !== "never")
      this.writer.write(writes.filter(({ kind }) => kind === "floating"));
    // A client that lacks nothing gets an update without entries after a reconnect, so the replica has the number.
    if (this.#isBridge()) this.#process(writes, seq);
  }

  /** Processes missed entries and the scene's state, after a reconnect or a new lease. @param {Replica} replica */
  #catchUp(replica) {
    if (!this.#isBridge()) return;
    const { processed } = this;
    const missed = processed === null ? [] : replica.log.filter(({ seq }) => seq > processed);
    const { scene, bars, seq: now } = replica;
    const writes = [...planWrites(missed, bars, isFromFoundry), ...planSceneWrites(scene, bars, now)];
    this.#process(
      writes.filter((write) => !this.writer.isDeclined(write)),
      now,
    );
  }

  /** @param {Write[]} writes @param {number} seq the last entry that they cover */
  #process(writes, seq) {
    const needed = writes.filter((write) => write.kind !== "floating" && this.writer.isNeeded(write));
    const toAsk = needed.filter(({ kind }) => writeMode(modeKind(kind)) === "ask");
    if (toAsk.length) this.propose(toAsk);
    this.writer.write(needed.filter(({ kind }) => writeMode(modeKind(kind)) === "do"));
    if (this.processed === seq) return;
    this.processed = seq;
    saveProcessedSeq(this.table, seq);
  }

  /** Moves tokens back whose move the table refused. @param {Record<string, TokenResult>} results */
  #restoreRefused(results) {
    const { replica } = this.client;
    const refused = Object.entries(results).filter(([, { ok, error }]) => !ok && !error?.retryable);
    const tokens = refused.flatMap(([id]) => replica?.scene.tokens.filter((token) => token.id === id) ?? []);
    for (const token of tokens) if (token.at) this.writer.restorePosition(token);
  }
}

/** @param {LogEntry} entry */
const isFromFoundry = ({ id }) => id.startsWith(FROM_FOUNDRY);

/** Writes that wait for the GM's decision. */
export class PendingWrites {
  /** @type {Write[]} */
  list = [];
  /** @type {(() => void)[]} */
  #listeners = [];

  /** @param {{onAccept: (writes: Write[]) => void, onDecline: (writes: Write[]) => void}} decisions */
  constructor(decisions) {
    this.decisions = decisions;
  }

  /** @param {() => void} listener called after every change of the list */
  subscribe(listener) {
    this.#listeners.push(listener);
  }

  /** Adds writes; each replaces an earlier one to the same target. @param {Write[]} writes */
  add(writes) {
    const newer = new Set(writes.map(writeTarget));
    this.#set([...this.list.filter((write) => !newer.has(writeTarget(write))), ...writes]);
  }

  /** @param {Write[]} writes of the list */
  accept(writes) {
    const accepted = new Set(writes);
    this.#set(this.list.filter((write) => !accepted.has(write)));
    this.decisions.onAccept([...accepted]);
  }

  declineAll() {
    const declined = this.list;
    this.#set([]);
    this.decisions.onDecline(declined);
  }

  /** @param {Write[]} list */
  #set(list) {
    this.list = list;
    for (const listener of this.#listeners) listener();
  }
}
