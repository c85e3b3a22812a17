// The peers in JavaScript as a worker: reads `job scale seconds`, answers with the median milliseconds.
// Scenes are read from the folder given, one JSON file each.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { performance } from "node:perf_hooks";
import * as ROT from "rot-js";

const folder = process.argv[2];
const scenes = {};
const jobs = {};

export const scene = (scale) =>
  (scenes[scale] ??= JSON.parse(readFileSync(`${folder}/${scale}.json`, "utf8")));

/** A source after the other, for ever. */
const inTurn = (list) => {
  let next = 0;
  return () => list[next++ % list.length];
};

const makers = {
  /** rot-js searches from a cell to another; to one that cannot be reached it floods the whole board. */
  movement_field(scale) {
    const { side, closed, sources } = scene(scale);
    const blocked = new Set(closed.map(([x, y]) => y * side + x));
    const isOpen = (x, y) => x >= 0 && y >= 0 && x < side && y < side && !blocked.has(y * side + x);
    const source = inTurn(sources);
    return () => {
      const search = new ROT.Path.Dijkstra(...source(), isOpen, { topology: 8 });
      search.compute(-5, -5, () => {});
    };
  },
};

const timed = (job, seconds) => {
  const times = [];
  const until = performance.now() + seconds * 1000;
  while (times.length < 3 || performance.now() < until) {
    const start = performance.now();
    job();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1];
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, scale, seconds] = line.split(" ");
  const job = (jobs[`${name} ${scale}`] ??= makers[name](scale));
  console.log(timed(job, Number(seconds)));
}
