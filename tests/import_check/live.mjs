// Reads Foundry scenes with the module's own reading: JSON lines in, what the module would send out.
//
// A line has the scene's source as Foundry holds it, and what the page knows beside it: the map's place on the canvas,
// the viewed level and the regions' outlines, worked out by the caller.

import { createInterface } from "node:readline";
import { readScene } from "../../plugin_manifest/scripts/foundry/read/scene.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { source, dimensions, level, outlines } = JSON.parse(line);
  const scene = { source, dimensions, level, diagonals: 0, outlines, hitPoints: {} };
  console.log(JSON.stringify(readScene(scene)));
}
