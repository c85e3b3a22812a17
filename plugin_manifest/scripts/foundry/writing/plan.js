/**
 * What a table's entries ask to be written into Foundry. Every write is absolute and carries the number of its
 * entry, so that doing one twice, or a late one, does nothing.
 */

import { resultText } from "../../core/ui/log-entry.js";
import { BOOKKEEPING, DEFEATED, TOLD } from "./kinds.js";

/** @import {Bar, Cell, LogEntry, Scene, TableEvent, Token} from "../../../types/contract.js" */

/**
 * @typedef {{seq: number} & (
 *   {kind: "hitPoints", token: string, value: number, most: number} |
 *   {kind: "conditions", token: string, condition: string, isOn: boolean} |
 *   {kind: "defeated", token: string, isOn: boolean} |
 *   {kind: "moves", token: string, at: Cell, facing: number | null} |
 *   {kind: "order", token: string} |
 *   {kind: "round", round: number} |
 *   {kind: "chat", entry: LogEntry} |
 *   {kind: "floating", token: string, text: string}
 * )} Write
 */

/**
 * The writes that some new entries ask for, the last of each thing only, in the entries' order.
 * @param {LogEntry[]} entries
 * @param {Record<string, Bar>} bars which tracks are hit points, by token
 * @param {(entry: LogEntry) => boolean} isOwn whether Foundry's own tokens were the ones that moved
 * @returns {Write[]}
 */
export function plan(entries, bars, isOwn) {
  /** @type {Map<string, Write>} */
  const last = new Map();
  for (const write of entries.flatMap((entry) => writesOf(entry, bars, isOwn(entry)))) {
    last.delete(thing(write)); // so that it stands where it was written last
    last.set(thing(write), write);
  }
  return [...last.values()];
}

/**
 * The writes that bring Foundry to where a scene stands, whatever happened before; not where tokens stand, which
 * Foundry itself says.
 * @param {Scene} scene
 * @param {Record<string, Bar>} bars
 * @param {number} seq the last entry that the scene holds
 * @returns {Write[]}
 */
export function planScene(scene, bars, seq) {
  const { round = 0 } = scene.tracks;
  const changes = [
    ...roundOf(round),
    ...conditionsOf("table", scene.conditions),
    ...scene.tokens.flatMap((token) => stateOf(token, bars)),
  ];
  return changes.map((change) => ({ ...change, seq }));
}

/** @param {Token} token @param {Record<string, Bar>} bars @returns {Change[]} its hit points and conditions, whatever they were */
function stateOf(token, bars) {
  return [...pointsOf(token.id, token.tracks, bars), ...conditionsOf(token.id, token.conditions)];
}

/** @param {string} holder @param {Record<string, string | null>} conditions null where one is no longer so @returns {Change[]} */
const conditionsOf = (holder, conditions) =>
  Object.entries(conditions).flatMap(([condition, note]) =>
    conditionChanges({ type: "condition_set", holder, condition, note }),
  );

/** @param {number} round 0 before the first @returns {Change[]} */
const roundOf = (round) => (round > 0 ? [{ kind: "round", round }] : []);

/** @param {Write} write what two writes must share for the later to replace the earlier */
export function thing(write) {
  switch (write.kind) {
    case "chat":
    case "floating":
      return `${write.kind} ${write.seq}`;
    case "order":
    case "round":
      return write.kind;
    case "conditions":
      return `${write.kind} ${write.token} ${write.condition}`;
    default:
      return `${write.kind} ${write.token}`;
  }
}

/** @param {LogEntry} entry @param {Record<string, Bar>} bars @param {boolean} isOwn @returns {Write[]} */
function writesOf(entry, bars, isOwn) {
  const { seq } = entry;
  const changes = entry.events.flatMap((event) => changesBy(event, bars, isOwn));
  return [...changes.map((change) => ({ ...change, seq })), ...told(entry)];
}

/** @typedef {Write extends infer W ? W extends Write ? Omit<W, "seq"> : never : never} Change */

/** @param {TableEvent} event @param {Record<string, Bar>} bars @param {boolean} isOwn @returns {Change[]} */
function changesBy(event, bars, isOwn) {
  switch (event.type) {
    case "track_set":
      if (event.holder === "table") return event.track === "round" ? roundOf(event.value ?? 0) : [];
      return pointsOf(event.holder, { [event.track]: event.value ?? 0 }, bars);
    case "condition_set":
      return conditionChanges(event);
    case "token_moved":
      return isOwn ? [] : moveOf(event.token, event);
    case "token_placed":
      return placedChanges(event, bars, isOwn);
    case "scene_set":
      return event.scene.tokens.flatMap((token) => stateOf(token, bars));
    default:
      return [];
  }
}

/** @param {string} holder "table", "side:ID" or a token's id */
const isToken = (holder) => holder !== "table" && !holder.startsWith("side:");

/** @param {TableEvent & {type: "condition_set"}} event @returns {Change[]} */
function conditionChanges({ holder, condition, note }) {
  const isOn = note !== null;
  if (holder === "table") return condition === "active" && note ? [{ kind: "order", token: note }] : [];
  if (!isToken(holder)) return [];
  if (DEFEATED.includes(condition)) return [{ kind: "defeated", token: holder, isOn }];
  return BOOKKEEPING.has(condition) ? [] : [{ kind: "conditions", token: holder, condition, isOn }];
}

/** @param {string} token @param {{at: Cell | null, facing: number | null}} where @returns {Change[]} none off the board */
const moveOf = (token, { at, facing }) => (at ? [{ kind: "moves", token, at, facing }] : []);

/** @param {string} token @param {Record<string, number>} tracks @param {Record<string, Bar>} bars @returns {Change[]} */
function pointsOf(token, tracks, bars) {
  const bar = bars[token];
  if (!bar || !(bar.track in tracks)) return [];
  return [{ kind: "hitPoints", token, value: tracks[bar.track], most: bar.most }];
}

/**
 * A token as it stands whole: placed, put back by an undo, or only given another owner where it stands.
 * @param {TableEvent & {type: "token_placed"}} event
 * @param {Record<string, Bar>} bars
 * @param {boolean} isOwn
 * @returns {Change[]}
 */
function placedChanges({ token, was }, bars, isOwn) {
  const cleared = Object.fromEntries(
    Object.keys(was?.conditions ?? {}).map((condition) => [condition, null]),
  );
  const state = [
    ...pointsOf(token.id, token.tracks, bars),
    ...conditionsOf(token.id, { ...cleared, ...token.conditions }),
  ];
  return isOwn || (was && isWhereItWas(token, was)) ? state : [...state, ...moveOf(token.id, token)];
}

/** @param {Token} token @param {Token} was */
const isWhereItWas = (token, was) => `${token.at}` === `${was.at}` && token.facing === was.facing;

/** @param {LogEntry} entry @returns {Write[]} */
function told(entry) {
  const { seq, kind, facts } = entry;
  const over = facts.target || facts.token || "";
  const text = resultText(entry);
  /** @type {Write[]} */
  const shown = text && over ? [{ seq, kind: "floating", token: over, text }] : [];
  return TOLD.has(kind) && entry.text ? [{ seq, kind: "chat", entry }, ...shown] : shown;
}
