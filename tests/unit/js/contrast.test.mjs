// The contrast of the page's text on its panels, over the darkest and the brightest map: computed, because a browser's
// tests cannot see through a panel.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const LEAST = 4.5;
const css = readFileSync(new URL("../../../plugin_manifest/styles/tokens.css", import.meta.url), "utf8");

/** Returns the colors of a theme, each as red, green, blue (0 to 255) and opacity. */
function colorsOf(theme) {
  const blocks = [css.match(/:root \{([\s\S]*?)\n\}/)[1]];
  if (theme === "light") blocks.push(css.match(/\[data-theme="light"\] \{([\s\S]*?)\n\}/)[1]);
  const found = {};
  for (const [, name, value] of blocks.join("\n").matchAll(/--([\w-]+): ([^;]+);/g)) {
    const hex = value.match(/^#([0-9a-f]{6})$/);
    const rgb = value.match(/^rgb\((\d+) (\d+) (\d+) \/ (\d+)%\)$/);
    if (hex) found[name] = [...hex[1].match(/../g).map((pair) => parseInt(pair, 16)), 1];
    else if (rgb) found[name] = [...rgb.slice(1, 4).map(Number), Number(rgb[4]) / 100];
  }
  return found;
}

const over = ([r, g, b, a], below) => [r, g, b].map((value, i) => value * a + below[i] * (1 - a));

function luminance(rgb) {
  const [r, g, b] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

for (const theme of ["dark", "light"]) {
  const colors = colorsOf(theme);
  const maps = [
    [0, 0, 0],
    [255, 255, 255],
  ];
  for (const text of ["text", "quiet", "side-a", "side-b", "good", "bad", "gm", "warn"])
    test(`${text} is readable on every panel over any map, ${theme}`, () => {
      for (const map of maps) {
        const glass = over(colors.glass, map);
        // Secret lines have their own ground and color.
        const grounds = text === "gm" ? [over(colors["gm-deep"], glass)] : [glass, over(colors.raise, glass)];
        for (const ground of grounds) {
          const found = contrast(over(colors[text], ground), ground);
          assert.ok(found >= LEAST, `${text} over ${map}: ${found.toFixed(2)}`);
        }
      }
    });
  test(`the next step is readable, ${theme}`, () =>
    assert.ok(contrast(colors.primary.slice(0, 3), colors["on-primary"].slice(0, 3)) >= 7));
}
