// The rolls of systems and of midi-qol, as far as a module meets them: their hooks, the copies that they keep, and their
// messages. Written from their public code; the version is that of a generation's time.

import { SOURCE } from "./documents.js";
import { isStrict } from "./strict.js";

const uuidsOf = ({ document: doc, actor }) => ({ token: doc.uuid, actor: actor.uuid });

/** Returns the rolls that a test makes on a page. */
export function systemRolls(documents, { generation, hooks, me }) {
  const say = async (row) => {
    const rows = [{ author: me.id, content: "", flags: {}, whisper: [], ...row }];
    const [made] = await documents.change({ action: "create", type: "ChatMessage", rows, options: {} });
    return made._id;
  };
  const speakerOf = ({ document: doc }) => ({ scene: doc.parent.id, token: doc.id, actor: doc.actorId });
  const roll = (total, more) => JSON.stringify({ formula: "1d20", total, terms: [], ...more });

  /** A target in the message's data in 6, in its flags before: C dnd5e:module/utils.mjs, module/data/chat-message/fields/targets-field.mjs. */
  const copyOf = (target) => {
    const { token, actor } = uuidsOf(target);
    const { value: ac } = target.actor.system.attributes.ac;
    const { name } = target;
    return generation >= 14 ? { token, actor, name, ac } : { uuid: actor, name, ac };
  };

  /** The place in a message where a version keeps a roll's facts. */
  const dnd5eData = (kind, item, targets) =>
    generation >= 14
      ? { type: kind, system: { item: item.id, targets } }
      : { flags: { dnd5e: { messageType: "roll", roll: { type: kind }, item: { id: item.id }, targets } } };

  /**
   * Attacks the user's targets: C dnd5e:module/documents/activity/attack.mjs rollAttack. The targets and their armor class
   * are copied before the hooks, which are not awaited; 4 calls the bare name in an older shape.
   */
  async function dnd5eAttack({ token, item, d20, bonus, more = {} }) {
    const attacker = canvas.tokens.get(token);
    const copies = () => [...me.targets].map(copyOf);
    const early = isStrict("attack-copy") ? copies() : null;
    const subject = { actor: attacker.actor, item, uuid: `${attacker.actor.uuid}.Item.${item.id}` };
    const config = { subject, rolls: [{ parts: [], options: {} }], advantage: false, disadvantage: false };
    const message = { data: { speaker: speakerOf(attacker), ...dnd5eData("attack", item, early ?? []) } };
    if (early?.length === 1) config.target = config.rolls[0].options.target = early[0].ac;
    hooks.callAll("dnd5e.preRollAttackV2", config, {}, message);
    if (generation < 13) hooks.callAll("dnd5e.preRollAttack", item, {});
    else hooks.callAll("dnd5e.preRollAttack", config, {}, message);
    if (!early) Object.assign(message.data, dnd5eData("attack", item, copies()));
    const options = { advantageMode: Number(config.advantage) - Number(config.disadvantage) };
    const rolls = [roll(d20 + bonus, { d20, options: { ...options, target: config.target } })];
    const id = await say({ ...message.data, rolls, ...more });
    return { id, config, copies: message.data.system?.targets ?? message.data.flags.dnd5e.targets };
  }

  /** Rolls damage: one roll for each part. */
  const dnd5eDamage = ({ token, item, parts, more = {} }) =>
    say({
      speaker: speakerOf(canvas.tokens.get(token)),
      ...dnd5eData("damage", item, [...me.targets].map(copyOf)),
      rolls: parts.map(([total, type]) => roll(total, { options: { type } })),
      ...more,
    });

  /** Attacks with midi-qol: armor classes are read after preCheckHits, which is awaited: C tposney/midi-qol:src/module/workflow.ts. */
  async function midiAttack({ token, item, d20, bonus, damage = 0 }) {
    const workflow = {
      token: canvas.tokens.get(token),
      item,
      targets: new Set(me.targets),
      hitTargets: new Set(),
    };
    Object.assign(workflow, {
      attackRoll: {},
      attackTotal: d20 + bonus,
      isCritical: d20 === 20,
      isFumble: d20 === 1,
    });
    Object.assign(workflow, {
      saves: new Set(),
      failedSaves: new Set(),
      itemCardId: documents.constructor.name + d20,
    });
    await hooks.callAll("midi-qol.preCheckHits", workflow);
    const armor = [];
    for (const target of workflow.targets) {
      const { value } = target.actor.system.attributes.ac;
      armor.push(value);
      if (workflow.attackTotal >= value) workflow.hitTargets.add(target);
    }
    await hooks.callAll("midi-qol.hitsChecked", workflow);
    if (damage) workflow.damageTotal = damage;
    await hooks.callAll("midi-qol.RollComplete", workflow);
    return { armor, left: [...workflow.targets].map(({ actor }) => actor.system.attributes.ac.value) };
  }

  /**
   * Strikes the user's one target in pf2e: what the attacker's rules give to the roll is put on a copy of the target: C
   * foundryvtt/pf2e:src/module/rules/helpers.ts extractEphemeralEffects.
   */
  async function pf2eStrike({ token, item, d20, bonus, isReroll = false, more = {} }) {
    const attacker = canvas.tokens.get(token);
    const [target] = me.targets;
    const deferred = attacker.actor.synthetics.ephemeralEffects["attack-roll"]?.target ?? [];
    const effects = (await Promise.all(deferred.map((one) => one({ test: [], resolvables: {} })))).filter(
      Boolean,
    );
    const raises = effects.flatMap(({ system }) => system.rules).filter(({ selector }) => selector === "ac");
    const dc = target.actor.system.attributes.ac.value + Math.max(0, ...raises.map(({ value }) => value));
    const total = d20 + bonus;
    const degree =
      (total >= dc + 10 ? 3 : total >= dc ? 2 : total > dc - 10 ? 1 : 0) + (d20 === 20) - (d20 === 1);
    const outcome = ["criticalFailure", "failure", "success", "criticalSuccess"][
      Math.max(0, Math.min(3, degree))
    ];
    const context = {
      type: "attack-roll",
      outcome,
      dc: { slug: "ac", value: dc },
      target: uuidsOf(target),
      isReroll,
    };
    const origin = { uuid: `${attacker.actor.uuid}.Item.${item.id}` };
    const flags = { pf2e: { context, origin } };
    const id = await say({ speaker: speakerOf(attacker), rolls: [roll(total)], flags, ...more });
    return { id, dc, effects: effects.length, items: target.document[SOURCE].delta };
  }

  /** Rolls again: the old message goes, a new one comes: C foundryvtt/pf2e:src/module/system/check/check.ts. */
  async function pf2eReroll(id, strike) {
    await documents.change({ action: "delete", type: "ChatMessage", rows: [id], options: {} });
    return pf2eStrike({ ...strike, isReroll: true });
  }

  /** Tells of applied damage, or that it was taken back: C foundryvtt/pf2e:src/module/chat-message/data.ts. */
  const pf2eTaken = ({ token, amount }) => {
    const target = canvas.tokens.get(token);
    const updates = [{ path: "system.attributes.hp.value", value: amount }];
    const appliedDamage = { uuid: target.actor.uuid, isHealing: false, isReverted: false, updates };
    return say({
      speaker: speakerOf(target),
      flags: { pf2e: { context: { type: "damage-taken" }, appliedDamage } },
    });
  };

  return { say, dnd5eAttack, dnd5eDamage, midiAttack, pf2eStrike, pf2eReroll, pf2eTaken };
}
