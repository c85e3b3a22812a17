/**
 * Cover for one attack roll of pf2e: an effect that the attacker's rules give to a copy of the target, as the system's
 * own rule element EphemeralEffect does. No document is written, and the next preparation of the actor forgets it.
 *
 * @source C foundryvtt/pf2e:src/module/rules/rule-element/ephemeral-effect.ts, src/module/rules/helpers.ts extractEphemeralEffects
 */

import { localize } from "../../core/ui/i18n.js";

/** @import {CoverAnswer} from "./answers.js" */

const ROLL = "attack-roll";
/** Our own effects among those of an actor. @type {WeakSet<object>} */
const ours = new WeakSet();

/**
 * Has the next attack rolls of a token's actor meet the cover of its one target.
 * @param {Foundry.Token} attacker
 * @param {(target: Foundry.Token) => Promise<CoverAnswer | null>} coverOf the system waits for it
 */
export function offerCover(attacker, coverOf) {
  const effects = attacker.actor?.synthetics?.ephemeralEffects;
  if (!effects) return;
  const { target: offered } = (effects[ROLL] ??= { target: [], origin: [] });
  if (offered.some((one) => ours.has(one))) return;
  const effect = async () => {
    const targets = [...game.user.targets];
    const cover = targets.length === 1 ? await coverOf(targets[0]) : null;
    return cover?.bonus ? effectOf(cover.bonus) : null;
  };
  ours.add(effect);
  offered.push(effect);
}

/** @param {number} bonus a circumstance bonus: the greatest counts, so that an effect of the system is not counted twice */
const effectOf = (bonus) => ({
  type: "effect",
  name: localize("HandOver.Cover"),
  img: "icons/svg/cowled.svg",
  system: {
    slug: "enfilade-cover",
    rules: [{ key: "FlatModifier", selector: "ac", type: "circumstance", value: bonus }],
  },
});
