/** Writes into Foundry's documents: each write once, in order, and marked as the module's own. */

import { tokenPosition } from "../canvas/board-position.js";
import { hitPointsAt } from "../read/hit-points.js";
import { hitPointsLocation } from "../read/viewed-scene.js";
import { MODULE } from "../settings.js";
import { chatCard, rollData, stripMarkup } from "./conversion.js";
import { provideStatus, statusIdOf } from "./status-effects.js";

/** @import {Replica, Token} from "../../../types/contract.js" */
/** @import {Write} from "./writes.js" */

/** @template {Write["kind"]} K @typedef {Extract<Write, {kind: K}>} Of */

const FLOATING_MS = 2500;

/** Writes for one table. */
export class DocumentWriter {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {string} table @param {() => Replica | null} replica */
  constructor(table, replica) {
    this.table = table;
    this.replica = replica;
  }

  /**
   * Writes one after another. A failed write goes to the console; the rest goes on.
   * @param {Write[]} writes
   * @returns {Promise<unknown>} settled when all are written
   */
  write(writes) {
    for (const write of writes)
      this.#last = this.#last.then(() => this.#writeOne(write)).catch((problem) => console.error(problem));
    return this.#last;
  }

  /** Settles when all is written, also what comes meanwhile. */
  async settled() {
    for (let last; last !== this.#last;) {
      last = this.#last;
      await last;
    }
  }

  /** @param {Write} write */
  #writeOne(write) {
    switch (write.kind) {
      case "hitPoints":
        return this.#writeHitPoints(write);
      case "conditions":
        return this.#writeCondition(write);
      case "defeated":
        return this.#writeDefeated(write);
      case "moves":
        return this.#writeMove(write);
      case "order": {
        const turn = this.#turnOf(write.token);
        return this.#updateOnce(this.#combat(), write, turn >= 0 ? { turn } : null);
      }
      case "round":
        return this.#updateOnce(this.#combat(), write, { round: write.round });
      case "chat":
        return this.#postChat(write);
      default:
        return this.#showFloating(write);
    }
  }

  /** @param {Write} write @returns {boolean} whether Foundry has another state */
  isNeeded(write) {
    switch (write.kind) {
      case "hitPoints": {
        const { actor, path, isTaken } = hitPointsLocation(write.token);
        const points = hitPointsAt(actor?.system, path, isTaken);
        return points !== null && points.value !== write.value;
      }
      case "conditions": {
        const actor = this.#token(write.token)?.actor;
        return Boolean(actor) && actor?.statuses.has(statusIdOf(write.condition)) !== write.isOn;
      }
      case "defeated": {
        const actor = this.#token(write.token)?.actor;
        const hasOtherStatus =
          Boolean(actor) && actor?.statuses.has(CONFIG.specialStatusEffects.DEFEATED) !== write.isOn;
        return hasOtherStatus || this.#combatant(write.token)?.defeated === !write.isOn;
      }
      case "moves":
        return isElsewhere(this.#token(write.token), this.#targetPosition(write));
      case "order":
        return this.#turnOf(write.token) >= 0 && this.#combat()?.turn !== this.#turnOf(write.token);
      case "round":
        return this.#combat() !== null && this.#combat()?.round !== write.round;
      default:
        return true;
    }
  }

  /**
   * Updates a document, unless a later entry has written the same kind there.
   * @param {Foundry.Document | null | undefined} document
   * @param {{kind: string, seq: number}} write
   * @param {Record<string, unknown> | null | undefined} changes null changes nothing
   */
  async #updateOnce(document, { kind, seq }, changes) {
    if (!document || !changes || !this.#isNewer(document, kind, seq)) return;
    const flags = `flags.${MODULE}`;
    const mark = {
      [`${flags}.written.${kind}`]: { table: this.table, seq },
      [`${flags}.declined.${kind}`]: null,
    };
    await document.update({ ...changes, ...mark }, this.#options(seq));
  }

  /** @param {Foundry.Document} document @param {string} kind a dotted path @param {number} seq */
  #isNewer(document, kind, seq) {
    const last = valueAt(document.flags[MODULE]?.written, kind);
    return last?.table !== this.table || !(last.seq >= seq);
  }

  /**
   * Marks writes as declined in their documents, so that the GM is not asked again after a reconnect.
   * @param {Write[]} writes
   */
  decline(writes) {
    const marks = writes.map(async (write) => {
      const mark = { table: this.table, seq: write.seq, content: contentOf(write) };
      await this.#documentOf(write)?.update({ [declinedFlag(write)]: mark }, this.#options(write.seq));
    });
    return Promise.all(marks);
  }

  /** @param {Write} write @returns {boolean} whether the GM declined the same write, and nothing else was written since */
  isDeclined(write) {
    const last = valueAt(this.#documentOf(write), declinedFlag(write));
    return last?.table === this.table && last.content === contentOf(write);
  }

  /** @param {Write} write @returns {Foundry.Document | null | undefined} the document that it changes */
  #documentOf(write) {
    if (write.kind === "order" || write.kind === "round") return this.#combat();
    if (write.kind === "moves") return this.#token(write.token);
    return "token" in write && write.kind !== "floating" ? this.#token(write.token)?.actor : null;
  }

  /** @param {number} seq @returns {Foundry.ChangeOptions} options that mark a change as the module's own */
  #options = (seq) => ({ enfilade: { origin: "server", seq } });

  /** @param {string} id */
  #token = (id) => canvas.scene?.tokens.get(id) ?? null;

  /** @returns {Foundry.Combat | null} the viewed combat, if it belongs to this scene */
  #combat() {
    const { combat } = game;
    return combat && (!combat.scene || combat.scene.id === canvas.scene?.id) ? combat : null;
  }

  /** @param {string} token */
  #combatant = (token) => this.#combat()?.combatants.find(({ tokenId }) => tokenId === token) ?? null;

  /** @param {string} token @returns {number} its place in the tracker's order, or -1 */
  #turnOf = (token) => this.#combat()?.turns.findIndex(({ tokenId }) => tokenId === token) ?? -1;

  /** @param {Of<"hitPoints">} write */
  async #writeHitPoints(write) {
    const { actor, path, isTaken } = hitPointsLocation(write.token);
    const points = hitPointsAt(actor?.system, path, isTaken);
    const key = typeof valueAt(actor?.system, path) === "number" ? path : `${path}.value`;
    const value = isTaken ? Math.max(0, (points?.max ?? 0) - write.value) : write.value;
    const changes = points && { [`system.${key}`]: value };
    await this.#updateOnce(actor, write, changes);
  }

  /** @param {Of<"conditions">} write */
  async #writeCondition(write) {
    const actor = this.#token(write.token)?.actor;
    const kind = flagOf(write);
    if (!actor || !this.#isNewer(actor, kind, write.seq)) return;
    await actor.toggleStatusEffect(await provideStatus(write.condition), { active: write.isOn });
    await this.#updateOnce(actor, { kind, seq: write.seq }, {});
  }

  /** Marks a token as defeated in the tracker and with Foundry's status effect. @param {Of<"defeated">} write */
  async #writeDefeated(write) {
    await this.#updateOnce(this.#combatant(write.token), write, { defeated: write.isOn });
    const actor = this.#token(write.token)?.actor;
    if (!actor || !this.#isNewer(actor, write.kind, write.seq)) return;
    const status = CONFIG.specialStatusEffects.DEFEATED;
    await actor.toggleStatusEffect(status, { active: write.isOn, overlay: true });
    await this.#updateOnce(actor, write, {});
  }

  /** @param {Of<"moves">} write */
  #targetPosition({ token: id, at, facing }) {
    const { scene } = this.replica() ?? {};
    const [token, known] = [this.#token(id), scene?.tokens.find((one) => one.id === id)];
    return scene && token && known && tokenPosition(scene.grid, { ...known, at, facing }, token, canvas);
  }

  /**
   * Moves a token along the cells of its move (13 and later), else straight. The rules have judged the way, so walls and
   * costs do not stop it; regions see each step.
   * @param {Of<"moves">} write
   */
  async #writeMove(write) {
    const token = this.#token(write.token);
    const target = this.#targetPosition(write);
    if (!token?.move || !target || !isMoved(token, target)) return this.#updateOnce(token, write, target);
    if (!this.#isNewer(token, write.kind, write.seq)) return;
    const steps = write.path.map((at) => this.#targetPosition({ ...write, at, facing: null }));
    const waypoints = [...steps, target].flatMap((place) => (place ? [{ x: place.x, y: place.y }] : []));
    const constrainOptions = { ignoreWalls: true, ignoreCost: true };
    const options = { ...this.#options(write.seq), constrainOptions };
    if (!(await token.move(waypoints, options))) return; // another module has refused or stopped it
    await this.#updateOnce(token, write, "rotation" in target ? { rotation: target.rotation } : {});
  }

  /** Moves a token to its position at the table, even after an earlier write. @param {Token} known the table's token */
  async restorePosition(known) {
    const { scene, seq } = this.replica() ?? {};
    const token = this.#token(known.id);
    if (scene && token)
      await token.update({ ...tokenPosition(scene.grid, known, token, canvas) }, this.#options(seq ?? 0));
  }

  /** @param {Of<"chat">} write */
  async #postChat({ seq, entry }) {
    const key = `${this.table} ${seq}`;
    if (game.messages.find((message) => message.flags[MODULE]?.entry === key)) return;
    // Foundry shows a whisper with rolls to all players as a private roll, so a secret entry has none.
    const found = entry.secret ? [] : (entry.facts.rolls ?? []).map(rollData);
    const rolls = found.filter((data) => data !== null).map((data) => Roll.fromData(data));
    const token = this.#token(entry.facts.token ?? "");
    await ChatMessage.create(
      {
        // Foundry draws rolls in place of content without elements, so the card of a roll is its flavor.
        ...(rolls.length
          ? { flavor: chatCard(entry), content: rolls.map(({ total }) => total).join(", ") }
          : { content: chatCard(entry) }),
        speaker: ChatMessage.getSpeaker(token ? { token } : { alias: "Enfilade" }),
        author: game.user.id,
        whisper: entry.secret ? ChatMessage.getWhisperRecipients("GM").map(({ id }) => id) : [],
        rolls,
        flags: { [MODULE]: { entry: key } },
      },
      this.#options(seq),
    );
  }

  /** Shows text over a token, on this page only. @param {Of<"floating">} write */
  async #showFloating({ token, text }) {
    const center = this.#token(token)?.object?.center;
    if (!center) return;
    await canvas.interface.createScrollingText(center, stripMarkup(text), { duration: FLOATING_MS });
  }
}

/** @param {Foundry.TokenDocument | null} token @param {{x: number, y: number, rotation?: number} | null | undefined} position */
function isElsewhere(token, position) {
  if (!token || !position) return false;
  const { rotation = token.rotation } = position;
  return isMoved(token, position) || (token.rotation - rotation) % 360 !== 0;
}

/** @param {Foundry.TokenDocument} token @param {{x: number, y: number}} position */
const isMoved = (token, { x, y }) => token.x !== x || token.y !== y;

/** @param {Write} write @returns {string} its flag in a document: each condition has its own */
const flagOf = (write) =>
  write.kind === "conditions" ? `conditions.${write.condition.replace(/\W+/g, "-")}` : write.kind;

/** @param {Write} write */
const declinedFlag = (write) => `flags.${MODULE}.declined.${flagOf(write)}`;

/** @param {Write} write @returns {string} the write without its entry's number */
const contentOf = ({ seq: _, ...write }) => JSON.stringify(write);

/** @param {any} holder @param {string} path dotted */
const valueAt = (holder, path) => path.split(".").reduce((here, step) => here?.[step], holder);
