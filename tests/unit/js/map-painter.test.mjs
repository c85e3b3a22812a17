// The plan of a painted map: its rooms, what its terrain becomes, and which tiles an edit changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Items } from "../../../plugin_manifest/scripts/board/painter/items.js";
import { visibleRing } from "../../../plugin_manifest/scripts/board/painter/light.js";
import { tileWidth, tilesIn } from "../../../plugin_manifest/scripts/board/painter/map-tiles.js";
import { planMap } from "../../../plugin_manifest/scripts/board/painter/plan.js";
import { noiseAt, periodicNoise } from "../../../plugin_manifest/scripts/board/painter/random.js";
import { grownRings, partsOf, ringsOf } from "../../../plugin_manifest/scripts/board/painter/rings.js";
import { findRooms } from "../../../plugin_manifest/scripts/board/painter/rooms.js";
import { tileKey } from "../../../plugin_manifest/scripts/board/painter/tile.js";
import { artOf, groundOf } from "../../../plugin_manifest/scripts/board/painter/terrain-art.js";

const grid = (kind = "square", columns = 40, rows = 40) => ({ kind, columns, rows, distance: 1, units: "" });
const wall = (line, more) => ({
  id: String(line),
  line: line.map((value) => value * 64),
  move: "normal",
  sight: "normal",
  one_way: "both",
  door: "none",
  state: "closed",
  ...more,
});
const area = (name, cells, more) => ({
  id: name,
  name,
  cells,
  cost: 1,
  blocks_sight: false,
  kind: "",
  hidden: false,
  ...more,
});
const scene = (more) => ({ grid: grid(), walls: [], terrain: [], name: "", ...more });
const box = (left, top, right, bottom) => [
  [left, top, right, top],
  [right, top, right, bottom],
  [right, bottom, left, bottom],
  [left, bottom, left, top],
];
const HOUSE = box(4, 4, 10, 8);

test("walls that close make a room with its area; a gap makes none, and a door is no gap", () => {
  const { all } = findRooms([20, 20], HOUSE);
  assert.deepEqual(
    all.map(({ area, runs }) => [area, runs.length]),
    [[24, 4]],
  );
  assert.equal(findRooms([20, 20], HOUSE.slice(1)).all.length, 0);
  const door = planMap(
    scene({ walls: [...HOUSE.slice(1).map((line) => wall(line)), wall(HOUSE[0], { door: "door" })] }),
  );
  assert.equal(door.items.all.filter(({ art }) => art === "floorRuns").length, 1);
});

test("a room is found beside the board's border, between slanting walls, and inside of another", () => {
  assert.deepEqual(
    findRooms([6, 6], box(0, 0, 3, 6)).all.map(({ area }) => area),
    [18],
  );
  const slanting = findRooms(
    [20, 20],
    [
      [10, 2, 18, 10],
      [18, 10, 10, 18],
      [10, 18, 2, 10],
      [2, 10, 10, 2],
    ],
  ).all;
  assert.ok(Math.abs(slanting[0].area - 128) < 8, String(slanting[0].area));
  const rooms = findRooms([20, 20], [...box(2, 2, 12, 12), ...box(5, 5, 7, 7)]);
  assert.deepEqual(
    rooms.all.map(({ area }) => area).sort((a, b) => a - b),
    [4, 96],
  );
  assert.equal(rooms.at([6, 6])?.area, 4);
  assert.equal(rooms.at([1, 1]), null);
});

test("terrain is painted by its name, else by its kind, else by its effect", () => {
  const art = (name, more) => artOf(area(name, [[0, 0]], more));
  assert.deepEqual(
    [art("Brook"), art("Market stalls"), art("Old oak wood"), art("Thing", { kind: "smoke" })],
    ["water", "stalls", "trees", "smoke"],
  );
  assert.deepEqual(
    [
      art("Xyzzy", { cost: 0, blocks_sight: true }),
      art("Xyzzy", { cost: 0 }),
      art("Xyzzy", { cost: 2 }),
      art(""),
    ],
    ["crag", "crates", "rubble", "dirt"],
  );
  assert.equal(art("Woodland creature"), "dirt"); // whole words only
});

test("the ground is that of the map's name", () => {
  assert.deepEqual(
    ["The brawl on the market", "Crypt of the king", "A meadow", "Düne"].map((name) => groundOf({ name })),
    ["cobble", "rock", "grass", "grass"],
  );
});

test("equal scenes have equal plans, on every grid", () => {
  for (const kind of ["square", "hex_odd_r", "hex_even_q", "gridless"]) {
    const make = () =>
      planMap(
        scene({
          grid: grid(kind, 20, 16),
          walls: HOUSE.map((line) => wall(line)),
          terrain: [
            area(
              "Brook",
              [
                [2, 2],
                [2, 3],
                [3, 3],
              ],
              { cost: 2 },
            ),
            area("Hearth", [[5, 5]], { cost: 0 }),
          ],
        }),
      );
    assert.deepEqual(JSON.stringify(make()), JSON.stringify(make()));
    assert.ok(
      make().items.all.some(({ art }) => art === "water"),
      kind,
    );
    assert.equal(make().flames.length, 1);
  }
});

test("terrain that only the GM sees is not in the picture", () => {
  const plan = (hidden) => planMap(scene({ terrain: [area("Pit", [[5, 5]], { hidden })] }));
  assert.ok(plan(false).items.all.some(({ art }) => art === "pit"));
  assert.ok(!plan(true).items.all.some(({ art }) => art === "pit"));
});

test("an edit changes the keys of its own tiles only", () => {
  const keys = (more) => {
    const plan = planMap(scene(more));
    return [0, 1, 2, 3, 4].map((column) => tileKey(plan, { cells: 8, column, row: 0, isDay: false }));
  };
  const before = keys({});
  const changed = (more) => keys(more).map((key, i) => key !== before[i]);
  assert.deepEqual(changed({ terrain: [area("Crates", [[3, 3]], { cost: 0 })] }), [
    true,
    false,
    false,
    false,
    false,
  ]);
  const walled = changed({ walls: [wall([34, 2, 34, 6])] });
  assert.deepEqual([walled[0], walled[1], walled[4]], [false, false, true]);
  assert.equal(
    new Set([true, false].map((isDay) => tileKey(planMap(scene()), { cells: 8, column: 0, row: 0, isDay })))
      .size,
    2,
  );
});

test("a closed box of one cell is a thing, unless terrain says what it is", () => {
  const walls = box(5, 5, 6, 6).map((line) => wall(line));
  const arts = (terrain) => planMap(scene({ walls, terrain })).items.all.map(({ art }) => art);
  const things = (terrain) => arts(terrain).filter((art) => ["crate", "box", "hearth", "wall"].includes(art));
  assert.equal(things([]).length, 1);
  assert.deepEqual(things([area("Hearth", [[5, 5]])]), ["hearth"]);
});

test("light does not go through walls", () => {
  const ring = visibleRing([5, 5], [[7, -20, 7, 20]], 6);
  assert.ok(ring.every(([x]) => x < 7.01));
  assert.ok(ring.some(([x]) => x < 0));
});

test("borders close into rings, parts are those that touch, and a brook goes on beyond the board", () => {
  const cells = [
    [0, 0],
    [1, 0],
    [4, 4],
  ];
  assert.deepEqual(
    partsOf(grid(), cells).map((part) => part.length),
    [2, 1],
  );
  assert.deepEqual(
    ringsOf(grid(), [
      [0, 0],
      [1, 0],
    ]).map((ring) => ring.length),
    [6],
  );
  assert.equal(ringsOf(grid("hex_odd_r"), [[3, 3]])[0].length, 6);
  const [ring] = grownRings(
    ringsOf(grid(), [
      [0, 0],
      [1, 0],
    ]),
    [40, 40],
    5,
  );
  assert.ok(Math.min(...ring.map(([x]) => x)) < -4);
  assert.ok(ring.every(([x]) => x < 3));
});

test("items are found by what they touch, bottom layers first", () => {
  const items = new Items();
  items.add("plant", "tree", { left: 3, top: 3, right: 3, bottom: 3 }, 1);
  items.add("floor", "floor", { left: 0, top: 0, right: 20, bottom: 4 }, 0);
  const touching = (left) =>
    items.touching({ left, top: 0, right: left + 2, bottom: 4 }).map(({ art }) => art);
  assert.deepEqual([touching(2), touching(10), touching(30)], [["floor", "tree"], ["floor"], []]);
});

test("tiles come from the middle of the view outward, as fine as the zoom needs", () => {
  const painted = { left: -5, top: -5, right: 65, bottom: 65 };
  const found = tilesIn({ left: 10, top: 10, right: 50, bottom: 50 }, painted, 8);
  assert.deepEqual(found[0], [3, 3]);
  assert.equal(found.length, 36);
  assert.equal(tilesIn({ left: -100, top: -100, right: 100, bottom: 100 }, painted, 64).length, 9);
  assert.deepEqual([200, 64, 30, 14, 3].map(tileWidth), [4, 8, 16, 32, 64]);
});

test("noise repeats without a seam, and a place's numbers are spread evenly", () => {
  const noise = periodicNoise(64, 4, 3, 1);
  const gaps = Array.from({ length: 64 }, (_, y) => Math.abs(noise[y * 64] - noise[y * 64 + 63]));
  assert.ok(Math.max(...gaps) < 0.2);
  const counts = [0, 0, 0, 0];
  for (let x = -20; x < 20; x += 1)
    for (let y = -20; y < 20; y += 1) counts[Math.floor(noiseAt(x, y) * 4)] += 1;
  assert.ok(
    counts.every((count) => count > 330 && count < 470),
    String(counts),
  );
});
