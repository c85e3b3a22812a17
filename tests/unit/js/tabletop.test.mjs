import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cellsIn,
  centerOf,
  facingOn,
  isOnMiddle,
  placeGrid,
  placeOf,
  toPixels,
  wireLine,
} from "../../../plugin_manifest/scripts/tabletop/placed-grid.js";
import { commandFor, sceneBody } from "../../../plugin_manifest/scripts/tabletop/scene-body.js";
import { parseSeatLink } from "../../../plugin_manifest/scripts/tabletop/seat-link.js";
import { terrainOf } from "../../../plugin_manifest/scripts/tabletop/terrain-words.js";
import { TabletopWriter, touchedBy } from "../../../plugin_manifest/scripts/tabletop/writer.js";
import { WriteRefused } from "../../../plugin_manifest/scripts/tabletop/refusals.js";
import { center } from "../../../plugin_manifest/scripts/core/map/geometry.js";

const AREA = { left: -60, top: 110, right: 990, bottom: 760 };
const placed = (kind, more = {}) =>
  placeGrid({ kind, size: 100, middle: { x: 50, y: 50 }, area: AREA, distance: 5, units: "ft", ...more });

test("a board covers its map in whole cells, on the tabletop's own lines", () => {
  const { left, top, columns, rows } = placed("square");
  assert.deepEqual([left, top, columns, rows], [-100, 100, 11, 7]);
});

test("a map that ends a hair beyond a cell gets no further one", () => {
  const { columns, rows } = placed("square", { area: { left: -1, top: 0.5, right: 1000.9, bottom: 701 } });
  assert.deepEqual([columns, rows], [10, 7]);
});

test("a scene without a map has a board around the origin, and none is larger than the server takes", () => {
  assert.deepEqual(
    [placed("square", { area: null }).columns, placed("square", { area: null }).left],
    [60, -3000],
  );
  assert.equal(placed("square", { area: { ...AREA, right: 1e6 } }).columns, 500);
});

for (const [kind, middle] of [
  ["hex_odd_r", { x: 0, y: 57.735 }],
  ["hex_odd_q", { x: 57.735, y: 0 }],
])
  test(`on ${kind} each middle of the tabletop's hexes is a middle of the board's`, () => {
    const grid = placed(kind, { middle });
    assert.ok(placeOf(grid, { x: 480, y: 400 }, [1, 1]));
    const isRows = kind === "hex_odd_r";
    for (let line = 2; line < 6; line++)
      for (let n = 1; n < 8; n++) {
        const [along, across] = [n * 100 + (line % 2) * 50, 57.735 + line * 86.6025];
        const point = isRows ? { x: along, y: across } : { x: across, y: along };
        const at = placeOf(grid, point, [1, 1]);
        if (!at) continue;
        const back = toPixels(grid, center(grid, at));
        assert.ok(Math.hypot(back.x - point.x, back.y - point.y) < 0.1, `${point.x}, ${point.y} is ${at}`);
      }
  });

test("a token's place is its top left square, and null beyond the board", () => {
  const grid = placed("square");
  assert.deepEqual(placeOf(grid, { x: 200, y: 300 }, [2, 2]), [2, 1]);
  const token = { at: [2, 1], size: [2, 2] };
  assert.deepEqual(centerOf(grid, token), { x: 200, y: 300 });
  assert.equal(placeOf(grid, { x: 950, y: 300 }, [2, 2]), null);
  assert.equal(placeOf(grid, { x: -500, y: 300 }, [1, 1]), null);
});

test("a token is dropped in the middle of its cells, and hardly ever on its way", () => {
  const grid = placed("square");
  assert.ok(isOnMiddle(grid, { x: 251, y: 249 }, [1, 1]));
  assert.ok(!isOnMiddle(grid, { x: 262, y: 250 }, [1, 1]));
  assert.ok(!isOnMiddle(placed("gridless"), { x: 250, y: 250 }, [1, 1]));
});

test("facings are those that the grid has", () => {
  assert.deepEqual(
    [-10, 50, 359].map((degrees) => facingOn(placed("square"), degrees)),
    [0, 90, 0],
  );
  assert.equal(facingOn(placed("hex_odd_r"), 95), 90);
  assert.equal(facingOn(placed("gridless"), -17.4), 343);
});

test("a wall is cut at the board's edge, and one outside is left out", () => {
  const grid = placed("square");
  assert.deepEqual(wireLine(grid, [-300, 200, 100, 200]), [0, 64, 128, 64]);
  assert.equal(wireLine(grid, [-300, 0, 100, 0]), null);
  assert.equal(wireLine(grid, [100, 200, 100.2, 200]), null, "too short for the wire");
});

test("terrain has the cells whose middles lie in its outline", () => {
  const grid = placed("square");
  assert.deepEqual(
    cellsIn(grid, [90, 190, 290, 190, 290, 290, 90, 290]),
    [
      [2, 1],
      [3, 1],
    ].map(([column, row]) => [column, row]),
  );
});

test("a name says what the ground is, as in a Foundry region", () => {
  assert.deepEqual(terrainOf("Hedge [cover, cost 2]"), {
    name: "Hedge",
    cost: 2,
    kind: "cover",
    height: 0,
    blocks_sight: false,
  });
  assert.deepEqual(terrainOf("Hill [height 10]").height, 10);
  assert.deepEqual(
    [terrainOf("Pond [closed]").cost, terrainOf("Wood [blocks sight]").blocks_sight],
    [0, true],
  );
  assert.equal(terrainOf("Just a drawing"), null);
});

const grid = placed("square");
const piece = (more = {}) => ({
  ...{
    id: "a",
    name: "Anna",
    center: { x: 250, y: 250 },
    size: [1, 1],
    facing: 0,
    hidden: false,
    side: "players",
  },
  ...{ hitPoints: { value: 3, most: 3 }, profile: null, isOut: false, ...more },
});
const known = (more = {}) => ({
  ...{
    id: "a",
    name: "Anna",
    side: "blue",
    at: [3, 1],
    facing: 0,
    size: [1, 1],
    hidden: false,
    owners: ["p1"],
  },
  ...{ elevation: 0, image: "", profile: { race: "elf" }, tracks: { hp: 3 }, conditions: {}, ...more },
});
const scene = (tokens) => ({ id: "s", name: "Yard", grid, tokens, walls: [], terrain: [] });
const replica = (tokens) => ({
  scene: { tokens, sides: [{ id: "blue", name: "Blue" }], walls: [], grid, name: "Yard" },
  bars: { a: { track: "hp", most: 3 } },
  ruleset: { key: "coup_de_grace" },
});

test("a token that the table has already is no news", () => {
  assert.equal(commandFor(scene([piece()]), piece(), replica([known()])), null);
});

test("a token that only moved is a move; any other change is an edit that keeps what only the table knows", () => {
  const moved = piece({ center: { x: 350, y: 250 }, facing: 90 });
  assert.deepEqual(commandFor(scene([moved]), moved, replica([known()])), {
    kind: "token.move",
    body: { token: "a", at: [4, 1], facing: 90 },
  });
  const { kind, body } = commandFor(
    scene([]),
    piece({ hitPoints: { value: 1, most: 3 } }),
    replica([known()]),
  );
  assert.equal(kind, "token.place");
  assert.deepEqual(
    [body.token.tracks, body.token.owners, body.token.side, body.token.profile],
    [{ hp: 1 }, ["p1"], "blue", { race: "elf" }],
  );
});

test("hit points that the rules do not have stay with the tabletop", () => {
  for (const value of [7, -1, 1.5])
    assert.equal(commandFor(scene([]), piece({ hitPoints: { value, most: 9 } }), replica([known()])), null);
});

test("a facing that the rules took does not come back", () => {
  const { body } = commandFor(
    scene([]),
    piece({ center: { x: 350, y: 250 } }),
    replica([known({ facing: null })]),
  );
  assert.equal(body.facing, null);
});

test("a scene names the sides that its tokens use, by the table's names", () => {
  const body = sceneBody(scene([piece(), piece({ id: "b", side: "foes" })]), replica([known()]));
  assert.deepEqual(body.scene.sides, [
    { id: "blue", name: "Blue" },
    { id: "foes", name: "Foes" },
  ]);
  assert.deepEqual(body.hit_points, { a: 3, b: 3 });
});

test("names lose what would steer a text", () => {
  const body = sceneBody(scene([piece({ name: "Gr\u202eim\u0007" })]), replica([known()]));
  assert.equal(body.scene.tokens[0].name, "Gr im");
});

test("a link names its server, and only a web address", () => {
  assert.deepEqual(parseSeatLink("https://a.example/board/#table=t&key=k"), {
    table: "t",
    key: "k",
    url: "https://a.example",
  });
  assert.equal(parseSeatLink("javascript:x#table=t&key=k").url, "");
  assert.equal(parseSeatLink("https://a.example/"), null);
});

/** A tabletop that refuses the first writes. */
function stubborn(times, retryMs) {
  const writes = [];
  const move = async (id, to) => {
    writes.push([id, to]);
    if (writes.length <= times) throw new WriteRefused("busy", retryMs);
  };
  return {
    writes,
    move,
    readScene: async () => scene([piece()]),
    setOut: async () => {},
    setHitPoints: async () => {},
  };
}

test("a write that the tabletop puts off is written again; one that it refuses is reported", async () => {
  const refusals = [];
  const client = { replica: { ...replica([known({ at: [5, 2] })]) } };
  const touched = { tokens: new Set(["a"]), doors: new Set() };
  const patient = stubborn(2, 1);
  await new TabletopWriter(client, patient, (...what) => refusals.push(what)).write(touched);
  assert.deepEqual([patient.writes.length, refusals], [3, []]);
  assert.deepEqual(patient.writes.at(-1), ["a", { x: 450, y: 350 }]);
  const final = stubborn(9, null);
  await new TabletopWriter(client, final, (...what) => refusals.push(what)).write(touched);
  assert.deepEqual([final.writes.length, refusals], [1, [["Anna", "busy"]]]);
});

test("a write waits until the tabletop shows the table's scene", async () => {
  const other = stubborn(0, null);
  const client = { replica: { ...replica([known({ at: [5, 2] })]) } };
  client.replica.scene.name = "Another";
  await new TabletopWriter(client, other, () => {}).write({ tokens: new Set(["a"]), doors: new Set() });
  assert.deepEqual(other.writes, []);
});

test("the tokens and doors that entries change are known", () => {
  const events = [
    { type: "token_moved", token: "a" },
    { type: "track_set", holder: "b" },
    { type: "door_set", wall: "d" },
    { type: "explained" },
  ];
  const { tokens, doors } = touchedBy([{ events }]);
  assert.deepEqual([[...tokens], [...doors]], [["a", "b"], ["d"]]);
});
