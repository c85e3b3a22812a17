// The GM makes a table of one's own: a picture under a fitted grid, walls and terrain, pictures of units, own
// units, a saved battle, and a new link.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Player, becomes, launch, miniature, newTable, until } from "./harness.mjs";
import { mapPicture, unitPicture } from "./png.mjs";
import { text } from "./text.mjs";

const MOST_CLICKS = 25;

describe("a new table with the GM's own map", () => {
  let browser, gm, origin, scene;

  /** Reads the scene of the table that the GM's page shows. */
  async function readScene() {
    const hash = new URLSearchParams(new URL(gm.page.url()).hash.slice(1));
    const headers = { Authorization: `Bearer ${hash.get("key")}`, Connection: "close" };
    return (await fetch(`${origin}/api/tables/${hash.get("table")}/scene`, { headers })).json();
  }

  before(async () => {
    origin = process.env.ENFILADE_TEST_SERVER;
    browser = await launch();
    gm = await Player.open(browser, `${origin}/`, { viewport: { width: 1440, height: 900 } });
  });
  after(() => browser?.close());

  test("a file with several scenes offers them by name, and a scene with levels its levels", async () => {
    const page = await Player.open(browser, `${origin}/`, { viewport: { width: 1440, height: 900 } });
    await page.page.fill("#new-name", "The road");
    await page.page.click("#new-create");
    await page.sees("#connection", text("Connection.connected"));
    await page.openTab("setup");
    const wall = (x, levels) => ({ c: [x, 0, x, 600], levels });
    const grid = { type: 1, size: 100, distance: 5, units: "ft" };
    const scene = (name, more) => ({ name, width: 1000, height: 600, padding: 0, grid, walls: [], ...more });
    const levels = [
      { _id: "a", name: "Cellar" },
      { _id: "b", name: "Hall" },
    ];
    const house = scene("House", { levels, walls: [wall(100, ["a"]), wall(300, ["b"]), wall(400, ["b"])] });
    const buffer = Buffer.from(JSON.stringify({ scenes: [scene("Inn", { width: 700 }), house] }));
    await page.page.setInputFiles("#map-file", { name: "road.json", mimeType: "application/json", buffer });
    const offer = (name, columns) => text("Map.Scene", { name, columns, rows: 6 });
    await page.sees("#map-choices", offer("Inn", 7));
    await page.page.getByRole("button", { name: offer("House", 10) }).click();
    await page.sees("#map-choices", text("Map.Level"));
    const hash = new URLSearchParams(new URL(page.page.url()).hash.slice(1));
    const headers = { Authorization: `Bearer ${hash.get("key")}`, Connection: "close" };
    const at = `${origin}/api/tables/${hash.get("table")}/scene`;
    const sceneNow = async () => (await fetch(at, { headers })).json();
    const walls = async () => (await sceneNow()).walls.length;
    await becomes(walls, 1, "the cellar is on the table");
    await page.page.selectOption("#map-level", "Hall");
    await until(async () => (await walls()) === 2, "the hall is on the table");
    await becomes(() => page.page.inputValue("#map-level"), "Hall", "the field has the level");
    await page.page.setInputFiles("#map-picture", mapPicture({ width: 500, height: 300 }));
    await until(async () => (await sceneNow()).background.endsWith("#xywh=pixel:0,0,500,300"), "the picture");
    assert.equal(await walls(), 2);
    await page.page.close();
  });

  test("from the start page to a picture with a grid and four units in at most 25 clicks", async () => {
    let clicks = 0;
    const click = async (selector) => ((clicks += 1), gm.page.click(selector));
    await click("#new-name");
    await gm.page.keyboard.type("The old mill");
    await click("#new-create");
    await gm.sees("#connection", text("Connection.connected"));
    await click("#menu");
    await click("#tab-setup");
    clicks += 1; // the file field, which opens the system's own dialog
    await gm.page.setInputFiles("#map-file", mapPicture());
    await gm.page.locator("#fit-canvas").waitFor();
    // The picture has lines every 50 pixels, from 13 and 7 on.
    await becomes(() => gm.page.textContent("#fit-hint"), text("Fit.Found"), "the grid is found");
    const values = async () =>
      Promise.all(["cell", "left", "top"].map(async (id) => Number(await gm.page.inputValue(`#fit-${id}`))));
    for (const [i, value] of (await values()).entries())
      assert.ok(Math.abs(value - [50, 13, 7][i]) <= 1, `found ${await values()}`);
    // Zoomed in, the crossings are where they were, and larger.
    await gm.page.fill("#fit-zoom", "2");
    await gm.page.fill("#fit-zoom", "1");
    // Where it is not found, one begins with 20 columns.
    await gm.page.fill("#fit-columns", "20");
    await gm.page.locator("#fit-columns").blur();
    // Pull the grid to the picture's corner, then the far handle until five cells are 250 pixels.
    const box = await gm.page.locator("#fit-canvas").boundingBox();
    const onPicture = (x, y) => [box.x + (x * box.width) / 700, box.y + (y * box.height) / 520];
    const drag = async (from, to) => {
      clicks += 1;
      await gm.page.mouse.move(...onPicture(...from));
      await gm.page.mouse.down();
      await gm.page.mouse.move(...onPicture(...to), { steps: 8 });
      await gm.page.mouse.up();
    };
    await drag([300, 20], [313, 27]);
    const cell = Number(await gm.page.inputValue("#fit-cell"));
    await drag([13 + 5 * cell, 7 + 5 * cell], [13 + 250, 7 + 250]);
    const fitted = Number(await gm.page.inputValue("#fit-cell"));
    assert.ok(Math.abs(fitted - 50) < 0.6, `the cells are ${fitted} pixels wide`);
    assert.equal(await gm.page.textContent("#fit-result"), text("Fit.Result", { columns: 13, rows: 10 }));
    await click("#fit-use");
    await gm.sees("#notices", text("Map.Imported", { name: "old mill.png" }));
    scene = await readScene();
    gm.grid = scene.grid;
    await click("#place-toggle");
    for (const cellAt of [
      [3, 3],
      [4, 3],
    ])
      await place(cellAt);
    clicks += 2;
    await gm.page.selectOption("#place-side", scene.sides[1].id);
    clicks += 1;
    for (const cellAt of [
      [3, 6],
      [4, 6],
    ])
      await place(cellAt);
    clicks += 2;
    await click("#place-toggle");
    scene = await readScene();
    assert.equal(scene.tokens.length, 4);
    assert.deepEqual([...new Set(scene.tokens.map(({ side }) => side))], ["blue", "red"]);
    assert.equal(scene.name, "The old mill");
    assert.ok(clicks <= MOST_CLICKS, `${clicks} clicks`);
    console.log(`new table with an own map and four units: ${clicks} clicks`);
    const [left, top, width, height] = scene.background
      .match(/\d+(?=[,\d]*$)|\d+/g)
      .slice(-4)
      .map(Number);
    assert.ok(Math.abs(left - 13) <= 1 && Math.abs(top - 7) <= 1, scene.background);
    assert.ok(Math.abs(width - 650) <= 8 && Math.abs(height - 500) <= 6, scene.background);
  });

  async function place(cell) {
    const count = await gm.page.locator(".unit").count();
    await gm.page.mouse.click(...(await gm.at(cell)));
    await until(async () => (await gm.page.locator(".unit").count()) > count, "the unit is on the board");
  }

  test("the picture lies under the grid: a line of the picture is at the edge of a cell", async () => {
    await gm.press("Escape", "Escape");
    await gm.page.click("#fit");
    const [x, y] = await gm.at([8, 1]);
    const [right] = await gm.at([9, 1]);
    const clip = { x, y, width: right - x, height: 1 };
    const darkest = async () =>
      gm.page.evaluate(
        async (bytes) => {
          const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
          const canvas = new OffscreenCanvas(image.width, 1);
          const pen = canvas.getContext("2d");
          pen.drawImage(image, 0, 0);
          const { data } = pen.getImageData(0, 0, image.width, 1);
          const light = Array.from({ length: image.width }, (_, i) => data[4 * i] + data[4 * i + 1]);
          return light.indexOf(Math.min(...light)) / image.width;
        },
        [...(await gm.page.screenshot({ clip }))],
      );
    await until(async () => Math.abs((await darkest()) - 0.5) < 0.08, "the line is between two centers");
  });

  test("walls snap to the grid, a door cuts its wall, and one undo takes each back", async () => {
    await gm.openTab("setup");
    await gm.page.click("#draw-wall");
    await gm.page.click("#fit");
    const corner = async ([column, row]) => gm.at([column - 0.5, row - 0.5]);
    await gm.page.mouse.click(...(await corner([2, 5])));
    const near = await corner([8, 5]);
    await gm.page.mouse.click(near[0] + 4, near[1] - 5);
    await gm.page.mouse.click(...(await corner([8, 8])));
    await gm.page.click("#tool-done");
    await until(async () => (await readScene()).walls.length === 2, "the wall stands");
    assert.deepEqual(
      (await readScene()).walls.map(({ line }) => line),
      [
        [128, 320, 512, 320],
        [512, 320, 512, 512],
      ],
    );
    await gm.page.click("#draw-door");
    await dragBetween(await corner([4, 5]), await corner([5, 5]));
    await until(
      async () => (await readScene()).walls.some(({ door }) => door === "door"),
      "the door is there",
    );
    const { walls } = await readScene();
    assert.deepEqual(walls.map(({ line }) => line.join()).sort(), [
      "128,320,256,320",
      "256,320,320,320",
      "320,320,512,320",
      "512,320,512,512",
    ]);
    await gm.press("Control+z");
    await until(async () => (await readScene()).walls.length === 2, "the wall is whole again");
    await gm.press("Control+Shift+z");
    await until(async () => (await readScene()).walls.length === 4, "the door is back");
  });

  test("a wall ends by a double click, Enter, its first corner or another tool; Escape takes back one corner", async () => {
    const corner = async ([column, row]) => gm.at([column - 0.5, row - 0.5]);
    const click = async (at) => gm.page.mouse.click(...(await corner(at)));
    const lines = async () => (await readScene()).walls.map(({ line }) => line.join());
    const before = await lines();
    const draw = async (corners, end) => {
      await gm.page.click("#draw-wall");
      for (const at of corners) await click(at);
      await end();
      const wanted = (await gm.page.locator("#draw-wall").getAttribute("aria-pressed")) === "true";
      if (wanted) await gm.page.click("#draw-wall");
    };
    const has = async (count, what) =>
      until(async () => (await lines()).length === before.length + count, what);
    await gm.openTab("setup");
    await gm.page.click("#fit");
    await draw([[9, 1]], async () => gm.page.mouse.dblclick(...(await corner([10, 1]))));
    await has(1, "a double click ends it");
    await draw(
      [
        [9, 2],
        [10, 2],
      ],
      () => gm.press("Enter"),
    );
    await has(2, "Enter ends it and adds no corner");
    await draw(
      [
        [9, 3],
        [10, 3],
        [10, 4],
        [9, 3],
      ],
      async () => {},
    );
    await has(5, "the first corner closes it");
    await draw(
      [
        [9, 6],
        [10, 6],
        [10, 7],
      ],
      async () => {
        await gm.press("Escape");
        await gm.page.click("#draw-erase");
      },
    );
    await has(6, "another tool ends and keeps it, without the corner that was taken back");
    assert.ok((await lines()).includes("576,384,640,384"));
    await gm.page.click("#draw-erase");
    for (let i = 0; i < 4; i += 1) await gm.press("Control+z");
    await has(0, "one undo takes each back");
  });

  const dragBetween = async (from, to) => {
    await gm.page.mouse.move(...from);
    await gm.page.mouse.down();
    await gm.page.mouse.move(...to, { steps: 6 });
    await gm.page.mouse.up();
  };

  test("terrain is painted, changed by its fields, and erased cell by cell", async () => {
    await gm.page.click("#draw-terrain");
    await gm.page.fill("#terrain-name", "Mud");
    await gm.page.selectOption("#terrain-cost", "3");
    await gm.page.click("#fit");
    await dragBetween(await gm.at([1, 1]), await gm.at([3, 1]));
    await until(async () => (await readScene()).terrain[0]?.cells.length === 3, "three cells are mud");
    await gm.page.mouse.click(...(await gm.at([1, 2])));
    await until(
      async () => (await readScene()).terrain[0]?.cells.length === 4,
      "like terrain grows together",
    );
    const [mud] = (await readScene()).terrain;
    assert.deepEqual([mud.name, mud.cost, mud.blocks_sight], ["Mud", 3, false]);
    await gm.page.click("#draw-edit");
    await gm.page.mouse.click(...(await gm.at([2, 1])));
    await gm.page.check("#terrain-hidden");
    await until(async () => (await readScene()).terrain[0].hidden, "the mud is hidden");
    await gm.page.click("#draw-erase");
    await gm.page.mouse.click(...(await gm.at([2, 1])));
    await until(async () => (await readScene()).terrain[0].cells.length === 3, "a cell is dry");
  });

  test("the end of a wall is dragged elsewhere, and a wall is removed by its button", async () => {
    const corner = async ([column, row]) => gm.at([column - 0.5, row - 0.5]);
    await gm.page.click("#draw-edit");
    await gm.page.mouse.click(...(await corner([8, 7])));
    await gm.page.locator("#wall-sight").waitFor();
    await dragBetween(await corner([8, 8]), await corner([10, 8]));
    await until(
      async () => (await readScene()).walls.some(({ line }) => String(line) === "512,320,640,512"),
      "the wall leans",
    );
    await gm.page.selectOption("#wall-sight", "none");
    await until(
      async () => (await readScene()).walls.some(({ sight }) => sight === "none"),
      "it is a window",
    );
    await gm.page.click("#draw-remove");
    await until(async () => (await readScene()).walls.length === 3, "the wall is gone");
    assert.deepEqual(gm.errors, []);
  });

  test("a unit gets a picture by a file and by a drop, and shows it in the turn order", async () => {
    await gm.page.click("#draw-edit");
    const [first, second] = (await readScene()).tokens;
    await gm.page.click(`#pick-${first.id}`);
    await gm.page.click("#edit-open");
    await gm.page.setInputFiles("#edit-picture", unitPicture());
    await until(async () => (await readScene()).tokens[0].image.startsWith("/api/"), "the picture is stored");
    await gm.page.locator(`#pick-${first.id} .portrait image`).waitFor({ state: "attached" });
    await gm.page.click("#fit");
    const [x, y] = await gm.at(second.at);
    const bytes = [...unitPicture([20, 60, 220]).buffer];
    await gm.page.evaluate(
      ([clientX, clientY, data]) => {
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(data)], "blue.png", { type: "image/png" }));
        const init = { dataTransfer: files, clientX, clientY, bubbles: true, cancelable: true };
        document.querySelector("#board canvas").dispatchEvent(new DragEvent("drop", init));
      },
      [x, y, bytes],
    );
    await until(async () => (await readScene()).tokens[1].image.startsWith("/api/"), "the dropped one too");
    await until(
      async () => isColored(await gm.page.screenshot({ clip: { x: x - 3, y: y - 3, width: 6, height: 6 } })),
      "the board shows it",
    );
  });

  /** Returns whether a picture is mostly blue. */
  const isColored = (shot) =>
    gm.page.evaluate(
      async (bytes) => {
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const pen = new OffscreenCanvas(1, 1).getContext("2d");
        pen.drawImage(image, 0, 0, 1, 1);
        const [red, , blue] = pen.getImageData(0, 0, 1, 1).data;
        return blue > 150 && red < 90;
      },
      [...shot],
    );

  test("a picture that is none is refused in words", async () => {
    const file = { name: "broken.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
    await gm.page.setInputFiles("#edit-picture", file);
    await gm.sees("#notices .is-error", text("Picture.Failed", { name: "broken.png" }));
    await gm.closesNotices();
    await gm.openTab("setup");
    await gm.page.setInputFiles("#map-file", file);
    await gm.page.locator("#notices .is-error").waitFor();
  });

  test("a unit of one's own is built from the form and placed like the others", async () => {
    await gm.page.click("#own-unit-new");
    await gm.page.fill("#own-unit-name", "Miller");
    await gm.page.setInputFiles("#own-unit-picture", unitPicture([250, 200, 40]));
    await gm.page.locator(".unit-form .picture-now").waitFor({ state: "visible" });
    await gm.page.click("#own-unit-save");
    await gm.page.locator("#own-unit-miller-1").waitFor();
    await gm.page.selectOption("#place-unit", "own:miller-1");
    await gm.page.click("#place-toggle");
    await gm.page.click("#fit");
    await place([6, 2]);
    await gm.page.click("#place-toggle");
    const miller = (await readScene()).tokens.find(({ name }) => name.startsWith("Miller"));
    assert.ok(miller.image.startsWith("/api/"));
  });

  test("a saved battle starts again from the start page", async () => {
    const was = await readScene();
    const download = gm.page.waitForEvent("download");
    await gm.page.click("#battle-save");
    const file = await download;
    assert.equal(file.suggestedFilename(), "The old mill-with-secrets.enfilade.json");
    const folder = mkdtempSync(join(tmpdir(), "enfilade-battle-"));
    await file.saveAs(join(folder, "battle.json"));
    const saved = JSON.parse(readFileSync(join(folder, "battle.json"), "utf8"));
    rmSync(folder, { recursive: true });
    assert.ok(Object.keys(saved.pictures).length >= 3);
    await gm.page.goto(`${origin}/`);
    const buffer = Buffer.from(JSON.stringify(saved));
    await gm.page.setInputFiles("#new-saved", { name: "b.json", mimeType: "application/json", buffer });
    await gm.sees("#connection", text("Connection.connected"));
    await gm.sees("#table-name", "The old mill");
    const now = await readScene();
    assert.notEqual(now.background, was.background);
    assert.deepEqual(
      now.tokens.map(({ id, at, side }) => [id, at, side]),
      was.tokens.map(({ id, at, side }) => [id, at, side]),
    );
    assert.deepEqual(now.walls, was.walls);
  });

  test("the GM's link is replaced in the page, and the old one stops working", async () => {
    const old = gm.page.url();
    await gm.openTab("players");
    await gm.page.click("#rotate-gm");
    await gm.page.click("#confirm-yes");
    await until(async () => gm.page.url() !== old, "the address has changed");
    await gm.sees("#connection", text("Connection.connected"));
    const other = await Player.open(browser, old);
    await other.sees("#connection", text("Connection.refused"));
  });
});

describe("ruler, pings and groups", () => {
  let server, browser, gm, watcher;

  before(async () => {
    server = await (await newTable()).clear();
    browser = await launch();
    gm = await Player.join(browser, server.gm);
    gm.grid = (await server.scene()).grid;
    for (const [id, at] of [
      ["Ada", [3, 3]],
      ["Bea", [4, 3]],
      ["Cay", [3, 4]],
      ["Dov", [9, 9]],
    ])
      await server.command("token.place", miniature(id, "blue", at, ["sword", "shield"]));
    watcher = await Player.join(browser, server.spectator);
    await gm.sees("#tracker", "Dov");
  });
  after(() => browser?.close());

  test("the ruler measures in squares, by mouse and by key", async () => {
    await gm.page.click("#fit");
    await gm.page.click("#ruler");
    await gm.page.mouse.move(...(await gm.at([2, 2])));
    await gm.page.mouse.down();
    await gm.page.mouse.move(...(await gm.at([7, 4])), { steps: 5 });
    await gm.sees("#move-text", "5 squares");
    await gm.page.mouse.up();
    await gm.press("ArrowRight", "ArrowRight");
    await gm.press("Escape", "Escape");
    assert.equal(await gm.page.getAttribute("#ruler", "aria-pressed"), "false");
  });

  test("a ping is announced at every seat, and a spectator has no button for it", async () => {
    await gm.page.click("#ping");
    await gm.page.mouse.click(...(await gm.at([5, 5])));
    const said = text("Ping.At", { name: text("Role.gm"), cell: "F6" });
    await until(
      async () => (await watcher.page.textContent("#announcer")) === said,
      "the spectator hears it",
    );
    assert.equal(await watcher.page.locator("#ping").isVisible(), false);
    await gm.page.keyboard.down("Alt");
    await gm.page.mouse.click(...(await gm.at([6, 6])));
    await gm.page.keyboard.up("Alt");
    await until(
      async () => (await watcher.page.textContent("#announcer"))?.includes("G7"),
      "Alt and a click point too",
    );
  });

  test("picked units move together in formation", async () => {
    await gm.page.keyboard.down("Shift");
    await gm.page.mouse.move(...(await gm.at([1.6, 1.6])));
    await gm.page.mouse.down();
    await gm.page.mouse.move(...(await gm.at([5.4, 5.4])), { steps: 5 });
    await gm.page.mouse.up();
    await gm.page.keyboard.up("Shift");
    await gm.page.mouse.move(...(await gm.at([3, 3])));
    await gm.page.mouse.down();
    await gm.page.mouse.move(...(await gm.at([5, 4])), { steps: 5 });
    await gm.page.mouse.up();
    const places = async () =>
      Promise.all(["Ada", "Bea", "Cay", "Dov"].map(async (id) => String((await server.token(id)).at)));
    await becomes(places, ["5,4", "6,4", "5,5", "9,9"], "three have moved");
    assert.deepEqual(gm.errors, []);
  });

  test("layers follow what one does until a box is set by hand", async () => {
    await gm.press("Escape", "Escape");
    await gm.page.click("#pick-Ada");
    await gm.page.click("#layers-open");
    await gm.page.locator("#layers-auto").waitFor();
    const isOn = (layer) => gm.page.isChecked(`#layer-${layer}`);
    await until(async () => isOn("reach"), "a unit that can act shows where it can go");
    assert.equal(await isOn("blind"), false);
    await gm.sees("#layer-chip", text("Layer.Chip.ready", { name: "Ada" }));
    await gm.page.click("#layers-open");
    await gm.page.mouse.move(...(await gm.at([5, 4])));
    await gm.page.mouse.down();
    await gm.page.mouse.move(...(await gm.at([6, 6])), { steps: 5 });
    await gm.sees("#layer-chip", text("Layer.Chip.moving", { name: "Ada" }));
    await gm.page.keyboard.press("Escape");
    await gm.page.mouse.up();
    await gm.press("Escape");
    await gm.page.locator("#layer-chip").waitFor({ state: "hidden" });
    await gm.page.click("#pick-Ada");
    await gm.page.click("#layers-open");
    await gm.page.check("#layer-blind");
    assert.equal(await gm.page.isChecked("#layers-auto"), false);
    await gm.sees("#layer-chip", text("Layer.Blind.Name"));
  });
});
