import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cellMarks,
  dashed,
  gridMarks,
  groundMarks,
  regionMarks,
  paintedTerrainMarks,
  terrainMarks,
} from "../../../plugin_manifest/scripts/core/draw/board-marks.js";
import { bodyMarks, doorMarks, wallMarks } from "../../../plugin_manifest/scripts/core/draw/wall-marks.js";
import {
  overlayLayers,
  reactionLabels,
  targetsByToken,
} from "../../../plugin_manifest/scripts/core/draw/overlay-marks.js";
import { ghostMarks, tokenMarks } from "../../../plugin_manifest/scripts/core/draw/token-marks.js";
import { initials } from "../../../plugin_manifest/scripts/core/draw/token-names.js";
import { maxHitPoints } from "../../../plugin_manifest/scripts/core/game/hit-points.js";
import { LAYER_STYLES, SIDES, STONE } from "../../../plugin_manifest/scripts/core/draw/palette.js";
import { LAYERS, availableLayers } from "../../../plugin_manifest/scripts/core/game/layers.js";
import { entry, overlay, reach, scene, target, token, wall } from "./scenes.mjs";

const layer = (of, key) => overlayLayers(scene(), of).find((one) => one.key === key).marks;
const texts = (marks) => marks.filter((mark) => mark.kind === "text").map((mark) => mark.text);
/** Returns the cells of a set as text. */
const inThem = (cells) => {
  const found = [];
  cells.each((column, row) => found.push(`${column},${row}`));
  return found;
};
const none = { selected: null, maxHitPoints: {} };

test("without an overlay every layer is empty", () => {
  assert.deepEqual(
    overlayLayers(scene(), null),
    LAYERS.map(({ key }) => ({ key, marks: [] })),
  );
});

test("every layer has its own pattern as well as its own color", () => {
  const styles = LAYERS.map(({ key }) => LAYER_STYLES[key]);
  assert.equal(new Set(styles.map(({ pattern }) => pattern)).size, LAYERS.length);
  assert.equal(new Set(styles.map(({ color }) => color)).size, LAYERS.length);
});

test("every side has its own shape as well as its own color", () => {
  assert.equal(new Set(SIDES.map(({ shape }) => shape)).size, SIDES.length);
  assert.equal(new Set(SIDES.map(({ color }) => color)).size, SIDES.length);
});

test("reach shows the cost at the center of each cell, and a sign where the path provokes an enemy", () => {
  const marks = layer(
    overlay({
      reach: reach({
        cells: [
          [1, 0, 1],
          [2, 0, 3],
          [3, 0, 3],
        ],
        provocations: [{ token: "orc", act: "Axe", chance: null, damage: null }],
        provokes: [[3, 0, [0]]],
      }),
    }),
    "reach",
  );
  const costs = marks.filter((mark) => mark.kind === "texts");
  assert.deepEqual(
    costs.map(({ text, cells }) => [text, cells.map((cell) => cell.slice(0, 2))]),
    [
      ["1", [[1, 0]]],
      ["3", [[2, 0]]],
      ["3 !", [[3, 0]]],
    ],
  );
});

test("adjacent cells are filled at once, with one outline", () => {
  const marks = layer(overlay({ areas: [{ layer: "sight", label: "", runs: [[1, 2, 4]] }] }), "sight");
  assert.deepEqual(
    marks.map((mark) => mark.kind),
    ["cells", "lines"],
  );
  assert.deepEqual(inThem(marks[0].cells), ["2,1", "3,1", "4,1"]);
  assert.equal(marks[1].points.length, 8 * 4);
});

test("an area appears on its own layer only", () => {
  const blind = overlay({ areas: [{ layer: "blind", label: "", runs: [[0, 0, 0]] }] });
  assert.deepEqual(
    LAYERS.filter(({ key }) => layer(blind, key).length).map(({ key }) => key),
    ["blind"],
  );
});

test("a range band has its label", () => {
  assert.deepEqual(
    texts(layer(overlay({ areas: [{ layer: "ranges", label: "-1", runs: [[2, 0, 4]] }] }), "ranges")),
    ["-1"],
  );
});

test("ranges over the same cells share a label of several lines, so that none covers another", () => {
  const area = (label, runs = [[2, 0, 4]]) => ({ layer: "ranges", label, runs });
  const areas = [area("Sword: reach"), area("Dagger: reach"), area("Bow: 60", [[0, 0, 9]])];
  assert.deepEqual(texts(layer(overlay({ areas }), "ranges")), ["Sword: reach\nDagger: reach", "Bow: 60"]);
});

test("a legal target shows its best chance, an illegal one shows none", () => {
  const both = [
    target("b", { legal: false, why: "Too far." }),
    target("b", { chance: [1, 3] }),
    target("b", { chance: [2, 3] }),
  ];
  assert.deepEqual(texts(layer(overlay({ targets: both }), "targets")), ["67 %"]);
  assert.deepEqual(texts(layer(overlay({ targets: both.slice(0, 1) }), "targets")), []);
  assert.ok(layer(overlay({ targets: both.slice(0, 1) }), "targets").length > 0);
});

test("acts are grouped by target, legal and likely ones first, without the acts that have no target", () => {
  const acts = [
    target("b", { legal: false }),
    target("", {}),
    target("b", { chance: [1, 6] }),
    target("b", { chance: [5, 6] }),
  ];
  const gathered = targetsByToken(overlay({ targets: acts }));
  assert.deepEqual([...gathered.keys()], ["b"]);
  assert.deepEqual(
    gathered.get("b").map(({ legal, chance }) => legal && chance[0]),
    [5, 1, false],
  );
});

test("a target off the board is not drawn", () => {
  assert.deepEqual(layer(overlay({ targets: [target("nobody")] }), "targets"), []);
});

test("a token shows its initials, and a token off the board is not drawn", () => {
  const board = scene({ tokens: [token("a", { name: "Orc axeman 3" }), token("b", { at: null })] });
  assert.deepEqual(texts(tokenMarks(board, none)), ["OA3"]);
  assert.deepEqual(
    [initials("Grim"), initials("Orc 12"), initials("The old red dragon")],
    ["G", "O12", "TO"],
  );
});

test("a token without a facing has no notch, a downed one is flat and crossed", () => {
  const marks = (more) => tokenMarks(scene({ tokens: [token("a", more)] }), none);
  assert.equal(marks({ facing: 0 }).length - marks({ facing: null }).length, 2);
  const height = (list) => {
    const ys = list.find((mark) => mark.kind === "polygon").points.filter((_, i) => i % 2);
    return Math.max(...ys) - Math.min(...ys);
  };
  const down = marks({ facing: null, conditions: { downed: "" } });
  assert.ok(height(down) < 0.6 * height(marks({ facing: null })));
  assert.ok(down.some((mark) => mark.kind === "lines"));
});

test("a hidden token is labeled and pale", () => {
  const marks = tokenMarks(scene({ tokens: [token("a", { hidden: true })] }), none);
  assert.ok(texts(marks).includes("hidden"));
});

test("hit points are dots, filled for those left, or numbers if many", () => {
  const dots = tokenMarks(scene({ tokens: [token("a", { tracks: { hp: 1 } })] }), {
    selected: null,
    maxHitPoints: { a: 3 },
  }).filter((mark) => mark.kind === "circle");
  assert.equal(dots.filter((mark) => mark.radius === 3 && mark.style.fill === 1).length, 1);
  assert.equal(dots.filter((mark) => mark.radius === 3).length, 3);
  const many = tokenMarks(scene({ tokens: [token("a", { tracks: { hp: 12 } })] }), {
    selected: null,
    maxHitPoints: { a: 20 },
  });
  assert.ok(texts(many).includes("12/20"));
});

test("the maximum of hit points comes from the scene, from placing, and from wounds in the log", () => {
  const log = [
    entry(1, [{ type: "token_placed", token: token("a", { tracks: { hp: 5 } }) }]),
    entry(2, [{ type: "track_set", holder: "b", track: "hp", value: 2, was: 4 }]),
    entry(3, [], { facts: { target: "c", hit_points: [6, 5] } }),
  ];
  assert.deepEqual(
    maxHitPoints(
      scene({ tokens: [token("a", { tracks: { hp: 1 } }), token("d", { tracks: { hp: 2 } })] }),
      log,
    ),
    { a: 5, b: 4, c: 6, d: 2 },
  );
});

test("a dragged token shows the cost", () => {
  assert.ok(
    texts(ghostMarks(scene(), token("a"), { at: [2, 2], facing: 90, text: "costs 2 of 4" })).includes(
      "costs 2 of 4",
    ),
  );
});

test("walls, doors, locked and secret doors look different", () => {
  const marks = (more) => JSON.stringify(wallMarks(scene().grid, [wall("w", [0, 0, 64, 0], more)]));
  const looks = [
    {},
    { sight: "none" },
    { door: "door" },
    { door: "door", state: "open" },
    { door: "door", state: "locked" },
    { door: "secret" },
  ].map(marks);
  assert.equal(new Set(looks).size, looks.length);
});

test("walls are bodies, narrower over a picture; a painted map keeps doors apart from them", () => {
  const walls = [wall("w", [0, 0, 64, 0]), wall("d", [64, 0, 128, 0], { door: "door" })];
  const widths = (isOnPicture) => bodyMarks(scene().grid, walls, isOnPicture).map(({ style }) => style.width);
  assert.ok(widths(false)[1] >= 16 && widths(true)[1] >= 8 && widths(true)[1] < widths(false)[1]);
  assert.deepEqual(doorMarks(scene().grid, [walls[0]]), []);
  assert.ok(doorMarks(scene().grid, walls).length > 0);
});

test("a wall of no length is drawn", () => {
  assert.ok(wallMarks(scene().grid, [wall("w", [64, 64, 64, 64], { door: "door" })]).length > 0);
  assert.deepEqual(dashed([0, 0, 0, 0]).map(Number.isFinite), [true, true, true, true]);
});

const ground = (cost, kind = "", name = "mud") => ({
  id: "t",
  name,
  cells: [[0, 0]],
  cost,
  blocks_sight: false,
  kind,
});

test("difficult terrain shows its factor, impassable terrain and terrain of a kind its name", () => {
  const said = (...areas) => texts(terrainMarks(scene({ terrain: areas })));
  assert.deepEqual([said(ground(1)), said(ground(2)), said(ground(0))], [[], ["×2"], ["mud"]]);
  assert.deepEqual(said(ground(0, "", "")), ["impassable"]);
  assert.deepEqual(said(ground(1, "smoke", "Smoke"), ground(3, "bog", "Bog")), ["Smoke", "Bog ×3"]);
});

test("over a painted map terrain has its true border and its name, a floor nothing, hidden terrain its own look", () => {
  const marks = (area) => paintedTerrainMarks(scene({ terrain: [area] }));
  assert.deepEqual(marks(ground(1)), []);
  assert.deepEqual([texts(marks(ground(2))), marks(ground(2))[0].kind], [["mud ×2"], "lines"]);
  assert.equal(marks({ ...ground(2), hidden: true })[0].kind, "cells");
});

test("impassable terrain is a light solid block on plain ground, and leaves a picture visible", () => {
  const fill = (background) => terrainMarks(scene({ background, terrain: [ground(0)] }))[0].style;
  assert.deepEqual([fill("").pattern, fill("").color], ["solid", STONE]);
  assert.equal(fill("/map.png").pattern, "cross");
});

test("a board without a picture has ground under every cell, one with a picture none", () => {
  const grid = { kind: "hex_odd_r", columns: 4, rows: 3, distance: 1, units: "" };
  assert.equal(groundMarks({ grid, background: "" })[0].cells.size, 12);
  assert.equal(groundMarks(scene({ background: "" })).length, 1);
  assert.deepEqual(groundMarks({ grid, background: "/map.png" }), []);
});

test("regions have borders heavier than the grid", () => {
  const grid = { kind: "hex_odd_r", columns: 4, rows: 3, distance: 1, units: "" };
  const marks = regionMarks(grid, [{ layer: "regions", label: "one", runs: [[0, 0, 1]] }]);
  assert.equal(marks[0].points.length / 4, 10);
  assert.ok(marks.every(({ style }) => style.width > gridMarks({ grid, background: "" })[0].style.width));
  assert.deepEqual(regionMarks(grid, []), []);
});

test("a token with a footprint is drawn on all its cells, and so is its ghost", () => {
  const cells = [
    [2, 2],
    [3, 2],
  ];
  const big = token("a", { at: [2, 2], body: { cells, anchor: [2, 2] } });
  const filled = (marks) => marks.find((mark) => mark.kind === "cells");
  const drawn = filled(tokenMarks(scene({ tokens: [big] }), none));
  assert.deepEqual(
    [inThem(drawn.cells), drawn.shift],
    [
      ["2,2", "3,2"],
      [0, 0],
    ],
  );
  const ghost = ghostMarks(scene({ tokens: [big] }), big, { at: [4, 3], facing: null, text: "" });
  assert.deepEqual(
    [inThem(filled(ghost).cells), filled(ghost).shift],
    [
      ["2,2", "3,2"],
      [128, 64],
    ],
  );
});

test("reactions are labeled beside the reacting token, and listed for it", () => {
  const area = (label, column) => ({ layer: "reactions", label, runs: [[4, column, column]] });
  const reactions = overlay({ areas: [area("Move: Free Attack by b", 3), area("Strike: Counter by b", 3)] });
  assert.deepEqual(texts(layer(reactions, "reactions")), ["Move:\nFree Attack by b\nStrike:\nCounter by b"]);
  const [still] = overlayLayers(scene(), reactions, { hasReactions: false }).filter(
    ({ key }) => key === "reactions",
  );
  assert.deepEqual([texts(still.marks), still.marks.length > 0], [[], true], "the place alone");
  assert.deepEqual(reactionLabels(reactions, token("b", { at: [3, 4] })), [
    "Move: Free Attack by b",
    "Strike: Counter by b",
  ]);
  assert.deepEqual(reactionLabels(reactions, token("c", { at: [5, 4] })), []);
});

test("only the layers of the ruleset are listed, in the order of the legend", () => {
  const listed = availableLayers({ layers: ["targets", "reactions", "reach"] });
  assert.deepEqual(
    listed.map(({ key }) => key),
    ["reach", "reactions", "targets"],
  );
});

test("a square grid is lines, a hex grid polygons, a gridless board only its border", () => {
  const marks = (kind) => gridMarks(scene({ grid: { kind, columns: 4, rows: 3, distance: 1, units: "" } }));
  assert.deepEqual(
    marks("square").map(({ kind }) => kind),
    ["lines", "polygon"],
  );
  assert.equal(marks("hex_odd_r").length, 12);
  assert.equal(marks("gridless").length, 1);
});

test("no cells make no marks", () => {
  assert.deepEqual(cellMarks(scene().grid, [], { color: 0, fill: 1, line: 1 }), []);
});
