/** Writes into Foundry's documents: each write once, in order, and marked as the module's own. */

import { localize } from "../../core/ui/i18n.js";
import { contentOf } from "../../tabletop/writes.js";
import { tokenPosition } from "../canvas/board-position.js";
import { hitPointsAt } from "../read/hit-points.js";
import { savedPlace } from "../read/saved-place.js";
import { hitPointsLocation } from "../read/live-scene.js";
import { tableScene } from "../read/table-scene.js";
import { MODULE } from "../settings.js";
import { Arrival } from "./arrival.js";
import { hitPointChanges, markDefeated } from "./changes.js";
import { chatCard, rollData, stripMarkup } from "./conversion.js";
import { provideStatus, statusIdOf } from "./status-effects.js";

/** @import {Replica, Token} from "../../../types/contract.js" */
/** @import {Write} from "../../tabletop/writes.js" */

/** @template {Write["kind"]} K @typedef {Extract<Write, {kind: K}>} Of */

const FLOATING_MS = 2500;

/** Writes for one table. */
export class DocumentWriter {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** Conditions, or IDs of status effects, that this system has not taken. @type {Set<string>} */
  #untaken = new Set();
  /** Tokens that walk to where the table has them: their places on the way are no moves. @type {Set<string>} */
  walking = new Set();

  /**
   * @param {string} table
   * @param {() => Replica | null} replica
   * @param {(write: Write, token: Foundry.TokenDocument | null, reason: string) => void} onRefused receives what Foundry
   *   does not take, with Foundry's reason if it gives one
   */
  constructor(table, replica, onRefused = () => {}) {
    this.table = table;
    this.replica = replica;
    this.onRefused = onRefused;
  }

  /**
   * Writes one after another. The GM is told of a write that Foundry refuses; the rest goes on.
   * @param {Write[]} writes
   * @returns {Promise<unknown>} settled when all are written
   */
  write(writes) {
    for (const write of writes)
      this.#last = this.#last
        .then(() => this.#writeOne(write))
        .catch((problem) => {
          console.warn("enfilade", problem);
          this.#refused(write, problem instanceof Error ? problem.message : String(problem));
        });
    return this.#last;
  }

  /** Settles when all is written, also what comes meanwhile. */
  async settled() {
    for (let last; last !== this.#last;) {
      last = this.#last;
      await last;
    }
  }

  /** @param {Write} write @param {string} [reason] */
  #refused(write, reason = "") {
    const isOfToken = "token" in write;
    const token = isOfToken ? this.#token(write) : null;
    if (token || !isOfToken) this.onRefused(write, token, reason); // a deleted token needs no word
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
        const turn = this.#turnOf(write);
        return this.#updateOnce(this.#combat(write), write, turn >= 0 ? { turn } : null);
      }
      case "round":
        return this.#updateOnce(this.#combat(write), write, { round: write.round });
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
        const { actor, path, isTaken } = hitPointsLocation(this.#token(write));
        const points = hitPointsAt(actor?.system, path, isTaken);
        return points !== null && points.value !== write.value;
      }
      case "conditions": {
        const actor = this.#token(write)?.actor;
        if (this.#untaken.has(write.condition)) return false;
        return Boolean(actor) && actor?.statuses.has(statusIdOf(write.condition)) !== write.isOn;
      }
      case "defeated": {
        const actor = this.#token(write)?.actor;
        const hasOtherStatus =
          Boolean(actor) &&
          !this.#untaken.has(CONFIG.specialStatusEffects.DEFEATED) &&
          actor?.statuses.has(CONFIG.specialStatusEffects.DEFEATED) !== write.isOn;
        return hasOtherStatus || this.#combatant(write)?.defeated === !write.isOn;
      }
      case "moves":
        return isElsewhere(this.#token(write), this.#targetPosition(write));
      case "order":
        return this.#turnOf(write) >= 0 && this.#combat(write)?.turn !== this.#turnOf(write);
      case "round":
        return this.#combat(write) !== null && this.#combat(write)?.round !== write.round;
      default:
        return true;
    }
  }

  /**
   * Updates a document, unless a later entry has written the same kind there.
   * @param {Foundry.Document | null | undefined} document
   * @param {Write} write
   * @param {Record<string, unknown> | null | undefined} changes null changes nothing
   * @param {string} [kind] its flag in the document
   */
  async #updateOnce(document, write, changes, kind = write.kind) {
    if (!document || !changes || !this.#isNewer(document, write, kind)) return;
    const { seq } = write;
    const flags = `flags.${MODULE}`;
    const mark = {
      [`${flags}.written.${kind}`]: { table: this.table, seq },
      [`${flags}.declined.${kind}`]: null,
    };
    // A hook of another module may refuse it: then there is no document in the answer.
    const answer = await document.update({ ...changes, ...mark }, this.#options(seq));
    if (!answer && this.isNeeded(write)) this.#refused(write);
  }

  /** @param {Foundry.Document} document @param {Write} write @param {string} [kind] a dotted path */
  #isNewer(document, { seq, isDecided, kind: own }, kind = own) {
    if (isDecided) return true; // the GM has just said so
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
    if (write.kind === "order" || write.kind === "round") return this.#combat(write);
    if (write.kind === "moves") return this.#token(write);
    return "token" in write && write.kind !== "floating" ? this.#token(write)?.actor : null;
  }

  /** @param {number} seq @returns {Foundry.ChangeOptions} options that mark a change as the module's own */
  #options = (seq) => ({ enfilade: { origin: "server", seq } });

  /**
   * Returns a write's scene, which the GM may have left: a copy of a scene has tokens of the same IDs.
   * @param {{scene?: string}} write
   */
  #scene = ({ scene }) => (scene === undefined ? tableScene() : game.scenes.get(scene));

  /** Returns a write's token, also one that the GM does not look at. @param {{scene?: string, token: string}} write */
  #token = (write) => this.#scene(write)?.tokens.get(write.token) ?? null;

  /** Returns the actor that a token has in a scene. @param {{scene?: string, token: string}} of */
  actorOf = (of) => this.#token(of)?.actor?.uuid;

  /** Returns the token of a move. @param {Write} write */
  movedToken = (write) => (write.kind === "moves" ? this.#token(write) : null);

  /** @param {{scene?: string}} write @returns {Foundry.Combat | null} the viewed combat, or the active one of its scene */
  #combat(write) {
    const scene = this.#scene(write)?.id;
    const { combat } = game;
    if (combat && (!combat.scene || combat.scene.id === scene)) return combat;
    return game.combats.find((one) => one.active && one.scene?.id === scene) ?? null;
  }

  /** @param {{scene?: string, token: string}} write */
  #combatant = (write) =>
    this.#combat(write)?.combatants.find(({ tokenId }) => tokenId === write.token) ?? null;

  /** @param {{scene?: string, token: string}} write @returns {number} its place in the tracker's order, or -1 */
  #turnOf = (write) => this.#combat(write)?.turns.findIndex(({ tokenId }) => tokenId === write.token) ?? -1;

  /** @param {Of<"hitPoints">} write */
  async #writeHitPoints(write) {
    const token = this.#token(write);
    await this.#updateOnce(token?.actor, write, hitPointChanges(token, write.value));
  }

  /** @param {Of<"conditions">} write */
  async #writeCondition(write) {
    const actor = this.#token(write)?.actor;
    const kind = flagOf(write);
    if (!actor || !this.#isNewer(actor, write, kind)) return;
    await actor.toggleStatusEffect(await provideStatus(write.condition), { active: write.isOn });
    const isTaken = actor.statuses.has(statusIdOf(write.condition)) === write.isOn;
    if (!isTaken) return this.#isUntaken(write.condition);
    return this.#updateOnce(actor, write, {}, kind);
  }

  /** Marks a token as defeated in the tracker and with Foundry's status effect. @param {Of<"defeated">} write */
  async #writeDefeated(write) {
    await this.#updateOnce(this.#combatant(write), write, { defeated: write.isOn });
    const actor = this.#token(write)?.actor;
    if (!actor || !this.#isNewer(actor, write)) return;
    if (!(await markDefeated(actor, write.isOn)))
      return this.#isUntaken(CONFIG.specialStatusEffects.DEFEATED);
    return this.#updateOnce(actor, write, {});
  }

  /** Says once that the system takes no status effect of a name, which is then left alone. @param {string} name */
  #isUntaken(name) {
    if (this.#untaken.has(name)) return;
    this.#untaken.add(name);
    const values = { condition: stripMarkup(name), system: stripMarkup(game.system.title) };
    ui.notifications.info(localize("bridge.noEffects", values));
  }

  /** @param {Of<"moves">} write */
  #targetPosition(write) {
    const { token: id, at, facing } = write;
    const { scene } = this.replica() ?? {};
    const [token, known] = [this.#token(write), scene?.tokens.find((one) => one.id === id)];
    if (!scene || !token?.parent || !known) return null;
    const { grid, dimensions } = token.parent;
    return tokenPosition(scene.grid, { ...known, at, facing }, savedPlace(token), { grid, dimensions });
  }

  /**
   * Moves a token along the cells of its move (13 and later), else straight. The rules have judged the way, so walls and
   * costs do not stop it; regions see each step.
   * @param {Of<"moves">} write
   */
  async #writeMove(write) {
    const token = this.#token(write);
    const target = this.#targetPosition(write);
    if (!token?.move || !target || !isMoved(token, target)) return this.#updateOnce(token, write, target);
    if (!this.#isNewer(token, write)) return;
    const steps = write.path.map((at) => this.#targetPosition({ ...write, at, facing: null }));
    const waypoints = [...steps, target].flatMap((place) => (place ? [{ x: place.x, y: place.y }] : []));
    const constrainOptions = { ignoreWalls: true, ignoreCost: true };
    const options = { ...this.#options(write.seq), constrainOptions };
    if (!(await this.#walks(token, waypoints, options))) {
      if (this.isNeeded(write)) this.#refused(write); // another module has refused or stopped it
      return;
    }
    if (isMoved(token, target)) return; // another user has moved it on its way, and that place counts
    await this.#updateOnce(token, write, "rotation" in target ? { rotation: target.rotation } : {});
  }

  /**
   * Moves a token along waypoints, and waits until it has walked them.
   * @param {Foundry.TokenDocument} token
   * @param {{x: number, y: number}[]} waypoints
   * @param {Foundry.ChangeOptions} options
   * @returns {Promise<boolean>} false if it was refused or stopped
   */
  async #walks(token, waypoints, options) {
    const arrival = new Arrival(token, waypoints[waypoints.length - 1]);
    this.walking.add(token.id);
    try {
      const isMoving = Boolean(await token.move?.(waypoints, options));
      return (await arrival.ending(isMoving)) !== "stopped";
    } finally {
      this.walking.delete(token.id);
    }
  }

  /**
   * Moves a token to its position at the table, even after an earlier write. If another module refuses that, the GM is
   * told, and the table keeps its place.
   * @param {Token} known the table's token
   */
  async restorePosition(known) {
    const { scene, seq = 0 } = this.replica() ?? {};
    const { id, at, facing } = known;
    const token = this.#token({ token: id });
    if (!scene || !token?.parent || !at) return;
    const position = { ...tokenPosition(scene.grid, known, savedPlace(token), token.parent) };
    const answer = await token.update(position, this.#options(seq));
    if (!answer && isElsewhere(token, position))
      this.#refused({ kind: "moves", token: id, at, facing, path: [], seq });
  }

  /** @param {Of<"chat">} write */
  async #postChat({ seq, entry, scene }) {
    const key = `${this.table} ${seq}`;
    if (game.messages.find((message) => message.flags[MODULE]?.entry === key)) return;
    // Foundry shows a whisper with rolls to all players as a private roll, so a secret entry has none.
    const found = entry.secret ? [] : (entry.facts.rolls ?? []).map(rollData);
    const rolls = found.filter((data) => data !== null).map((data) => Roll.fromData(data));
    const token = this.#token({ scene, token: entry.facts.token ?? "" });
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
  async #showFloating(write) {
    const { text } = write;
    const center = this.#token(write)?.object?.center;
    if (!center) return;
    await canvas.interface.createScrollingText(center, stripMarkup(text), { duration: FLOATING_MS });
  }
}

/** @param {Foundry.TokenDocument | null} token @param {{x: number, y: number, rotation?: number} | null | undefined} position */
function isElsewhere(token, position) {
  if (!token || !position) return false;
  const now = savedPlace(token).rotation;
  const { rotation = now } = position;
  return isMoved(token, position) || (now - rotation) % 360 !== 0;
}

/** @param {Foundry.TokenDocument} token @param {{x: number, y: number}} position */
function isMoved(token, { x, y }) {
  const now = savedPlace(token);
  return now.x !== x || now.y !== y;
}

/** @param {Write} write @returns {string} its flag in a document: each condition has its own */
const flagOf = (write) =>
  write.kind === "conditions" ? `conditions.${write.condition.replace(/\W+/g, "-")}` : write.kind;

/** @param {Write} write */
const declinedFlag = (write) => `flags.${MODULE}.declined.${flagOf(write)}`;

/** @param {any} holder @param {string} path dotted */
const valueAt = (holder, path) => path.split(".").reduce((here, step) => here?.[step], holder);
