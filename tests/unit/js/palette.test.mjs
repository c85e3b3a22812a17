import assert from "node:assert/strict";
import { test } from "node:test";
import { LAYER_STYLES } from "../../../plugin_manifest/scripts/core/draw/palette.js";
import { LAYERS, layerDigit, neededLayers } from "../../../plugin_manifest/scripts/core/game/layers.js";

// Linear light as seen without red, green or blue cones (Machado, Oliveira and Fernandes 2009, severity 1).
const EYES = {
  "all cones": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "no red cones": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "no green cones": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  "no blue cones": [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** The minimum distance (CIE 1976) between two colors: about seven times the just noticeable difference. */
const LEAST = 16;

const light = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

function lab(color, eye) {
  const rgb = [16, 8, 0].map((shift) => light(((color >> shift) & 255) / 255));
  const seen = eye.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, share, i) => sum + share * rgb[i], 0),
      ),
    ),
  );
  const [r, g, b] = seen;
  const xyz = [
    (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
    0.2126 * r + 0.7152 * g + 0.0722 * b,
    (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
  ];
  const [x, y, z] = xyz.map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

for (const [name, eye] of Object.entries(EYES))
  test(`with ${name} every two layers have distinct colors`, () => {
    LAYERS.forEach((one, i) =>
      LAYERS.slice(i + 1).forEach((other) => {
        const [a, b] = [one, other].map(({ key }) => lab(LAYER_STYLES[key].color, eye));
        const apart = Math.hypot(...a.map((value, axis) => value - b[axis]));
        assert.ok(apart >= LEAST, `${one.key} and ${other.key}: ${apart.toFixed(1)}`);
      }),
    );
  });

test("every layer of any ruleset has its own key: the digits, and 0 for the tenth", () => {
  const digits = LAYERS.map((_, i) => layerDigit(i));
  assert.deepEqual(digits.slice(0, 11), ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", ""]);
});

test("the needed layers are the visible ones, and those that panels read", () => {
  const shown = { reach: false, arc: true, threat: false, targets: false, reactions: false, cover: true };
  const ruleset = { layers: ["reach", "arc", "threat", "targets"] };
  assert.deepEqual(neededLayers(ruleset, shown), ["reach", "arc", "targets"]);
  assert.deepEqual(neededLayers(ruleset, { ...shown, threat: true }), ["reach", "arc", "targets", "threat"]);
});
