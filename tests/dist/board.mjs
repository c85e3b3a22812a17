// Plays on an installed server in Chromium: ENFILADE names its program, and the folder is empty.

import assert from "node:assert/strict";
import { text } from "../browser/text.mjs";
import { Player, Server, launch, miniature, serveBrowser, until } from "../browser/harness.mjs";

const browserServer = await serveBrowser();
const server = new Server();
let browser, gm;
try {
  await server.start();
  browser = await launch();
  await fetchesTheModule();
  await movesAndAttacks();
  await playsTheOutsideRuleset();
} catch (error) {
  if (gm)
    console.log(
      `  the log's end: ${(await gm.page.locator(".log-entry").allInnerTexts()).slice(-4).join(" | ")}`,
    );
  throw error;
} finally {
  await browser?.close();
  await browserServer.close();
  await server.stop();
}

async function fetchesTheModule() {
  const manifest = await (await fetch(`${server.origin}/foundry/module.json`)).json();
  const archive = await fetch(manifest.download);
  assert.equal(archive.headers.get("content-type"), "application/zip");
  const data = Buffer.from(await archive.arrayBuffer());
  assert.equal(data.subarray(0, 2).toString(), "PK");
  for (const name of ["module.json", ...manifest.esmodules, ...manifest.styles])
    assert.ok(data.includes(name), `the zip has no ${name}`);
  const contract = await (await fetch(`${server.origin}/schemas/asyncapi.json`)).json();
  assert.ok(contract.channels);
  console.log(`  the module: ${data.length >> 10} KiB from ${new URL(manifest.download).pathname}`);
}

async function movesAndAttacks() {
  await server.clear();
  gm = await Player.join(browser, server.gm);
  gm.grid = (await server.scene()).grid;
  await server.command("token.place", miniature("Anna", "blue", [3, 7], ["sword", "shield"]));
  await server.command("token.place", miniature("Grim", "red", [3, 4], ["axe", "shield"]));
  await gm.clickCell([3, 7]);
  await gm.drag([3, 7], [3, 5]);
  await gm.sees(".log-entry", "Anna moves");
  assert.deepEqual((await server.token("Anna")).at, [3, 5]);
  await gm.clickCell([3, 4]);
  await gm.sees("#attack", "Anna → Grim");
  await gm.openAttackDice();
  await gm.page.fill("#attack-dice", "6");
  await gm.page.click("#act-0");
  await gm.sees(".log-entry:last-child", /Anna (hits|misses) Grim/);
  await gm.sees(".log-entry:last-child", text("Log.Physical"));
  await gm.answerUntil(async () => (await gm.page.$(".prompt")) === null, "the attack is over");
  assert.deepEqual(gm.errors, []);
  console.log(`  Coup-de-Grace: ${await gm.lastEntry()}`.replaceAll("\n", " "));
}

async function playsTheOutsideRuleset() {
  const answer = await fetch(`${server.origin}/api/tables`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ruleset: "first_blood", name: "A duel" }),
  });
  const { table, gm_key: key, spectator_key: spectatorKey } = await answer.json();
  server.seat({ origin: server.origin, table, key, spectatorKey });
  gm = await Player.join(browser, server.gm);
  gm.grid = (await server.scene()).grid;
  const [blue, red] = (await server.scene()).sides;
  for (const [id, side, at] of [
    ["Una", blue.id, [3, 7]],
    ["Ivo", red.id, [3, 4]],
  ])
    await server.command("token.place", { token: { id, name: id, side, at, facing: 0, profile: {} } });
  await gm.drag([3, 7], [3, 5]);
  await gm.sees(".log-entry", "Una moves");
  await server.command("act", { act: { kind: "pass", token: "Ivo" } });
  await gm.sees(".log-entry", "passes");
  await gm.clickCell([3, 5]);
  await gm.clickCell([3, 4]);
  await gm.openAttackDice();
  await gm.page.fill("#attack-dice", "6");
  await gm.page.click("#act-0");
  await gm.sees(".log-entry:last-child", "Una strikes at Ivo: hit");
  await until(async () => (await server.token("Ivo")).tracks.hp === 1, "Ivo has lost a hit point");
  assert.deepEqual(gm.errors, []);
  console.log(`  First Blood: ${await gm.lastEntry()}`.replaceAll("\n", " "));
}
