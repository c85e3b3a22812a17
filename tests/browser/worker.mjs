// One worker of run.mjs: keeps a browser and a server for all of its files, and runs them in its own process, one after the
// other. A process for each file would load Playwright and open a connection to the browser for each.

import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Server, freePort, serveBrowser } from "./harness.mjs";
import { eventsUntil, toText } from "./reporter.mjs";

const worldPort = await freePort();
const browser = await serveBrowser();
const world = `http://127.0.0.1:${worldPort}`;
const server = await new Server({ ENFILADE_ORIGINS: world, ENFILADE_FRAMES: world }).start();
Object.assign(process.env, {
  ENFILADE_TEST_SERVER: server.origin,
  ENFILADE_TEST_WORLD_PORT: String(worldPort),
});

/** Problems that no test has waited for; node:test tells of them at the end of the process. */
const unawaited = [];
for (const name of ["unhandledRejection", "uncaughtException"])
  process.on(name, (problem) => unawaited.push(problem));

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
  const name = basename(file);
  const end = `${name} ${randomUUID()}`; // the name of no other test
  const ended = eventsUntil(end);
  await import(pathToFileURL(file)).catch((problem) => unawaited.push(problem));
  // Tests of a file begin in the order in which it names them, so this one is the last.
  test(end, () => {});
  const events = await ended;
  const isTest = ({ details }) => details.type !== "suite";
  const of = (type) => events.filter((event) => event.type === type).map(({ data }) => data);
  const failed = of("test:fail").map((one) => `${name}: ${one.name}`);
  const problems = unawaited.splice(0).map((problem) => `${problem?.stack ?? problem}`);
  for (const problem of problems) failed.push(`${name}: ${problem.split("\n")[0]}`);
  return {
    failed,
    passed: of("test:pass").filter((one) => isTest(one) && !one.skip).length,
    output: [await toText(events), ...problems].join("\n"),
    ms: Date.now() - began,
  };
}

async function stop() {
  await browser.close();
  await server.stop();
  process.exit(0); // else node:test has it exit with 1 for a test that failed, which run.mjs knows
}
