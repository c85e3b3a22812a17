/** Decides which writes reach Foundry: the bridge's page writes, as far as the GM allows. */

import { isStillSo, modeKind, planSceneWrites, planWrites } from "../../tabletop/writes.js";
import { tableScene } from "../read/table-scene.js";
import { doesFoundryDecide, processedSeq, saveProcessedSeq, writeMode } from "../settings.js";
import { HeldTokens } from "./held-tokens.js";
import { DocumentWriter } from "./writer.js";

/** @import {LogEntry, Replica, Token} from "../../../types/contract.js" */
/** @import {TableClient} from "../../core/table/table-client.js" */
/** @import {SeatUi} from "../seat-ui.js" */
/** @import {LiveScene} from "../read/scene.js" */
/** @import {Bridge, TokenResult} from "../sync/bridge.js" */
/** @import {Write} from "../../tabletop/writes.js" */

/** The ID prefix of entries that the bridge causes. */
const FROM_FOUNDRY = "foundry-";

/** Processes the table's entries for one seat. A page that is not the bridge only shows floating text. */
export class WriteManager {
  /** Foundry's ID of the scene that the table has; null while it is not known. @type {string | null} */
  #scene = null;

  /**
   * @param {TableClient} client
   * @param {Bridge | null} bridge
   * @param {Pick<SeatUi, "propose" | "proposals" | "withdraw" | "tellRefused">} gm decides
   */
  constructor(client, bridge, gm) {
    this.client = client;
    this.bridge = bridge;
    this.gm = gm;
    this.table = client.link.table;
    this.processed = processedSeq(this.table);
    this.held = new HeldTokens(this.table);
    this.writer = new DocumentWriter(
      this.table,
      () => client.replica,
      (write, token, reason) => this.#tellRefused(write, token, reason),
    );
    client.on("entries", (entries, replica) => this.#processEntries(entries, replica));
    client.on("snapshot", (replica) => this.#catchUp(replica));
    bridge?.on("lease", (isHeld) => isHeld && client.replica && this.#catchUp(client.replica));
    // At once: a token that is soon back where it was held has moved all the same.
    bridge?.on("changed", (token) => this.held.releaseMoved(token));
    bridge?.on("synced", () => (this.#scene = bridge.scene));
    bridge?.readAfter(
      () => this.writer.settled(),
      (live, scene) => {
        const placed = this.held.applyTo(live, scene, client.replica, this.writer.walking);
        return this.#withoutUndecided(placed, scene);
      },
    );
    bridge?.on("results", (tokens, displaced) => this.#restoreRefused(tokens, displaced));
  }

  /** Writes what the GM accepted. @param {Write[]} writes */
  accept(writes) {
    this.#release(writes);
    return this.writer.write(writes.map((write) => ({ ...write, isDecided: true })));
  }

  /** Remembers what the GM declined, also after a reconnect. Foundry's place of a unit counts again. @param {Write[]} writes */
  async decline(writes) {
    await this.writer.decline(writes);
    for (const token of this.#release(writes)) this.bridge?.outbox.addToken(token);
  }

  #isBridge = () => this.bridge !== null && this.bridge.lease !== null;

  /** @param {LogEntry[]} entries @param {Replica} replica after them */
  #processEntries(entries, replica) {
    const { bars, seq } = replica;
    const isOtherScene = entries.some(
      (entry) => isFromFoundry(entry) && entry.events.some(({ type }) => type === "scene_set"),
    );
    if (isOtherScene && this.bridge) this.#scene = this.bridge.scene;
    const writes = planWrites(entries, bars, isFromFoundry);
    if (writeMode("floating") !== "never")
      this.writer.write(writes.filter(({ kind }) => kind === "floating"));
    // A client that lacks nothing gets an update without entries after a reconnect, so the replica has the number.
    if (this.#isBridge()) this.#process(writes, seq, replica);
  }

  /** Processes missed entries and the scene's state, after a reconnect or a new lease. @param {Replica} replica */
  #catchUp(replica) {
    if (!this.#isBridge()) return;
    this.held.reload();
    this.#scene ??= sceneOf(replica);
    // The page that was the bridge before has processed more than this page, and this one more than it has saved.
    const saved = processedSeq(this.table);
    const processed = saved === null ? this.processed : Math.max(saved, this.processed ?? 0);
    const missed = processed === null ? [] : replica.log.filter(({ seq }) => seq > processed);
    const { scene, bars, seq: now } = replica;
    const writes = [
      ...planWrites(missed, bars, isFromFoundry),
      ...planSceneWrites(scene, bars, now),
      ...this.#heldWrites(replica),
    ];
    this.#process(
      writes.filter((write) => !this.writer.isDeclined(write) && !this.#isOwed(write)),
      now,
      replica,
    );
  }

  /**
   * Returns a scene without the hit points that the GM wants to differ from the table's, or has not decided on: the
   * table keeps its own, also when the scene comes back.
   * @param {LiveScene} live
   * @param {string} of its ID
   * @returns {LiveScene}
   */
  #withoutUndecided(live, of) {
    const open = this.gm.proposals.flatMap((write) =>
      write.kind === "hitPoints" && write.scene === of ? [this.writer.actorOf(write)] : [],
    );
    const isKept = (/** @type {[string, number]} */ [id]) =>
      writeMode("hitPoints") !== "never" && !open.includes(this.writer.actorOf({ scene: of, token: id }));
    return { ...live, hitPoints: Object.fromEntries(Object.entries(live.hitPoints).filter(isKept)) };
  }

  /** Tells whether Foundry has newer hit points than the table. @param {Write} write */
  #isOwed = (write) => write.kind === "hitPoints" && (this.bridge?.owesPoints(write.token) ?? false);

  /** Returns the moves that the GM has not decided on. @param {Replica} replica @returns {Write[]} */
  #heldWrites({ scene, seq }) {
    /** @type {(token: Token) => Write[]} */
    const move = ({ id, at, facing }) =>
      at ? [{ seq, kind: "moves", token: id, at, facing, path: [], scene: this.#scene ?? undefined }] : [];
    const isHeld = (/** @type {Write} */ write) => {
      const token = this.writer.movedToken(write);
      return token !== null && this.held.has(token);
    };
    return scene.tokens.flatMap(move).filter(isHeld);
  }

  /** @param {Write[]} planned @param {number} seq the last entry that they cover @param {Replica} replica */
  #process(planned, seq, { scene, bars }) {
    const of = this.#scene ?? tableScene()?.id;
    const isTurn = (/** @type {Write} */ { kind }) => kind === "order" || kind === "round";
    const wanted = doesFoundryDecide() ? planned.filter((write) => !isTurn(write)) : planned;
    const writes = wanted.map((write) => ({ ...write, scene: of }));
    const needed = this.#oncePerActor(
      writes.filter((write) => write.kind !== "floating" && this.writer.isNeeded(write)),
    );
    // An undo, or a hand in Foundry, may have overtaken what the GM was asked.
    this.gm.withdraw(
      (write) => write.scene === of && !(isStillSo(write, scene, bars) && this.writer.isNeeded(write)),
    );
    const ofMode = (/** @type {string} */ mode) =>
      needed.filter(({ kind }) => writeMode(modeKind(kind)) === mode);
    const toAsk = ofMode("ask");
    if (toAsk.length) this.gm.propose(toAsk);
    for (const write of [...toAsk, ...ofMode("never")]) this.#hold(write);
    const toDo = ofMode("do");
    this.#release(toDo);
    const written = this.writer.write(toDo);
    if (this.processed === seq) return;
    this.processed = seq;
    // Only once they are written: the page that takes over writes what this one has left.
    written.then(() => (this.processed === seq ? saveProcessedSeq(this.table, seq) : undefined));
  }

  /** Leaves out hit points of an actor that another of its tokens has written. @param {Write[]} writes */
  #oncePerActor(writes) {
    const actors = new Set();
    return writes.filter((write) => {
      const actor = write.kind === "hitPoints" ? this.writer.actorOf(write) : undefined;
      const isFirst = actor === undefined || !actors.has(actor);
      actors.add(actor);
      return isFirst;
    });
  }

  /** Gives the places of moved tokens back to Foundry. @param {Write[]} writes @returns {string[]} the tokens */
  #release(writes) {
    const moved = writes.flatMap((write) => (write.kind === "moves" ? [write.token] : []));
    for (const token of moved) this.held.release(token);
    return moved;
  }

  /** @param {Write} write */
  #hold(write) {
    const token = this.writer.movedToken(write);
    if (token && !this.held.has(token)) this.held.hold(token);
  }

  /** @param {Write} write @param {Foundry.TokenDocument | null} token @param {string} reason */
  #tellRefused(write, token, reason) {
    if (write.kind === "floating") return;
    this.#hold(write);
    this.gm.tellRefused(write, token?.name ?? "", reason);
  }

  /**
   * Moves tokens back whose move the table refused, but never what a program has moved.
   * @param {Record<string, TokenResult>} results
   * @param {Set<string>} displaced
   */
  #restoreRefused(results, displaced) {
    const { replica } = this.client;
    const refused = Object.entries(results).filter(
      ([id, { ok, error }]) => !ok && !error?.retryable && !displaced.has(id),
    );
    const tokens = refused.flatMap(([id]) => replica?.scene.tokens.filter((token) => token.id === id) ?? []);
    for (const token of tokens) if (token.at) this.writer.restorePosition(token);
  }
}

/**
 * Returns Foundry's ID of the scene that the table has: Foundry's for it, unless only another has its name.
 * @param {Replica} replica
 */
function sceneOf({ scene: { name } }) {
  const scene = tableScene();
  const other = scene?.name === name ? scene : game.scenes.find((one) => one.name === name);
  return (other ?? scene)?.id ?? null;
}

/** @param {LogEntry} entry */
const isFromFoundry = ({ id }) => id.startsWith(FROM_FOUNDRY);
