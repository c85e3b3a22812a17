/**
 * The table's log of what the world's system does: attacks, damage and saves in chat, and hit points that change. The
 * page that sends the scene writes it; a workflow of midi-qol is written by the page that made it, which alone knows it.
 */

import { isCompanion } from "../../core/game/companion.js";
import { onHook } from "../boundary.js";
import { MODULE } from "../settings.js";
import { readDnd5e, readHitPoints, readMidi } from "./dnd5e.js";
import { audience } from "./messages.js";
import { readPf2e } from "./pf2e.js";

/** @import {ConnectionManager} from "../connection-manager.js" */
/** @import {Told} from "./messages.js" */

/** @type {Record<string, (message: Foundry.ChatMessageDocument) => Told | null>} */
const READERS = { dnd5e: readDnd5e, pf2e: readPf2e, sf2e: readPf2e };
/** A reroll deletes the old message and makes a new one: the deletion alone waits for it. */
const REROLL_MS = 2000;
const MOST_TOLD = 500;

/** Writes the log while the page is open. */
export class ChatLog {
  /** The last report of each message. @type {Map<string, Told>} */
  #told = new Map();
  /** The message that a reroll stands for, by its own. @type {Map<string, string>} */
  #sources = new Map();
  /** Messages that were deleted a moment ago. @type {Map<string, {told: Told, timer: ReturnType<typeof setTimeout>}>} */
  #deleted = new Map();
  #counter = 0;

  /** @param {ConnectionManager} manager */
  constructor(manager) {
    this.manager = manager;
  }

  /** Registers the hooks for as long as the page is open. */
  register() {
    onHook("createChatMessage", (message) => this.#writes() && this.#read(message));
    onHook("updateChatMessage", (message) => this.#writes() && this.#read(message));
    onHook(
      "deleteChatMessage",
      ({ id }, options) => this.#writes() && !options?.deleteAll && this.#taken(id),
    );
    for (const hook of ["dnd5e.damageActor", "dnd5e.healActor"])
      onHook(hook, (actor, changes) => {
        if (!this.#writes() || !isCompanion(this.manager.client?.replica)) return;
        this.#counter += 1;
        this.#send(`hp.${actor.id}.${Date.now()}.${this.#counter}`, readHitPoints(actor, changes));
      });
    onHook("midi-qol.RollComplete", (workflow) =>
      this.#send(idOf(workflow.itemCardId ?? workflow.itemCardUuid ?? workflow.id), readMidi(workflow)),
    );
  }

  /** Tells whether this page is the one that writes: that with the lease. */
  #writes() {
    const { bridge, client } = this.manager;
    return bridge !== null && bridge.lease !== null && Boolean(client?.replica);
  }

  /** @param {Foundry.ChatMessageDocument} message */
  #read(message) {
    const reader = READERS[game.system.id];
    const isOurs = MODULE in message.flags;
    // The whole workflow of midi-qol is told at its end.
    if (!reader || isOurs || (game.system.id === "dnd5e" && game.modules.get("midi-qol")?.active)) return;
    const heard = audience(message);
    const told = heard === "none" ? null : reader(message);
    if (!told) return;
    const before = this.#rerolled(message, told);
    if (before) this.#sources.set(message.id, before);
    this.#send(this.#sourceOf(message.id), heard === "gm" ? { ...told, hides: ["all"] } : told);
  }

  /** @param {string} id of a message @returns {string} the first of which it is the reroll, else its own */
  #sourceOf(id) {
    return this.#sources.get(id) ?? id;
  }

  /**
   * Returns the deleted message that a reroll replaces.
   * @param {Foundry.ChatMessageDocument} message
   * @param {Told} told
   */
  #rerolled(message, { token, item }) {
    if (!message.flags[game.system.id]?.context?.isReroll) return null;
    for (const [id, { told, timer }] of this.#deleted)
      if (told.token === token && told.item === item) {
        clearTimeout(timer);
        this.#deleted.delete(id);
        return id;
      }
    return null;
  }

  /** Takes back what a deleted message said, unless a reroll follows. @param {string} message */
  #taken(message) {
    const id = this.#sourceOf(message);
    const told = this.#told.get(id);
    if (!told) return;
    const timer = setTimeout(() => {
      this.#deleted.delete(id);
      this.#send(id, { ...told, kind: "withdrawn", parts: [], targets: [], total: null });
    }, REROLL_MS);
    this.#deleted.set(id, { told, timer });
  }

  /** @param {string} source @param {Told | null} told */
  #send(source, told) {
    const { client } = this.manager;
    if (!client?.replica || !told) return;
    const before = this.#told.get(source);
    if (before && JSON.stringify(before) === JSON.stringify(told)) return; // another part of the message changed
    this.#told.set(source, told);
    const [oldest] = this.#told.keys();
    if (this.#told.size > MOST_TOLD) this.#told.delete(oldest);
    const report = { source, ...told, ...(before ? { is_correction: true } : {}) };
    // A refusal, such as of a token that has left the table, costs one line.
    client.send("report", report).catch((problem) => console.warn(MODULE, "report", problem.message));
  }
}

/** @param {unknown} address @returns {string} the ID at its end */
const idOf = (address) =>
  String(address)
    .split(".")
    .at(-1)
    ?.replace(/[^A-Za-z0-9_-]/g, "")
    .slice(0, 64) || "midi";
