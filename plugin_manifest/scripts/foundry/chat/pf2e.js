/**
 * Rolls as pf2e and sf2e tell of them in chat: strikes, damage, saves, and damage taken.
 *
 * @source C foundryvtt/pf2e:src/module/chat-message/data.ts, src/module/system/settings/metagame.ts,
 *   7H3LaughingMan/foundry-pf2e types chat-message/data.d.ts
 */

import { isOfPlayers, itemName, line, named, speakerOf, systemSetting, tokenAt, whole } from "./messages.js";

/** @import {Told, ToldTarget, Veils} from "./messages.js" */

/** @type {Record<string, ToldTarget["result"]>} */
const STRIKES = { criticalSuccess: "critical", success: "hit", failure: "miss", criticalFailure: "fumble" };
/** @type {Record<string, ToldTarget["result"]>} */
const SAVES = { criticalSuccess: "saved", success: "saved", failure: "failed", criticalFailure: "failed" };
/** The token's names that players see: while they hover over it, and always: CONST.TOKEN_DISPLAY_MODES. */
const SHOWN_NAMES = [30, 50];

/**
 * Reads a chat message; null if it tells of nothing that the log has.
 * @param {Foundry.ChatMessageDocument} message
 * @returns {Told | null}
 */
export function readPf2e(message) {
  const flags = message.flags[game.system.id] ?? {};
  const { context, origin, appliedDamage } = flags;
  if (context?.type === "damage-taken") return readTaken(message, context, appliedDamage);
  const [roll] = message.rolls;
  const token = speakerOf(message);
  const actor = token?.actor ?? game.actors.get(message.speaker.actor ?? "");
  const told = { ...named(token, message.speaker.alias), item: itemName(actor, origin?.uuid) };
  const target = tokenAt(context?.target?.token ?? context?.target?.actor);
  const veils = namesHidden(token, target);
  if (!roll) return null;
  if (context?.type === "attack-roll") {
    const result = STRIKES[context.outcome] ?? "";
    const defense = context.dc?.slug === "ac" ? whole(context.dc.value) : null;
    const targets = target ? [{ ...named(target), defense, result }] : [];
    return {
      ...{ kind: "attack", ...told, total: whole(roll.total), targets },
      hides: [...veils, ...resultsHidden()],
    };
  }
  if (context?.type === "saving-throw") {
    const targets = [{ ...named(token), defense: null, result: SAVES[context.outcome] ?? "" }];
    return {
      kind: "save",
      ...told,
      total: whole(roll.total),
      targets,
      hides: [...veils, ...resultsHidden()],
    };
  }
  if (context?.type !== "damage-roll") return null;
  const parts = roll.instances ?? [{ total: roll.total, type: "" }];
  return {
    ...{ kind: "damage", ...told, targets: target ? [named(target)] : [], hides: veils },
    parts: parts.map(({ total, type }) => ({
      amount: whole(total) ?? 0,
      type: line(type),
    })),
  };
}

/**
 * Reads the message of applied damage: the surest word of what a creature lost. Taken back it says so itself.
 * @param {Foundry.ChatMessageDocument} message
 * @param {any} context
 * @param {any} applied null if nothing got through
 * @returns {Told | null}
 */
function readTaken(message, context, applied) {
  const target = tokenAt(applied?.uuid) ?? speakerOf(message);
  if (!target) return null;
  const lost = (applied?.updates ?? [])
    .filter((/** @type {any} */ { path }) => String(path).includes("attributes.hp"))
    .reduce((/** @type {number} */ sum, /** @type {any} */ { value }) => sum + (whole(value) ?? 0), 0);
  const amount = applied?.isHealing ? -Math.abs(lost) : lost;
  const by = tokenAt(context.origin?.token ?? context.origin?.actor);
  const kind = applied?.isReverted ? "withdrawn" : applied?.isHealing ? "healing" : "damage";
  const isSecret = systemSetting("metagame_secretDamage", false) && !isOfPlayers(target.actor);
  return {
    ...{ kind, ...named(by), targets: [{ ...named(target), amount }] },
    hides: [...namesHidden(by, target), ...(isSecret ? /** @type {const} */ (["amount"]) : [])],
  };
}

/** @returns {Veils} what the system's settings hide of results */
function resultsHidden() {
  return [
    ...(systemSetting("metagame_showDC", false) ? [] : /** @type {const} */ (["defense"])),
    ...(systemSetting("metagame_showResults", true) ? [] : /** @type {const} */ (["result"])),
  ];
}

/**
 * Returns whose names players may not know, where names follow the tokens.
 * @param {Foundry.TokenDocument | null} actor
 * @param {Foundry.TokenDocument | null} target
 * @returns {Veils}
 */
function namesHidden(actor, target) {
  if (!systemSetting("metagame_tokenSetsNameVisibility", false)) return [];
  const isVeiled = (/** @type {Foundry.TokenDocument | null} */ token) =>
    token !== null && !isOfPlayers(token.actor) && !SHOWN_NAMES.includes(token.toObject().displayName);
  return [
    ...(isVeiled(actor) ? /** @type {const} */ (["actor"]) : []),
    ...(isVeiled(target) ? /** @type {const} */ (["names"]) : []),
  ];
}
