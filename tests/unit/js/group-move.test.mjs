// A group in formation on hexes: each member goes as far, and in the same direction, as the one that is dragged.

import assert from "node:assert/strict";
import { test } from "node:test";
import { center } from "../../../plugin_manifest/scripts/core/map/geometry.js";
import { groupMove } from "../../../plugin_manifest/scripts/core/game/group-move.js";

const token = (id, at) => ({ id, at, facing: 0 });
const grid = (kind) => ({ kind, columns: 12, rows: 12 });

test("a group on hexes keeps its formation where the rows are shifted", () => {
  // By columns and rows the other went to [6, 5], beside its place.
  const act = groupMove(grid("hex_odd_r"), token("lead", [5, 5]), [token("other", [5, 4])], [[6, 6]]);
  const paths = Object.fromEntries(act.body.members.map((id, i) => [id, act.body.paths[i]]));
  assert.deepEqual(paths, { lead: [[6, 6]], other: [[5, 5]] });
});

for (const kind of ["hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"]) {
  test(`members keep their distances on ${kind}, from every cell to every other`, () => {
    const board = grid(kind);
    const [from, others] = [[5, 5], [[4, 4], [5, 4], [6, 7], [3, 6]]]; // prettier-ignore
    const members = others.map((at, i) => token(String(i), at));
    for (let column = 3; column < 9; column++) {
      for (let row = 3; row < 9; row++) {
        const act = groupMove(board, token("lead", from), members, [[column, row]]);
        const moved = act.body.members.map((id, i) => {
          const [was, now] = [id === "lead" ? from : others[id], act.body.paths[i][0]].map((at) =>
            center(board, at),
          );
          return [now[0] - was[0], now[1] - was[1]].map((length) => Math.round(length * 1000));
        });
        for (const one of moved) assert.deepEqual(one, moved[0]);
      }
    }
  });
}
