/** What the table decides finds its way into Foundry: by the page that speaks for the world, as the GM allows. */

import { keepWrittenUpTo, leaveFor, writtenUpTo } from "../preferences.js";
import { asKind } from "./kinds.js";
import { plan, planScene } from "./plan.js";
import { Writer } from "./writer.js";

/** @import {LogEntry, Replica} from "../../../types/contract.js" */
/** @import {TableClient} from "../../core/table/table-client.js" */
/** @import {Bridge} from "../bridge/bridge.js" */
/** @import {Write} from "./plan.js" */

/** What the bridge tells the table has an id of its own kind. */
const FROM_FOUNDRY = "foundry-";

/** Writes for one seat; without a bridge only what is seen on this page. */
export class Writing {
  /**
   * @param {TableClient} line
   * @param {Bridge | null} bridge
   * @param {{ask: (writes: Write[]) => void}} how `ask` is called with what the GM wants to be asked about
   */
  constructor(line, bridge, { ask }) {
    this.line = line;
    this.bridge = bridge;
    this.ask = ask;
    this.table = line.link.table;
    this.done = writtenUpTo(this.table);
    this.writer = new Writer(this.table, () => line.replica);
    line.on("entries", (entries, replica) => this.#hear(entries, replica));
    line.on("snapshot", (replica) => this.#catchUp(replica));
    bridge?.on("held", (isHeld) => isHeld && line.replica && this.#catchUp(line.replica));
    bridge?.on("told", (tokens) => this.#correct(tokens));
  }

  /** @param {Write[]} writes what the GM has agreed to */
  agreed(writes) {
    return this.writer.write(writes);
  }

  /** @param {Write[]} writes what the GM does not want written, nor to be asked about after a break */
  declined(writes) {
    return this.writer.decline(writes);
  }

  #isBridge = () => this.bridge !== null && this.bridge.number !== null;

  /** @param {LogEntry[]} entries as they come @param {Replica} replica after them */
  #hear(entries, { bars }) {
    const writes = plan(entries, bars, isOwn);
    const isSeen = leaveFor("floating") !== "never";
    if (isSeen) this.writer.write(writes.filter(({ kind }) => kind === "floating"));
    if (this.#isBridge()) this.#settle(writes, entries.at(-1)?.seq ?? 0);
  }

  /** @param {Replica} replica after a break, or when this page begins to speak for the world */
  #catchUp(replica) {
    if (!this.#isBridge()) return;
    const missed = this.done === null ? [] : replica.log.filter(({ seq }) => seq > (this.done ?? 0));
    const { scene, bars, seq: now } = replica;
    const writes = [...plan(missed, bars, isOwn), ...planScene(scene, bars, now)];
    this.#settle(
      writes.filter((write) => !this.writer.isDeclined(write)),
      now,
    );
  }

  /** @param {Write[]} writes @param {number} seq up to which they settle the log */
  #settle(writes, seq) {
    const needed = writes.filter((write) => write.kind !== "floating" && this.writer.isNeeded(write));
    const asked = needed.filter(({ kind }) => leaveFor(asKind(kind)) === "ask");
    if (asked.length) this.ask(asked);
    this.writer.write(needed.filter(({ kind }) => leaveFor(asKind(kind)) === "do"));
    if (this.done === seq) return;
    this.done = seq;
    keepWrittenUpTo(this.table, seq);
  }

  /** @param {Record<string, import("../bridge/bridge.js").Told>} tokens puts back those whose move was refused */
  #correct(tokens) {
    const { replica } = this.line;
    const refused = Object.entries(tokens).filter(([, { ok, error }]) => !ok && !error?.retryable);
    const back = refused.flatMap(([id]) => replica?.scene.tokens.filter((token) => token.id === id) ?? []);
    for (const token of back) if (token.at) this.writer.putBack(token);
  }
}

/** @param {LogEntry} entry */
const isOwn = ({ id }) => id.startsWith(FROM_FOUNDRY);
