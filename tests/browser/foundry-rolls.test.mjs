// Rolls of the world's system: the cover that an attack meets, with nothing left behind, and their lines in the table's log.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { dnd5eNpc, pf2eNpc } from "./foundry/actors.mjs";
import { FoundryUser, PAT, SMALL, openGm, sceneSource, tokenSource, wall } from "./foundry/user.mjs";
import { until } from "./harness.mjs";

const [ARCHER, GOBLIN, RAT] = ["tokentokenArcher", "tokentokenGob001", "tokentokenRat001"];
const [ARCHER_ACTOR, GOBLIN_ACTOR, RAT_ACTOR] = ["actoractorArch01", "actoractorGob001", "actoractorRat001"];
const BOW = { id: "itemitemBow00001", name: "Longbow" };
const at = ([column, row]) => ({ x: 400 + 100 * column, y: 300 + 100 * row });
/** The corner of a wall between the archer and the goblin: three of four lines are in its way. */
const CORNER = wall("wallwallwall0007", [600, 600, 600, 1300]);
const GENERATIONS = (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number);
const COVERED = [3, 4];

function scene(generation) {
  const creature = (id, name, actor, place, side) =>
    tokenSource(generation, id, name, actor, at(place), side, { flags: {}, actorLink: false });
  const one = {
    ...sceneSource(generation),
    walls: [generation >= 14 ? { ...CORNER, levels: ["defaultLevel0000"] } : CORNER],
  };
  return {
    ...one,
    tokens: [
      creature(ARCHER, "Archer", ARCHER_ACTOR, [0, 2], 1),
      creature(GOBLIN, "Goblin", GOBLIN_ACTOR, COVERED, -1),
      creature(RAT, "Rat", RAT_ACTOR, [0, 4], -1),
    ],
  };
}

const items = [
  {
    _id: BOW.id,
    name: BOW.name,
    type: "weapon",
    system: { type: { value: "martialR" }, range: { value: 150, long: 600 } },
  },
];

function actorsOf(system, generation) {
  const scores = { str: 8, dex: 14, con: 10 };
  const more = (id) => (id === ARCHER_ACTOR ? { items: structuredClone(items) } : {});
  const one = (id, name) =>
    system === "dnd5e"
      ? dnd5eNpc(generation, { id, name, scores, hp: 20, walk: 30, ...more(id) })
      : pf2eNpc(generation, { id, name, mods: { dex: 2 }, hp: 20, land: 25, level: 1, ...more(id) });
  return [one(ARCHER_ACTOR, "Archer"), one(GOBLIN_ACTOR, "Goblin"), one(RAT_ACTOR, "Rat")];
}

/** Opens a world of a system with a table of Any system, the archer selected and the goblin targeted. */
async function open(generation, system, more = {}) {
  const actors = actorsOf(system, generation);
  actors[0].ownership[PAT] = 3;
  const opened = await openGm(generation, {
    ...{ ruleset: "any_system", system, actors, scenes: [scene(generation)], viewport: SMALL },
    ...{ settings: { "enfilade.handOver": true, ...more.settings }, modules: more.modules },
  });
  const { server, gm } = opened;
  await until(async () => (await server.token(GOBLIN))?.at, "the table has the scene");
  await server.command("rules.set", {
    house_rules: { "any_system.system": system },
    enforcement: "advise",
  });
  await target(gm, [GOBLIN]);
  return opened;
}

async function target(user, ids) {
  await user.do(
    ([archer, targets]) => {
      canvas.tokens.get(archer).control();
      for (const one of canvas.tokens.placeables)
        one.setTarget(targets.includes(one.id), { releaseOthers: false });
    },
    [ARCHER, ids],
  );
  for (const id of ids)
    await until(
      () =>
        user.do(([a, b]) => game.modules.get("enfilade").api.cover(a, b)?.isCurrent === true, [ARCHER, id]),
      "the cover is known",
    );
}

async function close({ browser, world, server }) {
  await browser?.close();
  await server?.stop();
  await world?.stop();
}

const reports = async (server) => (await server.log()).filter(({ kind }) => kind === "report");
/** Returns an entry's text as players read it; "" for one that is the GM's. */
const publicText = ({ secret, plain, text }) => (secret ? (plain?.text ?? "") : text);
const said = async (server) => (await reports(server)).map(({ text }) => text);

for (const generation of GENERATIONS) {
  describe(`rolls of dnd5e in Foundry ${generation}`, () => {
    let all;
    before(async () => (all = await open(generation, "dnd5e")));
    after(() => close(all));

    const attack = (d20, more = {}) =>
      all.gm.do((one) => window.host.rolls.dnd5eAttack(one), {
        token: ARCHER,
        item: BOW,
        d20,
        bonus: 5,
        more,
      });

    test("the API tells cover at once, in the shape of simplecover5e, and knows no advantage in Any system", async () => {
      const { gm } = all;
      const ask = (a, b) =>
        gm.do(([one, other]) => game.modules.get("enfilade").api.cover(one, other), [a, b]);
      assert.deepEqual(await ask(ARCHER, GOBLIN), { cover: "threeQuarters", bonus: 5, isCurrent: true });
      assert.equal(await ask(ARCHER, RAT), null, "nothing is known before it was read");
      await until(async () => (await ask(ARCHER, RAT))?.cover === "none", "it was read after it was asked");
      const by = await gm.do(
        ([a, b]) => {
          const { api } = game.modules.get("enfilade");
          const [one, other] = [canvas.tokens.get(a), canvas.tokens.get(b)];
          return [
            api.cover(one, other.document).cover,
            api.advantage(one, other, "Longbow"),
            api.cover(one, one),
          ];
        },
        [ARCHER, GOBLIN],
      );
      assert.deepEqual(by, ["threeQuarters", null, null]);
    });

    test("attack-copy: an attack meets the cover in its own copy, once, and nothing stays on the target", async () => {
      const { gm } = all;
      const first = await attack(12);
      assert.equal(first.copies[0].ac, 17, "12 and 5 for three-quarters cover");
      assert.equal(first.config.target, 17);
      const armor = () => gm.do((id) => canvas.tokens.get(id).actor.system.attributes.ac.value, GOBLIN);
      const status = async (id, active) => {
        await gm.do(
          ([token, one, isOn]) => canvas.tokens.get(token).actor.toggleStatusEffect(one, { active: isOn }),
          [GOBLIN, id, active],
        );
        const has = async () => (await all.server.token(GOBLIN)).profile.conditions?.includes(id) ?? false;
        await until(async () => (await has()) === active, "the table knows");
        await gm.settles();
      };
      await status("coverHalf", true);
      await target(gm, [GOBLIN]);
      assert.equal(await armor(), 14, "the system adds its status itself");
      assert.equal((await all.server.token(GOBLIN)).profile.armor_class, 12, "the profile is without cover");
      assert.equal((await attack(12)).copies[0].ac, 17, "14 and what is left of 5");
      await status("coverThreeQuarters", true);
      await target(gm, [GOBLIN]);
      assert.equal((await attack(12)).copies[0].ac, 17, "nothing more");
      await status("coverHalf", false);
      await status("coverThreeQuarters", false);
      await target(gm, [GOBLIN]);
      assert.equal((await attack(12)).copies[0].ac, 17);
      assert.equal(await armor(), 12);
      await gm.do(() => game.settings.set("enfilade", "handOver", false));
      assert.equal((await attack(12)).copies[0].ac, 12, "the GM chooses");
      await gm.do(() => game.settings.set("enfilade", "handOver", true));
    });

    test("roll-messages: an attack in chat is a line of the log, of which players read what the system shows", async () => {
      const { gm, server } = all;
      const before = (await said(server)).length;
      await target(gm, [GOBLIN, RAT]);
      await attack(10);
      await until(async () => (await said(server)).length === before + 1, "it is in the log");
      const line = "Archer attacks with Longbow: 15. Goblin (defense 17): miss. Rat (defense 12): hit.";
      assert.equal((await said(server)).at(-1), line);
      const players = async () => publicText((await reports(server)).at(-1));
      assert.equal(await players(), "Archer attacks with Longbow: 15. Against Goblin. Against Rat.");
      await gm.do(() => game.settings.set("dnd5e", "attackRollVisibility", "hideAC"));
      await attack(20);
      await until(async () => (await said(server)).length === before + 2, "the next one is");
      assert.equal(
        await players(),
        "Archer attacks with Longbow: 25. Goblin: critical hit. Rat: critical hit.",
      );
      await gm.do(() => game.settings.set("dnd5e", "attackRollVisibility", "none"));
      await target(gm, [GOBLIN]);
    });

    test("roll-messages: a whisper and a blind roll are the GM's alone", async () => {
      const { gm, server } = all;
      const before = (await said(server)).length;
      await attack(11, { whisper: [await gm.do(() => game.user.id)] });
      await attack(11, { blind: true });
      await until(async () => (await said(server)).length === before + 2, "both are in the GM's log");
      await attack(11, { whisper: [PAT], author: PAT });
      const seen = (await reports(server)).slice(before).map(publicText);
      assert.deepEqual(seen, ["", ""]);
      await gm.settles();
      assert.equal((await said(server)).length, before + 2, "what is for others is nobody's");
    });

    test("roll-messages: damage is told with its types, and what each target of it lost", async () => {
      const { gm, server } = all;
      const before = (await said(server)).length;
      await gm.do((one) => window.host.rolls.dnd5eDamage(one), {
        ...{ token: ARCHER, item: BOW },
        parts: [
          [7, "piercing"],
          [3, "fire"],
        ],
      });
      for (const [id, left] of [
        [GOBLIN, 10],
        [RAT, 15],
      ])
        await gm.do(
          ([token, value]) => canvas.tokens.get(token).actor.update({ "system.attributes.hp.value": value }),
          [id, left],
        );
      await until(async () => (await said(server)).length === before + 3, "all three are in the log");
      assert.deepEqual((await said(server)).slice(before), [
        "Archer deals damage with Longbow: 7 piercing, 3 fire. Against Goblin.",
        "Damage. Goblin takes 10 damage.",
        "Damage. Rat takes 5 damage.",
      ]);
      const seen = (await reports(server)).slice(before).map(publicText);
      assert.deepEqual(seen.slice(1), ["", ""], "the points of the GM's creatures are the GM's");
    });

    test("a player's page hands over too, and one page alone writes the log", async () => {
      const { browser, world, server } = all;
      const pat = await FoundryUser.open(browser, world, PAT, { viewport: SMALL });
      await until(
        () => pat.do(() => Boolean(window.enfilade?.seatUi?.context.store.state.replica)),
        "Pat is at the table",
      );
      await target(pat, [GOBLIN]);
      const before = (await said(server)).length;
      const { copies } = await pat.do((one) => window.host.rolls.dnd5eAttack(one), {
        token: ARCHER,
        item: BOW,
        d20: 3,
        bonus: 5,
      });
      assert.equal(copies[0].ac, 17);
      await until(async () => (await said(server)).length === before + 1, "it is in the log");
      await all.gm.settles();
      assert.equal((await said(server)).length, before + 1);
      assert.deepEqual(pat.errors, []);
      await pat.context.close();
    });

    test("the page logs no errors", () => assert.deepEqual(all.gm.errors, []));
  });

  describe(`rolls of midi-qol in Foundry ${generation}`, () => {
    let all;
    before(async () => (all = await open(generation, "dnd5e", { modules: ["midi-qol"] })));
    after(() => close(all));

    test("attack-copy: the armor class is raised while midi-qol reads it, and the workflow is one line", async () => {
      const { gm, server } = all;
      const done = await gm.do((one) => window.host.rolls.midiAttack(one), {
        token: ARCHER,
        item: BOW,
        d20: 11,
        bonus: 5,
        damage: 6,
      });
      assert.deepEqual(done, { armor: [17], left: [12] });
      await until(async () => (await said(server)).length === 1, "it is in the log");
      assert.deepEqual(await said(server), ["Archer attacks with Longbow: 6. Goblin: miss."]);
      assert.deepEqual(gm.errors, []);
    });
  });

  describe(`rolls beside another module of cover in Foundry ${generation}`, () => {
    let all;
    before(async () => (all = await open(generation, "dnd5e", { modules: ["simplecover5e"] })));
    after(() => close(all));

    test("where another module gives cover this one is silent", async () => {
      const { copies } = await all.gm.do((one) => window.host.rolls.dnd5eAttack(one), {
        token: ARCHER,
        item: BOW,
        d20: 12,
        bonus: 5,
      });
      assert.equal(copies[0].ac, 12);
    });
  });

  describe(`rolls of pf2e in Foundry ${generation}`, () => {
    let all;
    before(async () => (all = await open(generation, "pf2e")));
    after(() => close(all));

    const strike = (d20, more = {}) =>
      all.gm.do((one) => window.host.rolls.pf2eStrike(one), {
        token: ARCHER,
        item: BOW,
        d20,
        bonus: 5,
        ...more,
      });

    test("attack-copy: a strike meets the cover by an effect that only the roll feels", async () => {
      const { gm } = all;
      const first = await strike(12);
      assert.deepEqual([first.dc, first.effects], [20, 1], "16 and 4 for greater cover");
      await gm.do((id) => canvas.tokens.get(id).actor.update({ "system.attributes.hp.value": 19 }), ARCHER);
      await until(async () => (await all.server.token(ARCHER)).tracks.hp === 19, "the table has its points");
      await target(gm, [GOBLIN]);
      assert.equal((await strike(12)).dc, 20, "an actor that is prepared anew gets it again");
      assert.equal(await gm.do((id) => canvas.tokens.get(id).actor.items.size, GOBLIN), 0);
      await gm.do(() => game.settings.set("enfilade", "handOver", false));
      assert.equal((await strike(12)).dc, 16);
      await gm.do(() => game.settings.set("enfilade", "handOver", true));
      assert.equal((await strike(12)).dc, 20, "a message changes nothing that counts");
    });

    test("roll-messages: a reroll corrects its line, a deleted message takes it back, undone damage too", async () => {
      const { gm, server } = all;
      const start = (await said(server)).length;
      const { id } = await strike(12);
      await until(async () => (await said(server)).length === start + 1, "the strike is in the log");
      assert.equal(
        (await said(server)).at(-1),
        "Archer attacks with Longbow: 17. Goblin (defense 20): miss.",
      );
      const again = await gm.do(
        ([old, one]) => window.host.rolls.pf2eReroll(old, one),
        [id, { token: ARCHER, item: BOW, d20: 18, bonus: 5 }],
      );
      await until(async () => (await said(server)).length === start + 2, "the reroll is");
      assert.equal(
        (await said(server)).at(-1),
        "Corrected: Archer attacks with Longbow: 23. Goblin (defense 20): hit.",
      );
      const [old, fresh] = (await reports(server)).slice(-2);
      assert.equal(old.facts.source, fresh.facts.source);
      await gm.do((one) => game.messages.get(one).delete(), again.id);
      await until(async () => (await said(server)).length === start + 3, "it is taken back");
      assert.equal((await said(server)).at(-1), "Taken back: Archer with Longbow.");
      const taken = await gm.do((one) => window.host.rolls.pf2eTaken(one), { token: GOBLIN, amount: 4 });
      await until(async () => (await said(server)).length === start + 4, "the damage is told");
      assert.equal((await said(server)).at(-1), "Damage. Goblin takes 4 damage.");
      await gm.do(
        (one) => game.messages.get(one).update({ "flags.pf2e.appliedDamage.isReverted": true }),
        taken,
      );
      await until(async () => (await said(server)).length === start + 5, "it is undone");
      assert.match((await said(server)).at(-1), /^Taken back/);
      await gm.do(() => window.enfilade.seatUi.context.windows.open("log"));
      await gm.page.locator("#enfilade-log .is-undone").first().waitFor();
      assert.deepEqual(gm.errors, []);
    });

    test("roll-messages: names that the tokens veil, and results that the GM hides, are not told to players", async () => {
      const { gm, server } = all;
      const players = async () => publicText((await reports(server)).at(-1));
      const start = (await said(server)).length;
      await gm.do(async () => {
        await game.settings.set("pf2e", "metagame_tokenSetsNameVisibility", true);
        await game.settings.set("pf2e", "metagame_showResults", false);
      });
      await strike(2);
      await until(async () => (await said(server)).length === start + 1, "it is in the log");
      assert.equal(await players(), "Archer attacks with Longbow: 7. Against Someone.");
    });
  });
}
