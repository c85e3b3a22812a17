// Runs the tests in a real PlanarAlly and ends with one line: planarally-test: PASS n, FAIL ..., or SKIP and why.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const FILE = new URL("./play.test.mjs", import.meta.url).pathname;
const reason = whyNot();
if (reason) console.log(`planarally-test: SKIP ${reason}`);
else await play();

/** Returns why the tests cannot run here; "" if they can. */
function whyNot() {
  const { PLANARALLY: folder = "", PLANARALLY_PYTHON: python = "", CHROMIUM: browser = "" } = process.env;
  if (!folder) return "name a built checkout of PlanarAlly: make planarally-test PLANARALLY=path";
  for (const part of ["server/planarally.py", "server/templates/index.html", "server/static/vite"])
    if (!existsSync(join(folder, part)))
      return `${folder} is no built checkout of PlanarAlly: it has no ${part}`;
  process.env.PLANARALLY_PYTHON = python || "python3.13";
  const check = spawnSync(process.env.PLANARALLY_PYTHON, [
    "-c",
    "import aiohttp, peewee, pydantic, rtoml, socketio",
  ]);
  if (check.status !== 0)
    return `${process.env.PLANARALLY_PYTHON} lacks what PlanarAlly needs: name one in PLANARALLY_PYTHON`;
  return browser ? "" : "there is no Chromium: install it, or name a browser in CHROMIUM";
}

async function play() {
  let passed = 0;
  const failed = [];
  const events = run({ files: [FILE], concurrency: 1 });
  events.on(
    "test:pass",
    ({ details, name }) => (passed += details.type !== "suite" && name !== FILE ? 1 : 0),
  );
  events.on("test:fail", ({ name }) => failed.push(name));
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  console.log(
    failed.length ? `planarally-test: FAIL ${failed.join("; ")}` : `planarally-test: PASS ${passed}`,
  );
  process.exit(failed.length ? 1 : 0);
}
