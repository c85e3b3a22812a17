// The board page and the Foundry stand-in at tables of two server processes behind nginx, whose owners die and stop.
//
// tests/cluster/board.py starts PostgreSQL and nginx, and names them: ORIGIN (nginx), STORE, and the PORTS of the
// two processes, which this program starts.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, FoundryUser, SMALL, seatAt, startWorld } from "../browser/foundry/user.mjs";
import { Player, Server, Table, launch, miniature, serveBrowser, until } from "../browser/harness.mjs";

const { ORIGIN, STORE, PORTS, ENFILADE_TEST_WORLD_PORT } = process.env;
const OPERATOR_KEY = "the-operator-s-key-of-a-test";
const ANNA = "tokentokenAnna01";

const SERVERS = PORTS.split(",").map((port, number) => {
  const server = new Server({
    ENFILADE_STORE: STORE,
    ENFILADE_PROCESS: "ab"[number],
    ENFILADE_PROXIES: "1",
    ENFILADE_PUBLIC_URL: ORIGIN,
    ENFILADE_OPERATOR_KEY: OPERATOR_KEY,
    ENFILADE_ORIGINS: `http://127.0.0.1:${ENFILADE_TEST_WORLD_PORT}`,
  });
  return Object.assign(server, { port: Number(port), name: "ab"[number] });
});

const answerOf = (url, key, options = {}) =>
  fetch(url, {
    signal: AbortSignal.timeout(2000), // a stopped process accepts the connection
    ...options,
    redirect: "manual",
    headers: { Authorization: `Bearer ${key}`, Connection: "close" },
  });

/** Returns the server that owns a table: the other one names it in a redirect. */
async function ownerOf({ table, key }) {
  for (const server of SERVERS) {
    const url = `http://127.0.0.1:${server.port}/api/tables/${table}/scene`;
    const answer = await answerOf(url, key).catch(() => null);
    if (answer?.status === 200) return server;
  }
  throw new Error("No process owns the table.");
}

async function newTable() {
  const answer = await fetch(`${ORIGIN}/api/tables`, {
    method: "POST",
    headers: { Authorization: `Bearer ${OPERATOR_KEY}`, "Content-Type": "application/json" },
    body: JSON.stringify({ ruleset: "coup_de_grace", name: "A table of a cluster" }),
  });
  assert.equal(answer.status, 201);
  const { table, gm_key: key, spectator_key: spectatorKey } = await answer.json();
  return new Table({ origin: ORIGIN, table, key, spectatorKey });
}

const movesOf = async (table) => (await table.log()).filter(({ kind }) => kind === "token.move");

describe("tables of two processes behind nginx", () => {
  let browserServer, browser, table, gm, spectator;

  before(async () => {
    await Promise.all(SERVERS.map((server) => server.start()));
    browserServer = await serveBrowser();
    browser = await launch();
    table = await newTable();
    await table.clear();
    await table.command("token.place", miniature("Anna", "blue", [3, 7], ["sword", "shield"]));
    await table.command("token.place", miniature("Grim", "red", [8, 1], ["axe", "shield"]));
    gm = await Player.join(browser, table.gm);
    spectator = await Player.join(browser, table.spectator);
    gm.grid = (await table.scene()).grid;
    for (const { page } of [gm, spectator]) await page.evaluate(() => (window.isSamePage = true));
  });
  after(async () => {
    await browser?.close();
    await browserServer?.close();
    await Promise.all(SERVERS.map((server) => server.stop()));
  });

  /** Moves Anna on the board as a fault begins, and returns the seconds until the table has the move. */
  async function secondsOfMove(from, to, fault) {
    const before = (await movesOf(table)).length;
    const old = await ownerOf(table);
    old.process.kill(fault);
    const began = Date.now();
    await gm.drag(from, to);
    await gm.page.locator(".log-entry", { hasText: "Anna moves" }).nth(before).waitFor();
    const seconds = (Date.now() - began) / 1000;
    for (const one of [gm, spectator]) await one.sees("#connection", "Connected");
    await spectator.page.locator(".log-entry", { hasText: "Anna moves" }).nth(before).waitFor();
    assert.deepEqual((await table.token("Anna")).at, to);
    assert.equal((await movesOf(table)).length, before + 1, "the move is in the log once");
    for (const { page } of [gm, spectator]) assert.equal(await page.evaluate(() => window.isSamePage), true);
    assert.notEqual((await ownerOf(table)).name, old.name);
    return { old, seconds };
  }

  test("the board goes on without a reload after kill -9 of the table's owner", async () => {
    const { old, seconds } = await secondsOfMove([3, 7], [3, 6], "SIGKILL");
    console.log(`  kill -9 of ${old.name}: the move is done after ${seconds.toFixed(1)} s`);
    await old.start();
  });

  test("the board leaves an owner that is stopped and not dead", async () => {
    const { old, seconds } = await secondsOfMove([3, 6], [3, 5], "SIGSTOP");
    console.log(`  stop of ${old.name}: the move is done after ${seconds.toFixed(1)} s`);
    old.process.kill("SIGCONT");
    await until(
      async () => (await answerOf(`http://127.0.0.1:${old.port}/ready`, "")).ok,
      "it is ready again",
    );
    assert.notEqual((await ownerOf(table)).name, old.name, "it does not take the table back");
  });

  test("a world of Foundry goes on at its table after kill -9 of the owner", async () => {
    const other = await newTable();
    const world = await startWorld(13);
    try {
      Object.assign(world.state.settings, { "enfilade.server": ORIGIN });
      const user = await FoundryUser.open(browser, world, GM, { seat: seatAt(other), viewport: SMALL });
      await user.seesNotice("connected to the table");
      await until(async () => `${(await other.token(ANNA))?.at}` === "3,4", "the scene is on the table");
      await user.page.evaluate(() => (window.isSamePage = true));
      const old = await ownerOf(other);
      await old.kill();
      const began = Date.now();
      await user.do((id) => canvas.scene.tokens.get(id).update({ x: 800 }), ANNA);
      await until(
        async () => `${(await other.token(ANNA).catch(() => null))?.at}` === "4,4",
        "Anna has moved",
      );
      console.log(
        `  kill -9 of ${old.name}: Foundry's move is at the table after ${(Date.now() - began) / 1000} s`,
      );
      const scene = await other.scene();
      assert.equal(scene.tokens.filter(({ id }) => id === ANNA).length, 1);
      await user.settles();
      assert.deepEqual((await other.token(ANNA)).at, [4, 4], "the table and the world agree");
      assert.equal(await user.page.evaluate(() => window.isSamePage), true);
      await old.start();
    } finally {
      await world.stop();
    }
  });
});
