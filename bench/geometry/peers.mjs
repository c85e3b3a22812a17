// The JavaScript peers as a worker: reads `job scale seconds`, answers with the median milliseconds.
// The argument is the folder of the scenes, one JSON file each.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { performance } from "node:perf_hooks";
import { Grid, Orientation, defineHex, line, rectangle } from "honeycomb-grid";
import * as ROT from "rot-js";

const folder = process.argv[2];
const scenes = {};
const jobs = {};

export const scene = (scale) =>
  (scenes[scale] ??= JSON.parse(readFileSync(`${folder}/${scale}.json`, "utf8")));

/** Returns the sources in an endless cycle. */
const cycle = (list) => {
  let next = 0;
  return () => list[next++ % list.length];
};

const makers = {
  /** rot-js searches from one cell to another; with an unreachable goal it searches the whole board. */
  movement_field(scale) {
    const { side, closed, sources } = scene(scale);
    const blocked = new Set(closed.map(([x, y]) => y * side + x));
    const isOpen = (x, y) => x >= 0 && y >= 0 && x < side && y < side && !blocked.has(y * side + x);
    const source = cycle(sources);
    return () => {
      const search = new ROT.Path.Dijkstra(...source(), isOpen, { topology: 8 });
      search.compute(-5, -5, () => {});
    };
  },

  /** honeycomb-grid draws a line of hexes to every hex, as its own sight example does. */
  hex_blind_zone(scale) {
    const { side, closed, sources } = scene(scale);
    const blocked = new Set(closed.map(([x, y]) => y * side + x));
    const Tile = defineHex({ orientation: Orientation.POINTY, offset: -1 });
    const grid = new Grid(Tile, rectangle({ width: side, height: side }));
    const source = cycle(sources);
    return () => {
      const [col, row] = source();
      const seen = [];
      for (const hex of grid) {
        const path = grid.traverse(line({ start: { col, row }, stop: { col: hex.col, row: hex.row } })).toArray();
        if (path.slice(1, -1).every((cell) => !blocked.has(cell.row * side + cell.col))) seen.push(hex);
      }
      return seen;
    };
  },

  /** rot-js casts shadows of whole cells, its most exact algorithm. */
  field_of_view(scale) {
    const { side, closed, sources } = scene(scale);
    const blocked = new Set(closed.map(([x, y]) => y * side + x));
    const view = new ROT.FOV.PreciseShadowcasting((x, y) => !blocked.has(y * side + x));
    const source = cycle(sources);
    return () => {
      const seen = new Uint8Array(side * side);
      view.compute(...source(), side, (x, y) => {
        if (x >= 0 && y >= 0 && x < side && y < side) seen[y * side + x] = 1;
      });
    };
  },
};

/** Returns the CPU time of all threads so far, in milliseconds. */
const cpuTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const timed = (job, seconds) => {
  const times = [];
  const until = performance.now() + seconds * 1000;
  while (times.length < 3 || performance.now() < until) {
    const start = cpuTime();
    job();
    times.push(cpuTime() - start);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1];
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, scale, seconds] = line.split(" ");
  const job = (jobs[`${name} ${scale}`] ??= makers[name](scale));
  console.log(timed(job, Number(seconds)));
}
