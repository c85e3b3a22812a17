// The colors of the sides as people with each kind of color blindness see them: simulated by the matrices of Machado,
// Oliveira and Fernandes (2009, severity 1.0), and compared as distances in CIELAB (CIE76). Where two sides of six come
// closer than that, their shapes differ, which a second test holds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SIDES } from "../../../plugin_manifest/scripts/core/draw/palette.js";

/** Two colors nearer than this are confused at a glance. */
const LEAST = 20;
const SEEN_AS = {
  "with full sight": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "with protanopia": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "with deuteranopia": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  "with tritanopia": [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (color) =>
  [16, 8, 0].map((shift) => {
    const share = ((color >> shift) & 255) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });

const times = (matrix, values) =>
  matrix.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, part, i) => sum + part * values[i], 0),
      ),
    ),
  );

function lab([r, g, b]) {
  const [x, y, z] = [
    (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
    0.2126 * r + 0.7152 * g + 0.0722 * b,
    (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
  ].map((value) => (value > 216 / 24389 ? Math.cbrt(value) : (841 / 108) * value + 4 / 29));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

/** Returns each pair of sides with the distance of their colors. */
function pairs(matrix) {
  const seen = SIDES.map(({ color }) => lab(times(matrix, linear(color))));
  return SIDES.flatMap((one, i) =>
    SIDES.slice(i + 1).map((other, j) => ({ one, other, far: distance(seen[i], seen[i + 1 + j]) })),
  );
}

for (const [who, matrix] of Object.entries(SEEN_AS)) {
  test(`the first two sides are told apart by color ${who}`, () => {
    const found = pairs(matrix)[0].far;
    assert.ok(found >= 2 * LEAST, `distance ${found.toFixed(1)}`);
  });
  test(`sides of like colors have unlike shapes ${who}`, () => {
    for (const { one, other, far } of pairs(matrix))
      assert.ok(far >= LEAST || one.shape !== other.shape, `${one.shape} and ${other.shape}: ${far}`);
  });
}

test("each side has a shape of its own", () =>
  assert.equal(new Set(SIDES.map(({ shape }) => shape)).size, SIDES.length));
