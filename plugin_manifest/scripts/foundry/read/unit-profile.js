/**
 * The profile of a token: its own, else the one that is kept on its actor for all of the actor's tokens, else what the
 * actor's values fill, where the system's or the GM's paths are known.
 */

import { MODULE, profilePaths } from "../settings.js";
import { actorValues, filledProfile, hasMapping } from "./actor-profile.js";
import { sheetOf, sheetProfile } from "./actor-sheet.js";
import { tableScene } from "./table-scene.js";

/** @import {Schema} from "./actor-profile.js" */

/** The fields of a ruleset's profile. @typedef {{key: string, fields: Record<string, Schema>}} ProfileRules */
/** @typedef {"token" | "actor" | "values" | "none"} ProfileOrigin */

/**
 * Returns a token's profile and where it comes from; null without one.
 * @param {Foundry.TokenDocument} token
 * @param {ProfileRules | null} rules null while they are not known
 * @returns {{profile: Record<string, unknown> | null, origin: ProfileOrigin}}
 */
export function profileOf(token, rules) {
  const own = token.getFlag(MODULE, "profile");
  if (own) return { profile: own, origin: "token" };
  const kept = baseActor(token)?.getFlag(MODULE, "profile");
  if (kept) return { profile: kept, origin: "actor" };
  const filled = rules && token.actor ? valuesProfile(token.actor, rules) : null;
  return filled ? { profile: filled, origin: "values" } : { profile: null, origin: "none" };
}

/**
 * Returns the world's actor of a token, also of one that is not linked to it: what is kept there is for all its tokens.
 * @param {Foundry.TokenDocument} token
 * @returns {Foundry.Actor | null}
 */
export const baseActor = ({ actorId }) => (actorId && game.actors.get(actorId)) || null;

/**
 * Returns the profile that an actor's values fill: the fields that its sheet has by the same name, then those that are mapped.
 * @param {Foundry.Actor} actor
 * @param {ProfileRules} rules
 */
function valuesProfile(actor, { key, fields }) {
  const values = actorValues(game.system.id, key, profilePaths(key));
  const sheet = hasMapping(key) ? null : sheetOf(actor, game.system.id);
  const ofSheet = sheet ? sheetProfile(sheet, fields, tableScene()?.grid.units ?? "") : {};
  const { profile } = filledProfile(fields, values, actor.system, ofSheet);
  return Object.keys(profile).length && isWhole(fields, profile) ? profile : null;
}

/**
 * Tells whether a profile has all that the rules need: the actor of another game has no armor that Coup-de-Grace knows.
 * @param {Record<string, Schema>} fields a field without a default must be there
 * @param {Record<string, unknown>} profile
 */
const isWhole = (fields, profile) =>
  Object.entries(fields).every(([key, schema]) => "default" in schema || key in profile);

/**
 * Returns the profiles of the table's tokens that have none of their own, by token.
 * @param {ProfileRules | null} rules
 * @param {Iterable<Foundry.TokenDocument>} tokens
 * @returns {Record<string, Record<string, unknown>>}
 */
export function inheritedProfiles(rules, tokens) {
  const found = [...tokens].flatMap((token) => {
    const { profile, origin } = profileOf(token, rules);
    return profile && origin !== "token" ? [/** @type {const} */ ([token.id, profile])] : [];
  });
  return Object.fromEntries(found);
}

/**
 * Keeps a profile for all tokens of a token's actor, which lose their own; a token without an actor gets it alone.
 * @param {Foundry.TokenDocument} token
 * @param {Record<string, unknown>} profile
 */
export async function saveForActor(token, profile) {
  const actor = baseActor(token);
  if (!actor) return replaceProfile(token, profile);
  const others = tableScene()?.tokens.filter(({ actorId }) => actorId === token.actorId) ?? [];
  for (const one of others) if (one.getFlag(MODULE, "profile")) await one.unsetFlag(MODULE, "profile");
  return replaceProfile(actor, profile);
}

/** @param {Foundry.Document} document @param {Record<string, unknown>} profile replaces the saved one: setFlag merges */
export async function replaceProfile(document, profile) {
  if (document.getFlag(MODULE, "profile")) await document.unsetFlag(MODULE, "profile");
  await document.setFlag(MODULE, "profile", profile);
}
