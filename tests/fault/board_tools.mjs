// The board's own tools without a page: reads a gesture from each line of its input, and writes the commands that
// the tools send for it, as JSON. The IDs that the tools draw follow from the gesture's `seed`.

import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import { MapTools, newTerrain } from "../../plugin_manifest/scripts/board/input/map-tools.js";
import { Board, pageStore } from "../../plugin_manifest/scripts/board/page/page-state.js";
import { toPlane } from "../../plugin_manifest/scripts/core/map/geometry.js";
import { GmCommands } from "../../plugin_manifest/scripts/core/game/gm-commands.js";
import { Store } from "../../plugin_manifest/scripts/core/game/store.js";

let [seed, drawn] = ["", 0];
crypto.getRandomValues = (bytes) => {
  bytes.set(createHash("sha256").update(`${seed} ${drawn++}`).digest().subarray(0, bytes.length));
  return bytes;
};

/** Return the tools of a page that shows a scene, and the commands that they send. */
function opened({ scene, catalog }) {
  const sent = [];
  const store = new Store({ replica: { scene, ruleset: { catalog }, role: "gm", seq: 1 }, target: null });
  const page = pageStore();
  // No gesture has a second change, which would wait for the entry of its first.
  const session = {
    send: async (kind, body) => (sent.push([kind, body]), { seq: 2 }),
    reaches: async () => {},
  };
  const commands = new GmCommands(store, session, { error: () => {}, info: () => {} });
  const parts = { store, page, board: new Board(store, page), commands, announce: () => {} };
  return { sent, commands, tools: new MapTools(parts) };
}

const GESTURES = {
  /** Draws a wall, a door, a secret door or a window along points. */
  draw: ({ tools }, { tool, points }) => {
    tools.take(tool);
    for (const point of points) tools.addPoint(point);
    tools.finish();
  },
  /** Draws between two shares of the length of a line of the scene, such as a door in a wall. */
  drawAlong: (own, { scene, tool, line, shares }) => {
    const [x1, y1, x2, y2] = toPlane(scene.grid, line);
    const points = shares.map((share) => [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share]);
    return GESTURES.draw(own, { tool, points });
  },
  /** Paints terrain over places. */
  paint: ({ tools }, { terrain, points: [first, ...others] }) => {
    Object.assign(newTerrain, { name: "", cost: 2, blocks_sight: false, hidden: false, kind: "" }, terrain);
    tools.take("terrain");
    tools.down(first, true);
    for (const point of others) tools.move(point, true);
    tools.up(first, true, true);
  },
  /** Removes what lies under the middle of a line of the scene. */
  erase: ({ tools }, { scene, line }) => {
    const [x1, y1, x2, y2] = toPlane(scene.grid, line);
    const point = [(x1 + x2) / 2, (y1 + y2) / 2];
    tools.take("erase");
    tools.down(point, true);
    tools.up(point, true, false);
  },
  /** Places a unit of the catalog. */
  place: ({ commands }, { unit, side, hidden, at }) => commands.place({ unit, side, hidden }, at),
  /** Changes a unit in its form. */
  edit: ({ commands }, { token }) => commands.edit(token),
};

for await (const line of createInterface({ input: process.stdin })) {
  const gesture = JSON.parse(line);
  [seed, drawn] = [gesture.seed, 0];
  const own = opened(gesture);
  await GESTURES[gesture.kind](own, gesture);
  await new Promise((resolve) => setImmediate(resolve));
  process.stdout.write(`${JSON.stringify(own.sent)}\n`);
}
