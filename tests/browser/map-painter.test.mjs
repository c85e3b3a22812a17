// Painted maps in a real browser: painted by a worker, tile by tile, alike each time, and only what an edit changed.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Player, SHARP, launch, newTable, until } from "./harness.mjs";

const wall = (id, line) => ({ id, line: line.map((value) => value * 64) });
const WALLS = [
  [4, 4, 12, 4],
  [12, 4, 12, 9],
  [12, 9, 4, 9],
  [4, 9, 4, 4],
];
const area = (name, cells, more) => ({
  id: name,
  name,
  cells,
  cost: 2,
  blocks_sight: false,
  kind: "",
  ...more,
});
const TERRAIN = [
  area("Brook", [
    [14, 0],
    [14, 1],
    [14, 2],
    [15, 2],
    [15, 3],
  ]),
  area("Wood", [
    [1, 1],
    [2, 1],
    [2, 2],
    [7, 12],
    [8, 12],
  ]),
  area("Hearth", [[6, 5]], { cost: 0 }),
];

/** Records in a page the answers of its workers, and refuses to paint in the page's own thread. */
function watchWorkers() {
  window.answers = [];
  const Original = window.Worker;
  window.Worker = class extends Original {
    constructor(url) {
      super(url);
      this.addEventListener("message", ({ data: { spec, key, picture } }) =>
        window.answers.push({
          place: `${spec.cells} ${spec.column} ${spec.row} ${spec.isDay}`,
          key,
          isNew: picture !== null,
        }),
      );
    }
  };
  window.OffscreenCanvas = class extends window.OffscreenCanvas {
    constructor(...size) {
      super(...size);
      if (size[0] === 512) window.hasPaintedHere = true; // PIXI makes smaller ones
    }
  };
}

describe("painted maps", () => {
  let browser, server, gm, scene;

  before(async () => {
    browser = await launch(SHARP);
    server = await newTable();
    scene = {
      ...(await server.scene()),
      name: "The mill",
      background: "",
      grid: { kind: "square", columns: 60, rows: 40 },
      tokens: [],
      walls: WALLS.map((line, i) => wall(`w${i}`, line)),
      terrain: TERRAIN,
    };
    await server.command("scene.set", { scene });
    const context = await browser.newContext({ viewport: { width: 1024, height: 700 } });
    const page = await context.newPage();
    await page.addInitScript(watchWorkers);
    gm = new Player(page, context);
    page.on("pageerror", (error) => gm.errors.push(error.message));
    await page.goto(server.gm);
    await page.locator('#board[data-painted="true"]').waitFor({ timeout: 60_000 });
  });
  after(() => browser?.close());

  /** Paints tiles in a new worker; returns each one's key and the sums of its pixels' columns. */
  const paint = (specs, of = scene) =>
    gm.page.evaluate(
      ([all, value]) =>
        new Promise((resolve) => {
          const worker = new Worker("/plugin/vendor/map-painter.min.js");
          const found = [];
          worker.onmessage = ({ data: { key, picture } }) => {
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [picture.width, picture.height];
            const pen = canvas.getContext("2d");
            pen.drawImage(picture, 0, 0);
            const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
            let sum = 0;
            for (let i = 0; i < data.length; i += 1) sum = (Math.imul(sum, 31) + data[i]) | 0;
            const column = (x) => Array.from({ length: 512 }, (_, y) => data[(y * 512 + x) * 4 + 1]);
            found.push({ key, sum, first: column(0), second: column(1), last: column(511) });
            if (found.length < all.length) return;
            worker.terminate();
            resolve(found);
          };
          worker.postMessage({
            scene: { version: 1, value },
            wishes: all.map((spec) => ({ ...spec, has: "" })),
          });
        }),
      [
        specs,
        {
          grid: of.grid,
          walls: of.walls.map((one) => ({ move: "normal", sight: "normal", door: "none", ...one })),
          terrain: of.terrain,
          name: of.name,
        },
      ],
    );
  const tile = (column, row, more) => ({ cells: 8, column, row, isDay: false, ...more });

  test("a tile looks the same in whatever order tiles are painted, and else by day", async () => {
    const [a, b] = await paint([tile(0, 0), tile(1, 0)]);
    const [d, c] = await paint([tile(1, 0), tile(0, 0)]);
    assert.deepEqual([a.sum, a.key, b.sum], [c.sum, c.key, d.sum]);
    const [day] = await paint([tile(0, 0, { isDay: true })]);
    assert.notEqual(day.sum, a.sum);
    assert.notEqual(day.key, a.key);
  });

  test("neighboring tiles meet without a seam, through a wall, a brook and a floor", async () => {
    const differ = (one, other) =>
      one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / one.length;
    for (const grid of [
      scene.grid,
      { ...scene.grid, kind: "hex_odd_r" },
      { ...scene.grid, kind: "gridless" },
    ]) {
      const [left, right] = await paint([tile(0, 0), tile(1, 0)], { ...scene, grid });
      const [seam, inside] = [differ(left.last, right.first), differ(right.first, right.second)];
      assert.ok(seam < 1.6 * inside + 3, `${grid.kind}: ${seam} at the seam, ${inside} beside it`);
    }
  });

  test("the page itself paints nothing, and shows no error", async () => {
    assert.equal(await gm.page.evaluate(() => window.hasPaintedHere ?? false), false);
    assert.ok((await gm.page.evaluate(() => window.answers.length)) > 0);
    assert.deepEqual(gm.errors, []);
  });

  test("an edit paints its own tiles again and no other; another theme paints all", async () => {
    await gm.page.click("#zoom-in");
    await gm.page.click("#zoom-in");
    await gm.page.click("#zoom-in");
    // Tiles are asked for once the camera rests.
    const settled = async () => {
      const answers = () =>
        gm.page.evaluate(
          () => new Promise((resolve) => setTimeout(() => resolve(window.answers.length), 700)),
        );
      for (let last = -1, now = await answers(); now !== last; last = now, now = await answers());
      await gm.page.locator('#board[data-painted="true"]').waitFor();
    };
    await settled();
    const places = (isNew) =>
      gm.page.evaluate(
        (wanted) => window.answers.filter((one) => one.isNew === wanted).map(({ place }) => place),
        isNew,
      );
    await gm.page.evaluate(() => (window.answers.length = 0));
    const [brook, ...others] = scene.terrain;
    const cells = [...brook.cells, [16, 3]];
    await server.command("map.edit", { terrain: [{ ...brook, cells }], walls: [], remove: [] });
    await until(async () => (await places(true)).length > 0, "a tile is painted again");
    await until(
      async () => (await places(false)).length > (await places(true)).length,
      "most tiles are kept",
    );
    assert.ok(others.length);
    await gm.page.evaluate(() => (window.answers.length = 0));
    await gm.page.emulateMedia({ colorScheme: "light" });
    await gm.page.reload();
    await gm.page.locator('#board[data-painted="true"]').waitFor();
    assert.ok((await places(true)).every((place) => place.endsWith("true")));
  });

  test("a map with a picture is not painted", async () => {
    const player = await Player.join(browser, (await newTable()).gm);
    await player.bringMap();
    await player.page.locator('#board[data-painted="false"]').waitFor();
    assert.deepEqual(player.errors, []);
  });
});
