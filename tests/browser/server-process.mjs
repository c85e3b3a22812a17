// A server as a process: a fork of one that has imported everything, or the program itself.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const PYTHON = join(ROOT, ".venv", "bin", "python");
/** The settings that a fork cannot take, because its parent has read them. */
const READ_BY_IMPORTS = ["PYTHONPATH", "ENFILADE_LANGUAGE", "ENFILADE_NO_KERNEL"];

/**
 * A server that runs. `output` is what it says, and `hasEnded` resolves at its end.
 * @typedef {{pid: number, output: import("node:stream").Readable, hasEnded: Promise<unknown>}} ServerProcess
 */

/**
 * Starts the process from which `startServer` forks, and returns a function that ends it and its forks. A start costs a
 * fifth of that of a process of its own, most of which goes into imports. Where another program is on trial, and on
 * systems without sockets of packets, each server is a process of its own.
 */
export async function startForks(folder) {
  if (process.env.ENFILADE) return async () => {};
  process.env.ENFILADE_TEST_FORKS = join(folder, "forks");
  const forks = spawn(PYTHON, ["-m", "tests.fork_server", process.env.ENFILADE_TEST_FORKS], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(forks, "exit");
  let isReady = false;
  for await (const line of createInterface({ input: forks.stdout })) {
    isReady = line === "ready";
    break;
  }
  if (!isReady) {
    delete process.env.ENFILADE_TEST_FORKS;
    console.log("e2e: no forks of servers here");
    return async () => {};
  }
  return async () => {
    forks.stdin.end();
    await ended;
  };
}

/** Starts `enfilade serve` with arguments and settings. @returns {Promise<ServerProcess>} */
export async function startServer(options, settings) {
  const env = { ...process.env, ...settings };
  const isFork = process.env.ENFILADE_TEST_FORKS && !READ_BY_IMPORTS.some((name) => name in settings);
  return isFork ? forked(["serve", ...options], env) : spawned(["serve", ...options], env);
}

async function forked(args, environment) {
  const socket = connect(`${process.env.ENFILADE_TEST_FORKS}.lines`);
  const hasEnded = once(socket, "close");
  const request = { module: "enfilade", arguments: args, environment, folder: process.cwd() };
  socket.write(`${JSON.stringify(request)}\n`);
  // The first line is the fork's own, then comes what the program says.
  let said = "";
  while (!said.includes("\n")) said += (await once(socket, "data"))[0];
  const end = said.indexOf("\n");
  const output = new PassThrough();
  output.write(said.slice(end + 1));
  socket.pipe(output);
  return { pid: Number(said.slice(0, end)), output, hasEnded };
}

function spawned(args, env) {
  const program = env.ENFILADE ?? join(ROOT, ".venv", "bin", "enfilade");
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env });
  const output = new PassThrough();
  for (const pipe of [child.stdout, child.stderr]) pipe.pipe(output, { end: false });
  return { pid: child.pid, output, hasEnded: once(child, "exit") };
}
