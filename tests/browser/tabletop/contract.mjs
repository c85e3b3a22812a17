// The contract of a tabletop: the same tests against every host. Each implementation of the interface in
// plugin_manifest/scripts/tabletop/tabletop.d.ts gives its host.

import assert from "node:assert/strict";
import { until } from "../harness.mjs";
import { slowSending } from "../slow-sending.mjs";

/** The bridge has compared everything after so long: its batches, its rests and its rechecks are shorter. */
const QUIET_MS = 2_500;
const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS));

/**
 * A host of a tabletop with a table: `page` is the frame or page of a GM where `globalThis.enfilade.tabletop` is the
 * adapter; `token` and `door` name things that both have; `server` is the table; `cell` returns the token's cell as the
 * host has it; `drawn` returns how much this user sees of the overlay; `isBridge` tells whether the page has the lease,
 * `leave` has it leave the table.
 * @typedef {object} Host
 * @property {any} page
 * @property {any} server
 * @property {string} token
 * @property {string} door
 * @property {() => any} cell
 * @property {() => any} drawn
 * @property {(id?: string) => any} select
 * @property {() => any} isBridge
 * @property {() => any} leave
 * @property {(kind: string, mode: string) => any} choose sets what the table writes: do, ask or never
 * @property {() => any} accept has the GM accept what is asked; rejected while nothing is
 * @property {() => any} decline has the GM discard what is asked; rejected while nothing is
 * @property {() => any} resync has the whole scene sent to the table again
 */

/** The host functions of a page whose `globalThis.enfilade` has a `live` page of tabletop/live-page.js. */
export const livePage = (page) => ({
  page,
  isBridge: () => page.evaluate(() => globalThis.enfilade.live.bridge.lease !== null),
  leave: () => page.evaluate(() => globalThis.enfilade.live.close()),
  choose: (kind, mode) =>
    page.evaluate(([one, how]) => globalThis.enfilade.live.decisions.setMode(one, how), [kind, mode]),
  accept: () =>
    page.evaluate(() => {
      const { pending } = globalThis.enfilade.live;
      if (!pending.list.length) throw new Error("nothing is asked");
      pending.accept(pending.list);
    }),
  decline: () =>
    page.evaluate(() => {
      const { pending } = globalThis.enfilade.live;
      if (!pending.list.length) throw new Error("nothing is asked");
      pending.declineAll();
    }),
  resync: () => page.evaluate(() => globalThis.enfilade.live.bridge.resync()),
});

/**
 * The tests by name; each gets the host.
 * @type {Record<string, (host: Host) => Promise<void>>}
 */
export const CONTRACT = {
  async "a page of a GM has the lease, and reads a scene that the table has"({
    page,
    server,
    token,
    door,
    cell,
    isBridge,
  }) {
    await until(isBridge, "it has the lease");
    const read = await page.evaluate(() => globalThis.enfilade.tabletop.readScene());
    const { grid, tokens } = await server.scene();
    assert.deepEqual(
      [read.grid.kind, read.grid.columns, read.grid.rows],
      [grid.kind, grid.columns, grid.rows],
    );
    assert.deepEqual(read.tokens.map(({ id }) => id).sort(), tokens.map(({ id }) => id).sort());
    const own = read.tokens.find(({ id }) => id === token);
    for (const key of ["name", "center", "size", "facing", "hidden", "side", "hitPoints", "profile", "isOut"])
      assert.ok(key in own, key);
    const { left, top, size } = read.grid;
    const at = [own.center.x - left, own.center.y - top].map((pixels) => Math.floor(pixels / size));
    assert.deepEqual(at, (await server.token(token)).at, "the token's center is in its cell of the table");
    assert.ok(await cell());
    const walls = new Map((await server.scene()).walls.map((wall) => [wall.id, wall]));
    assert.deepEqual(read.walls.map(({ id }) => id).sort(), [...walls.keys()].sort());
    for (const { id, line, door: kind, state } of read.walls) {
      const known = walls.get(id);
      const units = line.map((pixels, i) => Math.round(((pixels - (i % 2 ? top : left)) * 64) / size));
      assert.deepEqual([units, kind, state], [known.line, known.door, known.state], id);
    }
    assert.equal(walls.get(door).door, "door");
    assert.equal(JSON.stringify(structuredClone(read)), JSON.stringify(read), "a scene is plain data");
  },

  async "a write changes the tabletop once and causes no echo at the table"({ page, server, token, cell }) {
    const before = (await server.log()).length;
    const [column, row] = await cell();
    const { at } = await server.token(token);
    await server.command("token.move", { token, at: [at[0] - 1, at[1]], facing: 90 });
    await until(async () => String(await cell()) === String([column - 1, row]), "the token has moved");
    await quiet();
    assert.equal((await server.log()).length, before + 1, "the move is the only entry");
    await server.command("undo", {});
    await until(async () => String(await cell()) === String([column, row]), "the token is back");
    await quiet();
    assert.equal((await server.log()).length, before + 2);
    assert.deepEqual((await server.token(token)).at, at);
    const writes = await page.evaluate(async (id) => {
      const { tabletop } = globalThis.enfilade;
      const state = async () =>
        JSON.stringify((await tabletop.readScene()).tokens.find((one) => one.id === id));
      const first = await state();
      const { center, facing, hitPoints, isOut } = JSON.parse(first);
      await tabletop.move(id, center, facing);
      await tabletop.setHitPoints(id, hitPoints.value);
      await tabletop.setOut(id, isOut);
      return [first, await state()];
    }, token);
    assert.equal(writes[1], writes[0], "a write of what is so already changes nothing");
    await quiet();
    assert.equal((await server.log()).length, before + 2);
  },

  async "hit points, defeat and doors are written and read back"({ page, token, door }) {
    const state = () =>
      page.evaluate(
        async ([id, wall]) => {
          const scene = await globalThis.enfilade.tabletop.readScene();
          const { hitPoints, isOut } = scene.tokens.find((one) => one.id === id);
          return [hitPoints.value, isOut, scene.walls.find((one) => one.id === wall).state];
        },
        [token, door],
      );
    const write = (points, isOut, open) =>
      page.evaluate(
        async ([id, wall, values]) => {
          const { tabletop } = globalThis.enfilade;
          await tabletop.setHitPoints(id, values[0]);
          await tabletop.setOut(id, values[1]);
          await tabletop.setDoor(wall, values[2]);
        },
        [token, door, [points, isOut, open]],
      );
    const before = await state();
    await write(1, true, "open");
    await until(async () => String(await state()) === "1,true,open", "all is written");
    await write(...before);
    await until(async () => String(await state()) === String(before), "and taken back");
  },

  async "a move that waits for the GM stays at the table, and comes with the GM's word"(host) {
    const { server, token, cell, choose, accept, decline, resync } = host;
    const moves = async () => (await server.log()).filter(({ kind }) => kind === "token.move").length;
    const once = (answer) =>
      until(
        () =>
          answer().then(
            () => true,
            () => false,
          ),
        "the GM is asked",
      );
    const [column, row] = await cell();
    const { at, facing } = await server.token(token);
    const aside = [at[0] - 1, at[1]];
    await choose("moves", "ask");
    await server.command("token.move", { token, at: aside, facing });
    const before = await moves();
    await quiet();
    await resync();
    await quiet();
    assert.deepEqual(await cell(), [column, row], "the token waits");
    assert.deepEqual((await server.token(token)).at, aside, "the table keeps its place");
    assert.equal(await moves(), before, "no bridge takes the move back");
    await once(accept);
    await until(async () => String(await cell()) === String([column - 1, row]), "the token has moved");
    await server.command("token.move", { token, at, facing });
    await once(decline);
    await until(
      async () => String((await server.token(token)).at) === String(aside),
      "the tabletop's place counts",
    );
    assert.deepEqual(await cell(), [column - 1, row]);
    await choose("moves", "do");
    await server.command("token.move", { token, at, facing });
    await until(async () => String(await cell()) === String([column, row]), "the token is back");
    await quiet();
    assert.deepEqual((await server.token(token)).at, at);
  },

  async "a write that the host cannot take is refused, and changes nothing"({ page, token, server }) {
    const before = (await server.log()).length;
    const outcome = await page.evaluate(async () => {
      const { tabletop } = globalThis.enfilade;
      const attempts = [
        () => tabletop.move("nobody", { x: 0, y: 0 }, null),
        () => tabletop.setHitPoints("nobody", 1),
      ];
      const names = [];
      for (const attempt of attempts)
        names.push(
          await attempt().then(
            () => "done",
            ({ name }) => name,
          ),
        );
      return names;
    });
    for (const name of outcome) assert.ok(["done", "WriteRefused"].includes(name), name);
    await quiet();
    assert.equal((await server.log()).length, before);
    assert.ok(await server.token(token));
  },

  async "what is drawn goes when nothing is selected, and when the page leaves the table"({
    token,
    drawn,
    select,
    leave,
  }) {
    await select(token);
    await until(async () => (await drawn()) > 0, "the overlay is drawn");
    await select();
    await until(async () => (await drawn()) === 0, "it is gone");
    await select(token);
    await until(async () => (await drawn()) > 0, "it is drawn again");
    await leave();
    await until(async () => (await drawn()) === 0, "it is gone with the table");
  },

  async "a page that has left the table sends nothing more"({ page, server, token }) {
    const before = (await server.log()).length;
    await page.evaluate(async (id) => {
      const { tabletop } = globalThis.enfilade;
      const { center } = (await tabletop.readScene()).tokens.find((one) => one.id === id);
      await tabletop.move(id, { x: center.x, y: center.y + 1 }, null);
    }, token);
    await quiet();
    assert.equal((await server.log()).length, before);
  },
};

/**
 * Has the next reading of a page's scene last until the returned function is called: it then has what it read before.
 * @param {Host} host
 */
async function slowReading({ page, resync }) {
  await page.evaluate(() => {
    const { tabletop } = globalThis.enfilade;
    const read = tabletop.readScene.bind(tabletop);
    const slow = (globalThis.slowReading = { hasRead: false, end: () => {} });
    const ended = new Promise((resolve) => (slow.end = resolve));
    tabletop.readScene = async () => {
      delete tabletop.readScene;
      const scene = await read();
      slow.hasRead = true;
      await ended;
      return scene;
    };
  });
  const again = resync(); // it may end only with the reading
  await until(() => page.evaluate(() => globalThis.slowReading.hasRead), "the scene has been read");
  return async () => {
    await page.evaluate(() => globalThis.slowReading.end());
    await again;
    await quiet();
  };
}

/** More tests by name, for the hosts of a `livePage`, whose readings a test can slow down. @type {Record<string, (host: Host) => Promise<void>>} */
export const LIVE_CONTRACT = {
  async "a move at the table while the scene is read is not taken back"(host) {
    const { server, token, cell } = host;
    const [column, row] = await cell();
    const { at, facing } = await server.token(token);
    const aside = [at[0] - 1, at[1]];
    const before = (await server.log()).length;
    const endReading = await slowReading(host);
    await server.command("token.move", { token, at: aside, facing });
    await until(async () => String(await cell()) === String([column - 1, row]), "the token has moved");
    await endReading();
    assert.deepEqual((await server.token(token)).at, aside, "the table keeps its move");
    assert.equal((await server.log()).length, before + 1, "the move is the only entry");
    assert.deepEqual(await cell(), [column - 1, row]);
    await server.command("token.move", { token, at, facing });
    await until(async () => String(await cell()) === String([column, row]), "the token is back");
    await quiet();
  },

  async "a move at the table while changed hit points are on their way is not taken back"(host) {
    const { page, server, token, cell } = host;
    const [column, row] = await cell();
    const { at, facing, tracks } = await server.token(token);
    const aside = [at[0] - 1, at[1]];
    const entries = async () => (await server.log()).length;
    const first = await entries();
    const hurt = (points) =>
      page.evaluate(
        async ([id, by]) => {
          const { tabletop } = globalThis.enfilade;
          const { hitPoints } = (await tabletop.readScene()).tokens.find((one) => one.id === id);
          await tabletop.setHitPoints(id, hitPoints.value + by);
        },
        [token, points],
      );
    const slow = await slowSending(page);
    await hurt(-1);
    await slow.isOnItsWay();
    await server.command("token.move", { token, at: aside, facing });
    await until(async () => String(await cell()) === String([column - 1, row]), "the token has moved");
    await slow.end();
    const points = async () => JSON.stringify((await server.token(token)).tracks);
    const before = JSON.stringify(tracks);
    await until(async () => (await points()) !== before, "the table has the hit points");
    await quiet();
    assert.deepEqual((await server.token(token)).at, aside, "the table keeps its move");
    assert.equal(await entries(), first + 2, "the move and the hit points are the only entries");
    assert.deepEqual(await cell(), [column - 1, row]);
    await hurt(1);
    await until(async () => (await points()) === before, "and the points before");
    await server.command("token.move", { token, at, facing });
    await until(async () => String(await cell()) === String([column, row]), "the token is back");
    await quiet();
  },

  async "a door that the table opens while the scene is read stays open"(host) {
    const { page, server, door } = host;
    const state = () =>
      page.evaluate(
        async (id) =>
          (await globalThis.enfilade.tabletop.readScene()).walls.find((wall) => wall.id === id).state,
        door,
      );
    const atTable = async () => (await server.scene()).walls.find(({ id }) => id === door).state;
    const first = await state();
    const other = first === "open" ? "closed" : "open";
    const before = (await server.log()).length;
    const endReading = await slowReading(host);
    await server.command("door.set", { wall: door, state: other });
    await until(async () => (await state()) === other, "the door is written");
    await endReading();
    assert.equal(await atTable(), other, "the table keeps its door");
    assert.equal((await server.log()).length, before + 1, "the door is the only entry");
    await server.command("door.set", { wall: door, state: first });
    await until(async () => (await state()) === first, "the door is as it was");
    await quiet();
  },
};
