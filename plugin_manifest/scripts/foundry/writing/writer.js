/** Writes into Foundry what was planned: each once, in order, and marked as this module's own. */

import { harmless, card, rollData } from "./card.js";
import { newStatus, statusFor } from "./status.js";
import { standing } from "./standing.js";
import { hitPointsAt, hitPointsPathOf } from "../read/hit-points.js";
import { hitPointsPath, MODULE } from "../settings.js";

/** @import {Replica, Token} from "../../../types/contract.js" */
/** @import {Write} from "./plan.js" */

/** @template {Write["kind"]} K @typedef {Extract<Write, {kind: K}>} Of */

const TEXT_MS = 2500;

/** Writes for one table. */
export class Writer {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {string} table @param {() => Replica | null} replica */
  constructor(table, replica) {
    this.table = table;
    this.replica = replica;
  }

  /**
   * Writes one after another; one that fails is told of in the console and the rest go on.
   * @param {Write[]} writes
   * @returns {Promise<unknown>} when they are written
   */
  write(writes) {
    for (const write of writes)
      this.#last = this.#last.then(() => this.#one(write)).catch((problem) => console.error(problem));
    return this.#last;
  }

  /** @param {Write} write */
  #one(write) {
    switch (write.kind) {
      case "hitPoints":
        return this.#hitPoints(write);
      case "conditions":
        return this.#condition(write);
      case "defeated":
        return this.#defeated(write);
      case "moves":
        return this.#move(write);
      case "order":
        return this.#order(write);
      case "round":
        return this.#once(this.#combat(), write, { round: write.round });
      case "chat":
        return this.#chat(write);
      default:
        return this.#float(write);
    }
  }

  /** @param {Write} write @returns {boolean} whether Foundry does not have it so already */
  isNeeded(write) {
    switch (write.kind) {
      case "hitPoints": {
        const { actor, path } = this.#pointsOf(write.token);
        const points = hitPointsAt(actor?.system, path);
        return points !== null && points.value !== write.value;
      }
      case "conditions": {
        const actor = this.#token(write.token)?.actor;
        return Boolean(actor) && actor?.statuses.has(status(write.condition)) !== write.isOn;
      }
      case "defeated":
        return this.#isStanding(write) || this.#combatant(write.token)?.defeated === !write.isOn;
      case "moves":
        return differs(this.#token(write.token), this.#placeOf(write));
      case "order":
        return this.#turnOf(write.token) >= 0 && this.#combat()?.turn !== this.#turnOf(write.token);
      case "round":
        return this.#combat() !== null && this.#combat()?.round !== write.round;
      default:
        return true;
    }
  }

  /**
   * Changes a document, unless a later entry has written the same kind of thing there already.
   * @param {Foundry.Document | null | undefined} document
   * @param {{kind: string, seq: number}} write
   * @param {Record<string, unknown>} changes
   */
  async #once(document, { kind, seq }, changes) {
    if (!document || !this.#isNews(document, kind, seq)) return;
    const flags = `flags.${MODULE}`;
    const mark = {
      [`${flags}.written.${kind}`]: { table: this.table, seq },
      [`${flags}.declined.${kind}`]: null,
    };
    await document.update({ ...changes, ...mark }, this.#tag(seq));
  }

  /** @param {Foundry.Document} document @param {string} kind with dots @param {number} seq */
  #isNews(document, kind, seq) {
    const last = at(document.flags[MODULE]?.written, kind);
    return last?.table !== this.table || !(last.seq >= seq);
  }

  /**
   * Keeps in mind that the GM does not want these, with the very documents, so that nobody asks again after a break.
   * @param {Write[]} writes
   */
  decline(writes) {
    const marks = writes.map(async (write) => {
      const mark = { table: this.table, seq: write.seq, said: said(write) };
      await this.#documentOf(write)?.update({ [declinedFlag(write)]: mark }, this.#tag(write.seq));
    });
    return Promise.all(marks);
  }

  /** @param {Write} write @returns {boolean} whether the GM has said no to just that since anything else was written */
  isDeclined(write) {
    const last = at(this.#documentOf(write), declinedFlag(write));
    return last?.table === this.table && last.said === said(write);
  }

  /** @param {Write} write @returns {Foundry.Document | null | undefined} what it changes; nothing for what is told */
  #documentOf(write) {
    if (write.kind === "order" || write.kind === "round") return this.#combat();
    if (write.kind === "moves") return this.#token(write.token);
    return "token" in write && write.kind !== "floating" ? this.#token(write.token)?.actor : null;
  }

  /** @param {number} seq @returns {Foundry.ChangeOptions} */
  #tag = (seq) => ({ enfilade: { origin: "server", seq } });

  /** @param {string} id */
  #token = (id) => canvas.scene?.tokens.get(id) ?? null;

  /** @param {Of<"hitPoints">} write */
  async #hitPoints(write) {
    const { actor, path } = this.#pointsOf(write.token);
    const key = typeof at(actor?.system, path) === "number" ? path : `${path}.value`;
    if (hitPointsAt(actor?.system, path)) await this.#once(actor, write, { [`system.${key}`]: write.value });
  }

  /** @param {string} id @returns {{actor: Foundry.Actor | null, path: string}} */
  #pointsOf(id) {
    const token = this.#token(id);
    const bar = token?.getBarAttribute("bar1")?.attribute ?? "";
    return { actor: token?.actor ?? null, path: hitPointsPathOf(game.system.id, hitPointsPath(), bar) };
  }

  /** @param {Of<"conditions">} write */
  async #condition(write) {
    const actor = this.#token(write.token)?.actor;
    const kind = flagOf(write);
    if (!actor || !this.#isNews(actor, kind, write.seq)) return;
    await actor.toggleStatusEffect(status(write.condition), { active: write.isOn });
    await this.#once(actor, { kind, seq: write.seq }, {});
  }

  /** @param {Of<"defeated">} write in the tracker, and by the sign over the token that Foundry has for it */
  async #defeated(write) {
    await this.#once(this.#combatant(write.token), write, { defeated: write.isOn });
    const actor = this.#token(write.token)?.actor;
    if (!actor || !this.#isNews(actor, write.kind, write.seq)) return;
    const sign = CONFIG.specialStatusEffects.DEFEATED;
    await actor.toggleStatusEffect(sign, { active: write.isOn, overlay: true });
    await this.#once(actor, write, {});
  }

  /** @param {Of<"defeated">} write whether its token's actor has another sign than that */
  #isStanding({ token, isOn }) {
    const actor = this.#token(token)?.actor;
    return Boolean(actor) && actor?.statuses.has(CONFIG.specialStatusEffects.DEFEATED) !== isOn;
  }

  /** @returns {Foundry.Combat | null} the one that is looked at, where it is on this scene */
  #combat() {
    const { combat } = game;
    return combat && (!combat.scene || combat.scene.id === canvas.scene?.id) ? combat : null;
  }

  /** @param {string} token */
  #combatant = (token) => this.#combat()?.combatants.find(({ tokenId }) => tokenId === token) ?? null;

  /** @param {string} token @returns {number} its place in the tracker's order; -1 for none */
  #turnOf = (token) => this.#combat()?.turns.findIndex(({ tokenId }) => tokenId === token) ?? -1;

  /** @param {Of<"moves">} write */
  async #move(write) {
    const place = this.#placeOf(write);
    if (place) await this.#once(this.#token(write.token), write, place);
  }

  /** @param {Of<"moves">} write */
  #placeOf({ token: id, at: cell, facing }) {
    const { scene } = this.replica() ?? {};
    const [token, known] = [this.#token(id), scene?.tokens.find((one) => one.id === id)];
    return scene && token && known && standing(scene.grid, { ...known, at: cell, facing }, token, canvas);
  }

  /** @param {Token} known a token of the table, which is put where it stands there, whatever was written before */
  async putBack(known) {
    const { scene, seq } = this.replica() ?? {};
    const token = this.#token(known.id);
    if (scene && token)
      await token.update({ ...standing(scene.grid, known, token, canvas) }, this.#tag(seq ?? 0));
  }

  /** @param {Of<"order">} write */
  async #order(write) {
    const turn = this.#turnOf(write.token);
    if (turn >= 0) await this.#once(this.#combat(), write, { turn });
  }

  /** @param {Of<"chat">} write */
  async #chat({ seq, entry }) {
    const key = `${this.table} ${seq}`;
    if (game.messages.find((message) => message.flags[MODULE]?.entry === key)) return;
    const rolls = (entry.facts.rolls ?? [])
      .map(rollData)
      .filter((data) => data !== null)
      .map((data) => Roll.fromData(data));
    const whisper = entry.secret ? ChatMessage.getWhisperRecipients("GM").map(({ id }) => id) : [];
    const token = this.#token(entry.facts.token ?? "");
    const speaker = ChatMessage.getSpeaker(token ? { token } : { alias: "Enfilade" });
    await ChatMessage.create(
      {
        content: card(entry),
        speaker,
        author: game.user.id,
        whisper,
        rolls,
        flags: { [MODULE]: { entry: key } },
      },
      this.#tag(seq),
    );
  }

  /** @param {Of<"floating">} write on this page alone */
  async #float({ token, text }) {
    const center = this.#token(token)?.object?.center;
    if (center) await canvas.interface.createScrollingText(center, harmless(text), { duration: TEXT_MS });
  }
}

/** @param {Foundry.TokenDocument | null} token @param {{x: number, y: number, rotation?: number} | null | undefined} place */
function differs(token, place) {
  if (!token || !place) return false;
  const { x, y, rotation = token.rotation } = place;
  return token.x !== x || token.y !== y || (token.rotation - rotation) % 360 !== 0;
}

/** @param {Write} write the name of its mark in a document's flags: a condition has its own */
const flagOf = (write) =>
  write.kind === "conditions" ? `conditions.${write.condition.replace(/\W+/g, "-")}` : write.kind;

/** @param {Write} write */
const declinedFlag = (write) => `flags.${MODULE}.declined.${flagOf(write)}`;

/** @param {Write} write what it would have written, without its number */
const said = ({ seq: _, ...write }) => JSON.stringify(write);

/** @param {any} holder @param {string} path with dots */
const at = (holder, path) => path.split(".").reduce((here, step) => here?.[step], holder);

/** @param {string} condition @returns {string} a status effect's id, made known to Foundry where it was not */
function status(condition) {
  const known = statusFor(condition, Object.values(CONFIG.statusEffects));
  if (known) return known;
  const made = newStatus(condition);
  if (Array.isArray(CONFIG.statusEffects)) CONFIG.statusEffects.push(made);
  else CONFIG.statusEffects[made.id] = made;
  return made.id;
}
