/** Parts that the readers of all systems share: whom an address means, and whom a message is for. */

import { tableScene } from "../read/table-scene.js";

/** @import {Sent} from "../../../types/contract.js" */

/**
 * @typedef {Omit<Sent.Report, "source">} Told a report without the message that it is of
 * @typedef {NonNullable<Sent.Report["targets"]>[number]} ToldTarget
 * @typedef {NonNullable<Sent.Report["hides"]>} Veils
 */

const MOST_NAME = 200;
const LARGEST = 1_000_000;

/** @param {unknown} value @returns {number | null} a whole number that the table takes */
export const whole = (value) =>
  typeof value === "number" && Math.abs(value) <= LARGEST ? Math.round(value) : null;

/** @param {unknown} text @returns {string} on one line, as the table takes it */
export const line = (text) =>
  typeof text === "string"
    ? text
        .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
        .trim()
        .slice(0, MOST_NAME)
    : "";

/**
 * Returns the token of the table's scene that an address names: its own, its actor's, or that of a linked actor, if only
 * one has it.
 * @param {unknown} uuid of a token or an actor
 * @returns {Foundry.TokenDocument | null}
 */
export function tokenAt(uuid) {
  const scene = tableScene();
  if (typeof uuid !== "string" || !scene) return null;
  const [, place, id] = /Scene\.(\w+)\.Token\.(\w+)/.exec(uuid) ?? [];
  if (id) return place === scene.id ? (scene.tokens.get(id) ?? null) : null;
  const linked = scene.tokens.filter((token) => token.actorLink && token.actor?.uuid === uuid);
  return linked.length === 1 ? linked[0] : null;
}

/** Returns the token that speaks in a message. @param {Foundry.ChatMessageDocument} message */
export function speakerOf({ speaker }) {
  const scene = tableScene();
  if (speaker.token && (!speaker.scene || speaker.scene === scene?.id))
    return scene?.tokens.get(speaker.token) ?? null;
  return speaker.actor ? tokenAt(`Actor.${speaker.actor}`) : null;
}

/** @param {Foundry.TokenDocument | null} token @returns {{token: string, name: string}} */
export const named = (token, name = "") => ({ token: token?.id ?? "", name: line(token?.name || name) });

/**
 * Returns the name of an item by its address or ID.
 * @param {Foundry.Actor | null | undefined} actor
 * @param {unknown} address
 */
export function itemName(actor, address) {
  const id = typeof address === "string" ? (/Item\.(\w+)/.exec(address)?.[1] ?? address) : "";
  return line((id && actor?.items.get(id)?.name) || "");
}

/** Tells whether players own an actor. @param {Foundry.Actor | null | undefined} actor */
export const isOfPlayers = (actor) =>
  Boolean(actor && game.users.find((user) => !user.isGM && actor.testUserPermission(user, "OWNER")));

/**
 * Tells whom a message is for: all; the GM alone ("gm"); or others than this user ("none"), who must not pass it on.
 * @param {Foundry.ChatMessageDocument} message
 */
export function audience({ whisper, blind, author }) {
  if (!whisper.length && !blind) return "all";
  const isMine = author?.isSelf || whisper.includes(game.user.id);
  return game.user.isGM && isMine ? "gm" : "none";
}

/** Reads a setting of the world's system; the default where it has none. @param {string} key @param {unknown} otherwise */
export function systemSetting(key, otherwise) {
  try {
    return game.settings.get(game.system.id, key) ?? otherwise;
  } catch {
    return otherwise; // Foundry throws at a setting that the system does not register
  }
}
