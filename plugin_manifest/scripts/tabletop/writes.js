/**
 * The writes into a tabletop that the table's entries ask for. Each write holds the final state and its entry's number,
 * so a repeated or late write does nothing.
 */

import { resultText } from "../core/ui/log-entry.js";

/** @import {Bar, Cell, ConditionSet, LogEntry, Scene, TableEvent, Token} from "../../types/contract.js" */

/** @typedef {"hitPoints" | "conditions" | "defeated" | "moves" | "order" | "chat" | "floating"} WriteKind */
/** @typedef {"do" | "ask" | "never"} WriteMode */

/**
 * @typedef {{seq: number, scene?: string, isDecided?: boolean} & (
 *   {kind: "hitPoints", token: string, value: number, most: number} |
 *   {kind: "conditions", token: string, condition: string, isOn: boolean} |
 *   {kind: "defeated", token: string, isOn: boolean} |
 *   {kind: "moves", token: string, at: Cell, facing: number | null, path: Cell[]} |
 *   {kind: "order", token: string} |
 *   {kind: "round", round: number} |
 *   {kind: "chat", entry: LogEntry} |
 *   {kind: "floating", token: string, text: string}
 * )} Write
 */

/** A write's `scene` is the tabletop's ID of the scene that it belongs to; `isDecided` if the GM has accepted it. */

/** @typedef {Write extends infer W ? W extends Write ? Omit<W, "seq" | "scene" | "isDecided"> : never : never} Change a write without its entry's number */

/**
 * The default mode of each kind. The GM decides first on what changes an actor.
 * @type {Record<WriteKind, WriteMode>}
 */
export const DEFAULT_MODES = {
  hitPoints: "ask",
  conditions: "ask",
  defeated: "ask",
  moves: "do",
  order: "do",
  chat: "do",
  floating: "do",
};

/** @type {Record<WriteKind, string>} the label of each kind of write, for a person */
export const WRITE_LABELS = {
  hitPoints: "Write.HitPoints",
  conditions: "Write.Conditions",
  defeated: "Write.Defeated",
  moves: "Write.Moves",
  order: "Write.Order",
  chat: "Write.Chat",
  floating: "Write.Floating",
};

/** Returns the kind whose mode counts for a write. @param {Write["kind"]} kind @returns {WriteKind} */
export const modeKind = (kind) => (kind === "round" ? "order" : kind);

/** The cells that a move leads through, at most. */
const MAX_PATH = 64;

/** Conditions that mean defeat. */
const DEFEAT_CONDITIONS = ["out"];

/** Conditions that only the rules need; they get no status effect. */
const INTERNAL_CONDITIONS = new Set([
  ...["activated", "rerolled", "acted", "used", "free attack", "automatic", "stance"],
  ...DEFEAT_CONDITIONS,
]);

/** The kinds of entries that get a chat card. */
const CHAT_KINDS = new Set(["act", "choice.answer", "undo"]);

/**
 * Plans the writes for new entries: for each target the last one only, in the entries' order.
 * @param {LogEntry[]} entries
 * @param {Record<string, Bar>} bars the hit point track of each token
 * @param {(entry: LogEntry) => boolean} isFromTabletop whether the entry repeats a move made in the tabletop
 * @returns {Write[]}
 */
export function planWrites(entries, bars, isFromTabletop) {
  /** @type {Map<string, Write>} */
  const last = new Map();
  for (const write of entries.flatMap((entry) => entryWrites(entry, bars, isFromTabletop(entry)))) {
    const before = last.get(writeTarget(write));
    last.delete(writeTarget(write)); // a Map keeps the place of the first
    last.set(writeTarget(write), before ? withPath(write, before) : write);
  }
  return [...last.values()];
}

/**
 * Returns a move with the cells of an earlier one on its way: a token walks by them, not straight through a wall.
 * @param {Write} write
 * @param {Write} before of the same target
 * @returns {Write}
 */
const withPath = (write, before) =>
  write.kind === "moves" && before.kind === "moves"
    ? { ...write, path: [...before.path, before.at, ...write.path].slice(-MAX_PATH) }
    : write;

/**
 * Plans the writes that bring a tabletop to a scene's state. Positions are not among them: the tabletop decides those.
 * @param {Scene} scene
 * @param {Record<string, Bar>} bars
 * @param {number} seq the scene's last entry
 * @returns {Write[]}
 */
export function planSceneWrites(scene, bars, seq) {
  const { round = 0 } = scene.tracks;
  const changes = [
    ...roundChanges(round),
    ...conditionsChanges("table", scene.conditions),
    ...scene.tokens.flatMap((token) => tokenChanges(token, bars)),
  ];
  return changes.map((change) => ({ ...change, seq }));
}

/** Returns what a write changes; a later write replaces an earlier one to the same target. @param {Write} write */
export function writeTarget(write) {
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

/** Returns a write as text, without its entry's number and what is not its content. @param {Write} write @returns {string} */
export const contentOf = ({ seq: _, scene: __, isDecided: ___, ...write }) => JSON.stringify(write);

/**
 * Tells whether the table still has what a write brings to the tabletop.
 * @param {Write} write
 * @param {Scene} scene
 * @param {Record<string, Bar>} bars
 */
export function isStillSo(write, scene, bars) {
  if (write.kind === "chat" || write.kind === "floating") return true;
  if (write.kind === "round") return scene.tracks.round === write.round;
  if (write.kind === "order") return scene.conditions.active === write.token;
  const token = scene.tokens.find(({ id }) => id === write.token);
  if (!token) return false;
  switch (write.kind) {
    case "hitPoints":
      return token.tracks[bars[token.id]?.track ?? ""] === write.value;
    case "defeated":
      return DEFEAT_CONDITIONS.some((condition) => condition in token.conditions) === write.isOn;
    case "conditions":
      return write.condition in token.conditions === write.isOn;
    default:
      return `${token.at}` === `${write.at}`;
  }
}

/** @param {LogEntry} entry @param {Record<string, Bar>} bars @param {boolean} isFromTabletop @returns {Write[]} */
function entryWrites(entry, bars, isFromTabletop) {
  const { seq } = entry;
  const changes = entry.events.flatMap((event) => eventChanges(event, bars, isFromTabletop));
  return [...changes.map((change) => ({ ...change, seq })), ...announcements(entry)];
}

/** @param {LogEntry} entry @returns {Write[]} its chat card, and the text over its token */
function announcements(entry) {
  const { seq, kind, facts } = entry;
  const token = facts.target || facts.token || "";
  const text = resultText(entry);
  /** @type {Write[]} */
  const floating = text && token ? [{ seq, kind: "floating", token, text }] : [];
  return CHAT_KINDS.has(kind) && entry.text ? [{ seq, kind: "chat", entry }, ...floating] : floating;
}

/** @param {TableEvent} event @param {Record<string, Bar>} bars @param {boolean} isFromTabletop @returns {Change[]} */
function eventChanges(event, bars, isFromTabletop) {
  switch (event.type) {
    case "track_set":
      if (event.holder === "table") return event.track === "round" ? roundChanges(event.value ?? 0) : [];
      return hitPointChanges(event.holder, { [event.track]: event.value ?? 0 }, bars);
    case "condition_set":
      return conditionChanges(event);
    case "token_moved":
      return isFromTabletop ? [] : moveChanges(event.token, event);
    case "token_placed":
      return placementChanges(event, bars, isFromTabletop);
    case "scene_set":
      return event.scene.tokens.flatMap((token) => tokenChanges(token, bars));
    default:
      return [];
  }
}

/** @param {Token} token @param {Record<string, Bar>} bars @returns {Change[]} its hit points and conditions */
const tokenChanges = (token, bars) => [
  ...hitPointChanges(token.id, token.tracks, bars),
  ...conditionsChanges(token.id, token.conditions),
];

/** @param {string} holder @param {Record<string, string | null>} conditions null removes one @returns {Change[]} */
const conditionsChanges = (holder, conditions) =>
  Object.entries(conditions).flatMap(([condition, note]) => conditionChanges({ holder, condition, note }));

/** @param {Pick<ConditionSet, "holder" | "condition" | "note">} change @returns {Change[]} */
function conditionChanges({ holder, condition, note }) {
  const isOn = note !== null;
  if (holder === "table") return condition === "active" && note ? [{ kind: "order", token: note }] : [];
  if (holder.startsWith("side:")) return [];
  if (DEFEAT_CONDITIONS.includes(condition)) return [{ kind: "defeated", token: holder, isOn }];
  return INTERNAL_CONDITIONS.has(condition) ? [] : [{ kind: "conditions", token: holder, condition, isOn }];
}

/** @param {number} round 0 before the first @returns {Change[]} */
const roundChanges = (round) => (round > 0 ? [{ kind: "round", round }] : []);

/** @param {string} token @param {{at: Cell | null, facing: number | null}} position @returns {Change[]} none off the board */
const moveChanges = (token, { at, facing }) => (at ? [{ kind: "moves", token, at, facing, path: [] }] : []);

/** @param {string} token @param {Record<string, number>} tracks @param {Record<string, Bar>} bars @returns {Change[]} */
function hitPointChanges(token, tracks, bars) {
  const bar = bars[token];
  if (!bar || !(bar.track in tracks)) return [];
  return [{ kind: "hitPoints", token, value: tracks[bar.track], most: bar.most }];
}

/**
 * Returns the changes by a token that was placed, restored by an undo, or given another owner in its place.
 * @param {TableEvent & {type: "token_placed"}} event
 * @param {Record<string, Bar>} bars
 * @param {boolean} isFromTabletop
 * @returns {Change[]}
 */
function placementChanges({ token, was }, bars, isFromTabletop) {
  const cleared = Object.fromEntries(
    Object.keys(was?.conditions ?? {}).map((condition) => [condition, null]),
  );
  const state = tokenChanges(
    { ...token, conditions: /** @type {any} */ ({ ...cleared, ...token.conditions }) },
    bars,
  );
  const hasMoved = !was || `${token.at}` !== `${was.at}` || token.facing !== was.facing;
  return isFromTabletop || !hasMoved ? state : [...state, ...moveChanges(token.id, token)];
}
