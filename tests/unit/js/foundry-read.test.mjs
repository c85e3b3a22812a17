import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sceneSource } from "../../browser/foundry/sources.mjs";
import {
  hitPointsAt,
  hitPointsPath,
  withHitPoints,
} from "../../../plugin_manifest/scripts/foundry/read/hit-points.js";
import {
  hasNewProfile,
  changesTable,
  readScene,
  readTokens,
} from "../../../plugin_manifest/scripts/foundry/read/scene.js";
import { farWalls } from "../../../plugin_manifest/scripts/foundry/read/walls.js";

const DIMENSIONS = { sceneX: 400, sceneY: 300, sceneWidth: 1400, sceneHeight: 1000, size: 100, distance: 5 };
const live = (source, more = {}) => ({
  source,
  dimensions: DIMENSIONS,
  level: null,
  diagonals: 0,
  outlines: {},
  hitPoints: {},
  ...more,
});
const exported = (generation) =>
  JSON.parse(
    readFileSync(new URL(`../importers/fixtures/foundry-${generation}.json`, import.meta.url), "utf8"),
  );

test("a scene with hexes from before Foundry 10 says that their size is the old one", () => {
  const flags = (core) => readScene(live({ ...sceneSource(13), flags: { core, secret: 1 } })).flags;
  assert.deepEqual(flags({ legacyHex: true, other: 1 }), { core: { legacyHex: true } });
  assert.equal(flags({ legacyHex: false }), undefined);
});

for (const generation of [12, 13, 14]) {
  test(`a scene of ${generation} is read with its board, tokens, walls and position on the canvas`, () => {
    const reading = readScene(live(sceneSource(generation)));
    assert.deepEqual(reading.grid, { type: 1, size: 100, distance: 5, units: "ft" });
    assert.deepEqual(reading.dimensions, { sceneX: 400, sceneY: 300, sceneWidth: 1400, sceneHeight: 1000 });
    assert.deepEqual(
      reading.tokens.map(({ name, x, disposition }) => [name, x, disposition]),
      [
        ["Anna", 700, 1],
        ["Grim", 900, -1],
      ],
    );
    assert.deepEqual(
      reading.walls.map(({ door }) => door),
      [0, 1, 0],
    );
  });

  test(`of a scene exported by ${generation} only the fields that the table needs are read`, () => {
    const source = exported(generation);
    source.tokens[0].flags = { other: { secret: 1 }, enfilade: { profile: { a: 1 }, gmNote: "hush" } };
    source.tokens[0].delta = { system: { hush: 1 } };
    const text = JSON.stringify(readScene(live(source)));
    for (const word of ["actorId", "texture", "delta", "hush", "secret", "webp", "gmNote"])
      assert.ok(!text.includes(word), word);
  });
}

test("numbers of a token that are beyond the server's limits do not stop the scene", () => {
  const source = sceneSource(13);
  Object.assign(source.tokens[0], { x: 1e12, y: -1e12, width: 1e6, height: 0, elevation: 1e9 });
  source.tokens[0].name = "A".repeat(5000);
  const { tokens } = readScene(live(source));
  const { name, x, y, width, height, elevation } = tokens[0];
  assert.deepEqual({ x, y, width, height }, { x: 1e7, y: -1e7, width: 500, height: 0.01 });
  assert.equal(elevation, 781.25);
  assert.equal(name.length, 200);
  assert.equal(tokens[1].elevation, 0);
  const paths = new Map([[source.tokens[1]._id, [{ x: 1e9, y: 5 }]]]);
  const some = { tokens: [source.tokens[1]], gone: [], renewed: [], paths };
  assert.deepEqual(readTokens(live(source), some).tokens[0].path, [{ x: 1e7, y: 5 }]);
});

test("hit points that the server would refuse are left out", () => {
  const source = sceneSource(13);
  const [anna, grim] = source.tokens.map(({ _id }) => _id);
  const read = (points) =>
    readScene(live(source, { hitPoints: { [anna]: 2, [grim]: points } })).tokens.map(
      ({ hitPoints }) => hitPoints,
    );
  assert.deepEqual(read(0), [2, 0]);
  for (const points of [-1, 1.5, 1e7, Infinity]) assert.deepEqual(read(points), [2, undefined]);
});

test("walls beyond the table's reach are left out, or cut at it in their direction", () => {
  const cut = (c) => {
    const source = { ...sceneSource(13), walls: [{ ...sceneSource(13).walls[0], c }] };
    return [readScene(live(source)).walls.map((wall) => wall.c)[0], farWalls(live(source))[0]?.isOnMap];
  };
  const [most, least] = [50_200, -49_400]; // 498 cells of 100 pixels from the map's corner at 400, 300
  assert.deepEqual(cut([400, 300, most, 300]), [[400, 300, most, 300], undefined]);
  assert.deepEqual(cut([400, 300, 9e5, 300]), [[400, 300, most, 300], true]);
  assert.deepEqual(cut([9e5, 300, 400, 300]), [[most, 300, 400, 300], true]);
  assert.deepEqual(cut([1e6, 800, -1e6, 800]), [[most, 800, least, 800], true]);
  assert.deepEqual(cut([9e5, 9e5, 9e5, 8e5]), [undefined, false]);
  assert.deepEqual(cut([-9e5, 300, -8e5, 300]), [undefined, false]);
  assert.deepEqual(cut([0, 9e5, 1000, 9e5]), [undefined, false]);
  assert.deepEqual(cut([400, 300, NaN, 300]), [undefined, false]);
  assert.deepEqual(cut([400, null, 500, 300]), [undefined, false]);
});

test("a map of 500 cells keeps its walls up to its end", () => {
  const c = [400, 300, 400 + 500 * 100, 300];
  const source = { ...sceneSource(13), walls: [{ ...sceneSource(13).walls[0], c }] };
  const dimensions = { ...DIMENSIONS, sceneWidth: 50_000 };
  assert.deepEqual(readScene(live(source, { dimensions })).walls[0].c, c);
});

test("the tokens that are linked to one actor are named together", () => {
  const source = sceneSource(13);
  assert.deepEqual(readScene(live(source)).linked, []);
  const [anna, grim] = source.tokens;
  const more = [
    { ...anna, _id: "tokentokenAnna02" },
    { ...anna, _id: "tokentokenAnna03", actorLink: false },
    { ...anna, _id: "tokentokenNone01", actorId: null },
    { ...anna, _id: "tokentokenNone02", actorId: null },
  ];
  const linked = [[anna._id, "tokentokenAnna02"]];
  assert.deepEqual(readScene(live({ ...source, tokens: [...source.tokens, ...more] })).linked, linked);
  const some = { tokens: [grim], gone: [], renewed: [], paths: new Map() };
  assert.deepEqual(readTokens(live({ ...source, tokens: [...source.tokens, ...more] }), some).linked, linked);
});

test("a flag that cannot be a profile is left out", () => {
  for (const profile of ["x", 5, [1], null, true, { ["k".repeat(65)]: 1 }, { a: "x".repeat(20_000) }]) {
    const source = sceneSource(13);
    source.tokens[0].flags = { enfilade: { profile } };
    assert.equal(readScene(live(source)).tokens[0].flags, undefined);
  }
  for (const flags of [null, "x", { enfilade: "x" }, { enfilade: null }]) {
    const source = sceneSource(13);
    source.tokens[0].flags = flags;
    assert.equal(readScene(live(source)).tokens[0].flags, undefined);
  }
});

test("a level is read with its content", () => {
  const reading = readScene(live(sceneSource(14), { level: "defaultLevel0000" }));
  assert.equal(reading.level, "defaultLevel0000");
  assert.deepEqual(reading.levels, [{ _id: "defaultLevel0000", name: "Ground", elevation: { bottom: 0 } }]);
  assert.deepEqual(reading.walls[0].levels, ["defaultLevel0000"]);
  assert.equal(reading.tokens[0].level, "defaultLevel0000");
});

test("a wall is read with its senses, direction, door and height", () => {
  const source = sceneSource(13);
  source.walls = [
    { _id: "w", c: [0, 0, 1, 1], move: 20, sight: 10, light: 30, sound: 40, dir: 1, door: 2, ds: 2 },
  ];
  source.walls[0].flags = { "wall-height": { bottom: 0, top: 10, advanced: 1 }, other: 1 };
  assert.deepEqual(readScene(live(source)).walls, [
    {
      ...{ _id: "w", c: [0, 0, 1, 1], move: 20, sight: 10, light: 30, sound: 40, dir: 1, door: 2, ds: 2 },
      flags: { "wall-height": { bottom: 0, top: 10 } },
    },
  ]);
});

test("a region is read with its outlines and behaviors", () => {
  const source = sceneSource(13);
  const behavior = { type: "modifyMovementCost", disabled: false, system: { difficulties: { walk: 2 } } };
  source.regions = [{ _id: "r", name: "Mud", shapes: [], behaviors: [{ _id: "b", name: "", ...behavior }] }];
  const [mud] = readScene(live(source, { outlines: { r: [[0, 0, 1, 0, 1, 1]] } })).regions;
  assert.deepEqual(mud, {
    _id: "r",
    name: "Mud",
    polygons: [[0, 0, 1, 0, 1, 1]],
    behaviors: [behavior],
  });
});

test("a region whose outlines this page does not know is read with its shapes, for the table to draw", () => {
  const source = sceneSource(13);
  const shapes = [{ type: "circle", x: 5, y: 5, radius: 9 }];
  const elevation = { bottom: null, top: 10 };
  source.regions = [{ _id: "r", name: "Mud", shapes, elevation, behaviors: [] }];
  const [mud] = readScene(live(source)).regions;
  assert.deepEqual([mud.shapes, mud.polygons, mud.elevation], [shapes, undefined, { top: 10 }]);
});

test("of the tiles those with a height are read, without their pictures", () => {
  const source = sceneSource(13);
  const tile = { _id: "t", x: 5, y: 6, width: 100, height: 50, rotation: 90, elevation: 10, hidden: true };
  const occlusion = { modes: [1], alpha: 0 };
  source.tiles = [
    { ...tile, occlusion, texture: { src: "secret.webp" } },
    { ...tile, elevation: 0 },
  ];
  source.foregroundElevation = 30;
  const { _id, ...place } = tile;
  const reading = readScene(live(source));
  assert.deepEqual(reading.tiles, [{ ...place, occlusion: { modes: [1] } }]);
  assert.equal(reading.foregroundElevation, 30);
});

test("a reading of some tokens has the board, but no walls", () => {
  const source = sceneSource(13);
  const passed = [{ x: 5, y: 6 }];
  const paths = new Map([[source.tokens[0]._id, passed]]);
  const reading = readTokens(live(source), { tokens: source.tokens, gone: ["x"], renewed: [], paths });
  assert.deepEqual([reading.gone, reading.walls], [["x"], undefined]);
  assert.deepEqual(reading.tokens.map(({ path }) => path).slice(0, 2), [passed, undefined]);
  assert.equal(reading.name, "The gatehouse");
});

test("changes that the table does not need are skipped", () => {
  assert.ok(changesTable({ x: 1 }));
  assert.ok(changesTable({ flags: { enfilade: { profile: {} } } }));
  assert.ok(!changesTable({ light: {}, bar1: {}, flags: { other: 1 } }));
  assert.ok(!hasNewProfile({ flags: { enfilade: { seq: 3 } } }));
});

test("the hit point path comes from the settings, else the system, else the first bar", () => {
  assert.equal(hitPointsPath("dnd5e", "health", "x"), "health");
  assert.equal(hitPointsPath("dnd5e", " ", "x"), "attributes.hp");
  assert.equal(hitPointsPath("homebrew", "", "vitality"), "vitality");
});

test("hit points are a value with a maximum, a number, or nothing", () => {
  assert.deepEqual(hitPointsAt({ attributes: { hp: { value: 3, max: 9, temp: 1 } } }, "attributes.hp"), {
    value: 3,
    max: 9,
  });
  assert.deepEqual(hitPointsAt({ health: 4 }, "health"), { value: 4, max: null });
  for (const path of ["", "nothing", "attributes.hp.value.deeper", "__proto__", "constructor.name"])
    assert.equal(hitPointsAt({ attributes: { hp: { value: "3" } } }, path), null, path);
  assert.equal(hitPointsAt(null, "health"), null);
});

test("changed hit points reach the table if its rules have that number", () => {
  const token = { id: "a", tracks: { hp: 2, gained: 1 }, body: { cells: [], anchor: [0, 0] } };
  const replica = { bars: { a: { track: "hp", most: 3 } }, scene: { tokens: [token] } };
  assert.deepEqual(withHitPoints(replica, "a", 3), { id: "a", tracks: { hp: 3, gained: 1 } });
  for (const value of [2, 4, -1, 1.5, NaN]) assert.equal(withHitPoints(replica, "a", value), null);
  assert.equal(withHitPoints(replica, "b", 1), null);
  assert.equal(withHitPoints({ ...replica, bars: {} }, "a", 1), null);
});
