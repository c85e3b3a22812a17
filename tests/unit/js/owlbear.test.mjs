import assert from "node:assert/strict";
import { test } from "node:test";
import { CellSet } from "../../../plugin_manifest/scripts/core/draw/cell-set.js";
import {
  doorOf,
  DOORS_KEY,
  fogWalls,
  usesDynamicFog,
} from "../../../plugin_manifest/scripts/owlbear/fog-walls.js";
import { contoursOf, toScene } from "../../../plugin_manifest/scripts/owlbear/outlines.js";
import { drawnMarks, MOST_COMMANDS } from "../../../plugin_manifest/scripts/owlbear/overlay-paths.js";
import { imageCenter, readScene } from "../../../plugin_manifest/scripts/owlbear/read-items.js";
import { strokesOf } from "../../../plugin_manifest/scripts/owlbear/stroke-font.js";
import { readHitPoints, writeHitPoints } from "../../../plugin_manifest/scripts/owlbear/trackers.js";
import { UnfitScene } from "../../../plugin_manifest/scripts/tabletop/refusals.js";

const item = (more) => ({
  ...{ id: "i", type: "SHAPE", layer: "FOG", name: "", visible: true, createdUserId: "gm", metadata: {} },
  ...{ position: { x: 100, y: 200 }, rotation: 0, scale: { x: 1, y: 1 }, ...more },
});
const round = (line) => line.map((value) => Math.round(value) || 0);

test("a rectangle of fog is four walls, moved, turned and scaled as it lies", () => {
  const walls = fogWalls([
    item({ shapeType: "RECTANGLE", width: 50, height: 30, rotation: 90, scale: { x: 2, y: 1 } }),
  ]);
  assert.deepEqual(
    walls.map(({ line }) => round(line)),
    [
      [100, 200, 100, 300],
      [100, 300, 70, 300],
      [70, 300, 70, 200],
      [70, 200, 100, 200],
    ],
  );
});

test("drawings on other layers are no walls", () => {
  assert.deepEqual(fogWalls([item({ layer: "DRAWING", shapeType: "RECTANGLE", width: 9, height: 9 })]), []);
});

test("a door parts the wall that it lies on, also around a corner", () => {
  const doors = [{ open: true, start: { distance: 40, index: 0 }, end: { distance: 20, index: 0 } }];
  const line = item({
    type: "LINE",
    startPosition: { x: 0, y: 0 },
    endPosition: { x: 100, y: 0 },
    metadata: { [DOORS_KEY]: doors },
  });
  const walls = fogWalls([line]).map(({ line: at, door, state }) => [...round(at), door, state]);
  assert.deepEqual(walls, [
    [100, 200, 120, 200, "none", "closed"],
    [140, 200, 200, 200, "none", "closed"],
    [140, 200, 120, 200, "door", "open"],
  ]);
});

test("broken doors of another program are no doors", () => {
  for (const doors of ["x", [null], [{ start: { distance: "9", index: 0 } }], [{ start: {}, end: {} }]])
    assert.equal(
      fogWalls([item({ shapeType: "RECTANGLE", width: 9, height: 9, metadata: { [DOORS_KEY]: doors } })])
        .length,
      4,
    );
});

test("a door's ID leads back to its drawing", () => {
  assert.deepEqual(doorOf("a-b-d12"), { item: "a-b", index: 12 });
  assert.equal(doorOf("a-b-0-3"), null);
});

test("fog drawings count as walls where Dynamic Fog has left its mark", () => {
  assert.ok(usesDynamicFog([item({ metadata: { "rodeo.owlbear.dynamic-fog-plus/x": 1 } })]));
  assert.ok(!usesDynamicFog([item({ metadata: { "com.example/x": 1 } })]));
});

test("paths and curves become lines close to them", () => {
  const commands = [[0, 0, 0], [4, 0, 50, 50, 100, 100, 100], [5]];
  const [{ points, isClosed }] = contoursOf({ type: "PATH", commands });
  assert.ok(isClosed && points.length > 3 && points.length < 12);
  const curve = {
    type: "CURVE",
    points: [0, 50, 100].map((x) => ({ x, y: x % 100 })),
    style: { tension: 0.5, closed: false },
  };
  assert.deepEqual(contoursOf(curve)[0].points[0], { x: 0, y: 0 });
  const endless = { type: "PATH", commands: Array.from({ length: 100_000 }, (_, i) => [1, i % 7, i]) };
  assert.ok(contoursOf(endless)[0].points.length <= 8192);
});

test("an image's center is not where its offset lies", () => {
  const token = item({
    image: { width: 300, height: 600 },
    grid: { dpi: 300, offset: { x: 150, y: 150 } },
    rotation: 90,
  });
  assert.deepEqual(round(Object.values(imageCenter(token, 150))), [25, 200]);
  assert.deepEqual(toScene(token, { x: 0, y: 0 }), { x: 100, y: 200 });
});

const host = (more = {}) => ({
  ...{ items: [], type: "SQUARE", dpi: 150, middle: { x: 75, y: 75 }, scale: { multiplier: 5, unit: "ft" } },
  ...{
    own: { id: "abcdef", hasFogWalls: null },
    gms: new Set(["gm"]),
    keys: { profile: "p", out: "o" },
    ...more,
  },
});

test("a grid without rules is refused with a sentence", () => {
  assert.throws(() => readScene(host({ type: "ISOMETRIC" })), UnfitScene);
});

test("tokens are images of characters that are attached to nothing; mirrored ones are as large", () => {
  const image = {
    type: "IMAGE",
    layer: "CHARACTER",
    image: { width: 600, height: 300 },
    grid: { dpi: 300, offset: { x: 300, y: 150 } },
  };
  const items = [
    item({
      ...image,
      id: "a",
      name: "A",
      scale: { x: -1, y: 1 },
      createdUserId: "mia",
      metadata: { p: "no profile" },
    }),
    item({ ...image, id: "b", attachedTo: "a" }),
    item({ ...image, id: "c", layer: "PROP" }),
  ];
  const { tokens } = readScene(host({ items }));
  assert.deepEqual(
    tokens.map(({ id, size, side, profile }) => [id, size, side, profile]),
    [["a", [2, 1], "players", null]],
  );
});

const KEYS = {
  bubbles: "com.owlbear-rodeo-bubbles-extension/metadata",
  grimoire: "com.bitperfect-software.hp-tracker/data",
  owl: "com.owl-trackers/trackers",
  flat: "com.battle-system.clash/clash_currentHP",
};

test("hit points are found and written where an extension keeps them, in its own form", () => {
  const all = {
    [KEYS.bubbles]: { health: 7, "max health": 9, hide: true },
    [KEYS.grimoire]: { hp: 7, maxHp: 9, initiative: 3 },
    [KEYS.owl]: [
      { id: "x", name: "Ammo", value: 3 },
      { id: "y", name: "HP", value: 7, max: 9 },
    ],
    [KEYS.flat]: "7",
  };
  for (const [key, value] of Object.entries(all)) {
    const metadata = structuredClone({ [key]: value });
    assert.equal(readHitPoints(metadata).value, 7, key);
    writeHitPoints(metadata, 4);
    assert.equal(readHitPoints(metadata).value, 4, key);
  }
  const kept = { [KEYS.flat]: "7" };
  writeHitPoints(kept, 4);
  assert.equal(kept[KEYS.flat], "4");
  assert.equal(readHitPoints({ [KEYS.bubbles]: { health: "lots" } }), null);
  const empty = {};
  writeHitPoints(empty, 4);
  assert.deepEqual(empty, {});
});

const GRID = { kind: "square", columns: 200, rows: 200, distance: 1, units: "", left: 0, top: 0, size: 128 };

test("no path is longer than the host takes", () => {
  const cells = CellSet.ofRuns(Array.from({ length: 100 }, (_, row) => [row, 0, 99]));
  const marks = [{ kind: "cells", grid: GRID, cells, style: { color: 1, fill: 0.3, pattern: "bricks" } }];
  const { paths } = drawnMarks(marks, GRID);
  assert.ok(Math.max(...paths.map(({ commands }) => commands.length)) <= MOST_COMMANDS);
  const fills = paths.filter(({ style }) => style.fillOpacity > 0);
  assert.equal(fills.flatMap(({ commands }) => commands).filter(([command]) => command === 0).length, 10_000);
});

test("each pattern is told by strokes, not by its color alone", () => {
  const patterns = ["right", "left", "level", "upright", "cross", "dots", "zigzag", "bricks", "rings"];
  const drawn = patterns.map((pattern) => {
    const style = { color: 1, fill: 0.3, pattern };
    return JSON.stringify(
      drawnMarks([{ kind: "cells", grid: GRID, cells: CellSet.of([[1, 1]]), style }], GRID).paths.map(
        ({ commands }) => commands,
      ),
    );
  });
  assert.equal(new Set(drawn).size, patterns.length);
});

test("costs are strokes: all digits differ", () => {
  const digits = [..."0123456789!"].map((sign) => JSON.stringify(strokesOf(sign, [0, 0], 20)));
  assert.equal(new Set(digits).size, 11);
  assert.equal(strokesOf("12", [0, 0], 20).length, 2 + 5);
});
