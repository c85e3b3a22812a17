import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GM, SMALL, FoundryUser, sceneSource, tokenSource, startWorld, seatAt } from "./foundry/user.mjs";
import { launch, newTable, until } from "./harness.mjs";

const GRIDS = { 1: "square", 2: "hex_odd_r", 3: "hex_even_r", 4: "hex_odd_q", 5: "hex_even_q" };
/** Token positions in pixels: over the whole board, never exactly on a cell. */
const SPOTS = [0, 1, 2, 3, 4, 5].map((n) => ({ x: 420 + 190 * n, y: 330 + 130 * n }));

describe("every kind of grid", () => {
  let browser, world, server, gm;

  before(async () => {
    browser = await launch();
    world = await startWorld(13);
    server = await newTable();
    world.state.settings["enfilade.server"] = server.origin;
    for (const type of [...Object.keys(GRIDS), "0"]) add(aGrid(Number(type)));
    gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await world?.stop();
  });

  const add = (scene) => world.change({ action: "create", type: "Scene", parent: null, rows: [scene] }, GM);
  const show = (id) =>
    world.change({ action: "update", type: "Scene", parent: null, rows: [{ _id: id, active: true }] }, GM);

  for (const [type, kind] of Object.entries(GRIDS))
    test(`on ${kind} the module and the server agree on every token's position`, async () => {
      show(idOf(type));
      await until(async () => (await server.scene()).name === `Grid ${type}`, "the scene is on the table");
      assert.equal((await server.scene()).grid.kind, kind);
      const before = (await server.scene()).tokens;
      assert.equal(before.filter(({ at }) => at).length, SPOTS.length);
      await gm.do(putBack);
      const seq = (await server.log()).length;
      await gm.syncsAgain();
      assert.deepEqual((await server.scene()).tokens, before);
      assert.equal((await server.log()).length, seq);
    });

  test("rules that need a grid refuse a gridless scene with a sentence, and the page goes on", async () => {
    show(idOf(0));
    await gm.seesNotice("cannot read this scene");
    show(idOf(1));
    await until(async () => (await server.scene()).grid.kind === "square", "the next scene is on the table");
  });

  test("the page logs no errors", () => assert.deepEqual(gm.errors.filter(isNoAnswer), []));
});

/** Browsers log the status of a refusal as an error. */
const isNoAnswer = (line) => !line.includes("status of 422");

/** Moves every token to the module's position of its cell. */
async function putBack() {
  const { tokenPosition } = await import("/sources/scripts/foundry/canvas/board-position.js");
  const { scene } = window.enfilade.client.replica;
  for (const token of canvas.scene.tokens) {
    const known = scene.tokens.find(({ id }) => id === token.id);
    const { x, y } = tokenPosition(scene.grid, known, token, canvas);
    const [off, cell] = [Math.hypot(token.x - x, token.y - y), canvas.grid.sizeX + canvas.grid.sizeY];
    if (off > cell / 2) throw new Error(`${token.name} went ${off} pixels`);
    await token.update({ x, y });
  }
}

const idOf = (type) => `gridgridgrid000${type}`;

function aGrid(type) {
  const scene = sceneSource(13);
  return {
    ...scene,
    _id: idOf(type),
    name: `Grid ${type}`,
    active: false,
    walls: [],
    grid: { ...scene.grid, type },
    tokens: SPOTS.map((spot, n) => tokenSource(13, `tokentokentok${type}0${n}`, `T${n}`, null, spot, 1)),
  };
}
