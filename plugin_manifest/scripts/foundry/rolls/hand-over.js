/**
 * Hands cover, advantage and disadvantage to the one roll that is being made, if the GM has chosen so. Nothing stays on
 * an actor: the attack's own copy of its target changes in dnd5e, the prepared number while midi-qol reads it, and in pf2e
 * an effect that only the roll feels. Where another module answers already, this one is silent.
 */

import { onHook } from "../boundary.js";
import { handsOver } from "../settings.js";
import { coverOf, edgeOf } from "./answers.js";
import { offerCover } from "./pf2e-cover.js";

/** @import {KnownVerdicts} from "../../core/game/known-verdicts.js" */

/** Modules that give cover to attacks themselves, and those that give advantage. */
const COVER_MODULES = [
  ...["simplecover5e", "tokencover", "simbuls-cover-calculator", "levelsautocover"],
  ...["pf2e-visioner", "pf2e-perception"],
];
const EDGE_MODULES = ["automated-conditions-5e", "midi-qol"];
/** The hooks after which an effect of pf2e may be missing: an actor that is prepared anew has lost it. */
const PREPARED = ["controlToken", "targetToken", "updateActor", "updateToken", "updateCombat"].concat(
  ["create", "update", "delete"].map((action) => `${action}Item`),
);

/** @param {string} id */
const isActive = (id) => game.modules.get(id)?.active ?? false;
const givesCover = () => handsOver() && !COVER_MODULES.some(isActive);

/**
 * Registers the hooks for as long as the page is open.
 * @param {() => KnownVerdicts | null} verdicts
 */
export function registerHandOver(verdicts) {
  const known = (/** @type {Foundry.Token} */ attacker, /** @type {Foundry.Token} */ target) => {
    const found = verdicts()?.of(attacker.document.id, target.document.id) ?? null;
    return found?.isCurrent ? found : null; // a roll is not made on what was true before
  };
  // In 4 the first has the new shape and the second the old one; from 5 on both are the same.
  for (const hook of ["dnd5e.preRollAttackV2", "dnd5e.preRollAttack"])
    onHook(hook, (config, _dialog, message) => handToAttack(config, message, known));
  onHook("midi-qol.preCheckHits", (workflow) => raiseArmor(workflow, known));
  for (const hook of ["midi-qol.hitsChecked", "midi-qol.RollComplete"]) onHook(hook, restoreArmor);
  for (const hook of PREPARED)
    onHook(hook, () => {
      if (game.system.id !== "pf2e" && game.system.id !== "sf2e") return;
      for (const attacker of canvas.tokens?.controlled ?? [])
        offerCover(attacker, async (target) => {
          const now = () => verdicts()?.current(attacker.document.id, target.document.id) ?? null;
          return givesCover() ? coverOf(await now()) : null;
        });
    });
}

/** @typedef {(attacker: Foundry.Token, target: Foundry.Token) => ReturnType<KnownVerdicts["of"]>} Reader */

/** Attacks that have been given what they get. @type {WeakSet<object>} */
const given = new WeakSet();

/**
 * @param {any} config the configuration of dnd5e's roll, whose subject is the activity
 * @param {any} message the configuration of its message, with the copies of the targets
 * @param {Reader} known
 */
function handToAttack(config, message, known) {
  const actor = config?.subject?.actor;
  if (!handsOver() || !actor || !message || given.has(config)) return;
  given.add(config);
  const attacker = tokenOf(actor);
  if (!attacker) return;
  const targets = [...game.user.targets];
  if (givesCover() && !isActive("midi-qol"))
    for (const target of targets)
      changeCopy({ config, message }, target, armorChange(target, coverOf(known(attacker, target))));
  if (EDGE_MODULES.some(isActive) || targets.length !== 1) return;
  const edge = edgeOf(known(attacker, targets[0]), config.subject.item?.name);
  if (edge?.advantages.length) config.advantage = true;
  if (edge?.disadvantages.length) config.disadvantage = true;
}

/** @param {Foundry.Actor} actor @returns {Foundry.Token | undefined} the token that the user acts with, of several */
function tokenOf(actor) {
  const own = canvas.tokens?.placeables.filter((token) => token.actor?.uuid === actor.uuid) ?? [];
  return own.find(({ controlled }) => controlled) ?? own[0];
}

/**
 * Returns what cover adds beyond what the system has added already, by a status or an effect.
 * @param {Foundry.Token} target
 * @param {import("./answers.js").CoverAnswer | null} cover
 * @returns {number | null} null behind total cover
 */
function armorChange(target, cover) {
  if (cover && cover.bonus === null) return null;
  return Math.max(0, (cover?.bonus ?? 0) - (Number(target.actor?.system.attributes?.ac?.cover) || 0));
}

/**
 * Changes the armor class in the attack's own copy of a target.
 * @param {{config: any, message: any}} roll
 * @param {Foundry.Token} target
 * @param {number | null} change
 */
function changeCopy({ config, message }, target, change) {
  if (change === 0) return;
  const raised = (/** @type {unknown} */ armor) =>
    change === null || typeof armor !== "number" ? null : armor + change;
  // The message's own data from 6 on, flags before.
  const copies = message.data?.system?.targets ?? message.data?.flags?.dnd5e?.targets ?? [];
  for (const copy of copies)
    if (copy.token ? copy.token === target.document.uuid : (copy.uuid ?? copy.actor) === target.actor?.uuid)
      copy.ac = raised(copy.ac);
  // The roll itself has a target only if there is one.
  if (copies.length !== 1) return;
  if (typeof config.target === "number") config.target = raised(config.target);
  for (const { options } of config.rolls ?? [])
    if (typeof options?.target === "number") options.target = raised(options.target);
}

/** Prepared armor classes that are raised while midi-qol reads them. @type {{armor: {value: number}, was: number, now: number}[]} */
let raisedArmor = [];

/** @param {any} workflow of midi-qol @param {Reader} known */
function raiseArmor({ token, targets }, known) {
  restoreArmor();
  if (!givesCover() || !token) return;
  for (const target of targets ?? []) {
    const armor = target.actor?.system.attributes?.ac;
    const change = armorChange(target, coverOf(known(token, target)));
    if (!armor || !change) continue; // no number says total cover
    raisedArmor.push({ armor, was: armor.value, now: armor.value + change });
    armor.value += change;
  }
}

function restoreArmor() {
  for (const { armor, was, now } of raisedArmor) if (armor.value === now) armor.value = was;
  raisedArmor = [];
}
