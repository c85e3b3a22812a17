/** A unit's profile filled from its actor: which path fills which field, and the value that the field takes. */

import { PROFILE_VALUES, SYSTEM_VALUES } from "./actor-values.js";
import { valueAt } from "./hit-points.js";

/** @import {ActorValue} from "./actor-values.js" */

/** @typedef {Record<string, any>} Schema of one field: what msgspec writes */
/** @typedef {{value: unknown} | {problem: "None" | "NoNumber" | "NoOption"}} Found */

/** The greatest length of a path, and of a text that is looked through for an option. */
const [MAX_PATH, MAX_TEXT] = [200, 200];

/** Tells whether values of another system's actors are mapped to a ruleset's fields. @param {string} ruleset */
export const hasMapping = (ruleset) => Object.hasOwn(PROFILE_VALUES, ruleset);

/**
 * Returns which value of an actor fills which field.
 * @param {string} system the game system's ID
 * @param {string} ruleset
 * @param {Record<string, ActorValue>} own the GM's paths by field; an empty path leaves a field alone
 * @returns {Record<string, ActorValue>}
 */
export function actorValues(system, ruleset, own) {
  /** @type {Record<string, ActorValue>} */
  const found = {};
  const known = Object.hasOwn(SYSTEM_VALUES, system) ? SYSTEM_VALUES[system] : {};
  const fields = Object.hasOwn(PROFILE_VALUES, ruleset) ? PROFILE_VALUES[ruleset] : {};
  for (const [field, { value, by = 1 }] of Object.entries(fields)) {
    const at = known[value];
    if (at) found[field] = { ...at, by: (at.by ?? 1) * by };
  }
  return { ...found, ...own };
}

/**
 * Returns what a field takes from an actor: a number within its bounds, rounded down, yes or no, or the option that a
 * text names.
 * @param {Record<string, any> | null | undefined} system the actor's data
 * @param {ActorValue} from
 * @param {Schema} schema
 * @returns {Found}
 */
export function readActorValue(system, from, schema) {
  const { less = 0, by = 1 } = from;
  const raw = firstValue(system, from)?.value;
  if (raw === undefined) return { problem: "None" };
  if (schema.enum) return readOption(raw, schema.enum);
  if (schema.type === "boolean") return { value: typeof raw === "number" ? raw > less : raw === true };
  const number = typeof raw === "string" ? Number(raw) : raw;
  if (typeof number !== "number" || !Number.isFinite(number)) return { problem: "NoNumber" };
  const value = Math.floor((number - less) / (by || 1));
  return { value: Math.min(schema.maximum ?? value, Math.max(schema.minimum ?? value, value)) };
}

/**
 * Returns the newest place where an actor has a value, and the value; null if it has none.
 * @param {Record<string, any> | null | undefined} system the actor's data
 * @param {ActorValue} from
 * @returns {{path: string, value: unknown} | null}
 */
export function firstValue(system, { path, older = [] }) {
  for (const place of [path, ...older]) {
    const value = place && place.length <= MAX_PATH ? valueAt(system, place) : undefined;
    if (value === null) return null; // the place is there, and has nothing: an older one would warn
    if (value !== undefined && value !== "") return { path: place, value };
  }
  return null;
}

/** @param {unknown} raw @param {unknown[]} options @returns {Found} */
function readOption(raw, options) {
  const text = String(typeof raw === "object" ? "" : raw)
    .slice(0, MAX_TEXT)
    .toLowerCase();
  const texts = options.filter((option) => typeof option === "string" && option);
  const found =
    texts.find((option) => option === text) ?? texts.find((option) => text.includes(String(option)));
  return found === undefined ? { problem: "NoOption" } : { value: found };
}

/** Tells whether an actor's value can fill a field. @param {Schema} schema */
export const canFill = (schema) =>
  Boolean(schema.enum) || ["integer", "number", "boolean"].includes(schema.type);

/**
 * Returns a profile with the fields that an actor has values for; the others stay as they are.
 * @param {Record<string, Schema>} fields of the ruleset's profile
 * @param {Record<string, ActorValue>} values
 * @param {Record<string, any> | null | undefined} system the actor's data
 * @param {Record<string, unknown>} profile
 * @returns {{profile: Record<string, unknown>, filled: string[]}}
 */
export function filledProfile(fields, values, system, profile) {
  const found = Object.entries(values).flatMap(([field, from]) => {
    const schema = Object.hasOwn(fields, field) ? fields[field] : null;
    const read = schema && canFill(schema) ? readActorValue(system, from, schema) : null;
    return read && "value" in read ? [/** @type {[string, unknown]} */ ([field, read.value])] : [];
  });
  return { profile: { ...profile, ...Object.fromEntries(found) }, filled: found.map(([field]) => field) };
}
