/**
 * Rolls as dnd5e and midi-qol tell of them: an attack, damage, healing or a save, in the places of 4 to 6.
 *
 * @source C foundryvtt/dnd5e:module/documents/activity/mixin.mjs, module/utils.mjs getTargetDescriptors, module/settings.mjs at
 *   release-4.0.4 to 5.3.3; module/data/chat-message/fields/targets-field.mjs, attack-message-data.mjs of 6
 */

import { isOfPlayers, itemName, line, named, speakerOf, systemSetting, tokenAt, whole } from "./messages.js";

/** @import {Told, ToldTarget, Veils} from "./messages.js" */

const KINDS = new Set(["attack", "damage", "healing", "save"]);

/**
 * Reads a chat message; null if it tells of no such roll.
 * @param {Foundry.ChatMessageDocument} message
 * @returns {Told | null}
 */
export function readDnd5e(message) {
  const flags = message.flags.dnd5e ?? {};
  const kind = [message.type, flags.roll?.type].find((one) => KINDS.has(one));
  const [roll] = message.rolls;
  if (!kind || !roll) return null;
  const data = message.system ?? {};
  const token = speakerOf(message);
  const item = flags.item?.id ?? data.item?.id ?? data.item?.uuid ?? data.item ?? flags.item?.uuid;
  const told = {
    kind,
    ...named(token, message.speaker.alias),
    item: itemName(token?.actor ?? game.actors.get(message.speaker.actor ?? ""), item),
  };
  const copies = data.targets ?? flags.targets ?? [];
  if (kind === "damage" || kind === "healing")
    return {
      ...told,
      parts: message.rolls.map(({ total, options }) => ({
        amount: whole(total) ?? 0,
        type: line(options?.type),
      })),
      targets: copies.map(targetOf),
    };
  const { total, options } = roll;
  const rolled = { ...told, total: whole(total), edge: Math.sign(Number(options?.advantageMode) || 0) };
  if (kind === "save") return { ...rolled, item: line(flags.roll?.ability ?? data.ability) || told.item };
  return {
    ...rolled,
    targets: copies.map((/** @type {any} */ copy) => attacked(copy, roll)),
    hides: attackVeils(),
  };
}

/** @param {any} copy of a target in a message @returns {ToldTarget} */
const targetOf = (copy) => named(tokenAt(copy.token ?? copy.uuid ?? copy.actor), copy.name);

/** @param {any} copy @param {Foundry.Roll} roll @returns {ToldTarget} */
function attacked(copy, { total, isCritical, isFumble }) {
  const defense = whole(copy.ac);
  // Without an armor class, as behind total cover, versions differ in what they draw.
  const plain = defense === null || isFumble ? "" : total >= defense ? "hit" : "miss";
  const result = isCritical ? "critical" : isFumble ? "fumble" : plain;
  return { ...targetOf(copy), defense, result };
}

/** Returns what the system's setting hides of attacks: by default players see neither hit nor armor class. @returns {Veils} */
function attackVeils() {
  const shown = systemSetting("attackRollVisibility", "none");
  if (shown === "all") return [];
  return shown === "hideAC" ? ["defense"] : ["defense", "result"];
}

/**
 * Reads the hit points that an actor has lost or got back: each target of an area by itself.
 * @param {Foundry.Actor} actor
 * @param {{total?: number}} changes of its hit points
 * @returns {Told | null}
 */
export function readHitPoints(actor, { total }) {
  const amount = whole(total);
  const token = tokenAt(actor.uuid);
  if (!amount || !token) return null;
  return {
    kind: amount < 0 ? "damage" : "healing",
    targets: [{ ...named(token), amount: -amount }],
    hides: isOfPlayers(actor) ? [] : ["all"], // the numbers of other creatures are the GM's
  };
}

/**
 * Reads a finished workflow of midi-qol.
 * @param {any} workflow
 * @returns {Told | null}
 */
export function readMidi({ token, item, targets, hitTargets, saves, failedSaves, aborted, ...rolled }) {
  if (aborted || !token || !(rolled.attackRoll || rolled.damageTotal)) return null;
  const isAttack = Boolean(rolled.attackRoll);
  const missed = rolled.isFumble ? "fumble" : "miss";
  const resultOf = (/** @type {unknown} */ target) => {
    if (failedSaves?.has(target)) return "failed";
    if (saves?.has(target)) return "saved";
    // Without an attack all targets count as hit there.
    if (!isAttack) return "";
    return hitTargets?.has(target) ? (rolled.isCritical ? "critical" : "hit") : missed;
  };
  return {
    kind: isAttack ? "attack" : "damage",
    ...named(token.document),
    item: line(item?.name),
    total: isAttack ? whole(rolled.attackTotal) : null,
    edge: Number(Boolean(rolled.advantage)) - Number(Boolean(rolled.disadvantage)),
    parts: rolled.damageTotal ? [{ amount: whole(rolled.damageTotal) ?? 0, type: "" }] : [],
    targets: [...(targets ?? [])].map((target) => ({ ...named(target.document), result: resultOf(target) })),
    hides: attackVeils(),
  };
}
