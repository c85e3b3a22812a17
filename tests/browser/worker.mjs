// One worker of run.mjs: keeps a browser and a server for all of its files, and runs each file in its own process.

import { basename } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { Server, freePort, serveBrowser } from "./harness.mjs";

const FILE_MS = 720_000 * Math.max(1, Number(process.env.REPEATS ?? 1) / 50);

const worldPort = await freePort();
const browser = await serveBrowser();
const world = `http://127.0.0.1:${worldPort}`;
const server = await new Server({ ENFILADE_ORIGINS: world, ENFILADE_FRAMES: world }).start();
Object.assign(process.env, {
  ENFILADE_TEST_BROWSER: browser.wsEndpoint(),
  ENFILADE_TEST_SERVER: server.origin,
  ENFILADE_TEST_WORLD_PORT: String(worldPort),
});

process.on("message", async ({ file, generations }) => {
  if (file) {
    process.env.GENERATIONS = generations.join(" ");
    const result = await runFile(file);
    if (process.connected) process.send({ result }); // else the run was stopped
  } else await stop();
});
process.on("disconnect", stop);
process.send({});

async function runFile(file) {
  const began = Date.now();
  const failed = [];
  let passed = 0;
  // A file is reported as a test, and a describe as a suite: neither counts.
  const isTest = ({ name, details }) => details.type !== "suite" && name !== file;
  const names = process.env.TEST_NAMES; // a pattern
  const filter = names ? { testNamePatterns: [new RegExp(names)] } : {};
  const events = run({ files: [file], concurrency: 1, timeout: FILE_MS, ...filter });
  events.on("test:pass", (test) => (passed += isTest(test) && !test.skip ? 1 : 0));
  events.on("test:fail", (test) => failed.push(`${basename(file)}: ${test.name}`));
  let output = "";
  for await (const text of events.compose(new spec())) output += text;
  return { passed, failed, output, ms: Date.now() - began };
}

async function stop() {
  await browser.close();
  await server.stop();
  process.exit();
}
