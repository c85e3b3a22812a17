// A short real game over the real server with the real client: 40 tokens, 200 moves, 50 attacks.
// Prints "smoke: PASS ..." or "smoke: FAIL ..." and the round trips beside those of a bare echo of the same bytes. The
// median of a move until its overlay is at most 1.6 times the median of the echo, and at most 10 ms over it.
// --short plays 80 moves and 20 attacks without an echo, and bounds no time: other work on the machine changes that.
// The overlay has the default layers of a board; SMOKE_LAYERS=all asks for all layers.
// SMOKE_MAP names a map file to play on; without it the map of the server's demo table is kept.
import { spawn, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { io } from "socket.io-client";
import { LAYERS, neededLayers } from "../../plugin_manifest/scripts/core/game/layers.js";

const TOKENS = 40,
  FACINGS = [0, 90, 180, 270];
const IS_SHORT = process.argv.includes("--short");
const [MOVES, ATTACKS] = IS_SHORT ? [80, 20] : [200, 50];
const MAX_RATIO = 1.6;
const GOAL_MS = 10;
const PYTHON = process.env.SMOKE_PYTHON ?? ".venv/bin/python";
const folder = mkdtempSync(join(tmpdir(), "enfilade-smoke-"));
const children = [];
const said = [];

/** Starts a server and gives what follows `mark` in its output. */
function started(mark, ...args) {
  const child = spawn(PYTHON, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return new Promise((resolve, reject) => {
    let output = "";
    child.once("exit", () => reject(new Error(`${args.join(" ")} ended`)));
    child.stdout.on("data", (data) => {
      output += data;
      const found = output.match(mark);
      if (found) resolve(found[1]);
    });
  });
}

/** A connected client that keeps all it hears and can wait for the update that fits. */
async function joined(url, auth) {
  const socket = io(url, { transports: ["websocket"], auth, query: { table: auth.table }, forceNew: true });
  const player = { socket, last: {}, waiting: [], sent: 0 };
  socket.on("update", (update) => {
    player.last[update.kind] = update;
    player.waiting = player.waiting.filter((wait) => !wait(update));
  });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("connect_error", reject));
  return player;
}

function heard(player, fits) {
  return within(
    new Promise((resolve) => player.waiting.push((update) => fits(update) && (resolve(update), true))),
  );
}

function within(promise) {
  const late = new Promise((_, reject) =>
    setTimeout(() => reject(new Error("no answer in 10 s")), 10_000).unref(),
  );
  return Promise.race([promise, late]);
}

function command(player, kind, body) {
  return { v: 1, id: randomUUID(), n: ++player.sent, kind, base: null, body };
}

async function asked(player, kind, body) {
  const ack = await within(player.socket.emitWithAck("command", command(player, kind, body)));
  said.push({ ack });
  if (!ack.ok) throw new Error(`${kind} was refused: ${ack.error.code}: ${ack.error.sentence}`);
  return ack;
}

/** Clears the map; gives the tokens in pairs that face each other. */
async function setUp(player, link) {
  if (process.env.SMOKE_MAP) await upload(link);
  const { ruleset } = player.last.snapshot.body;
  const scene = await (await fetch(`${link.origin}/api/tables/${link.table}/scene`, bearer(link))).json();
  for (const { id: token } of scene.tokens) await asked(player, "token.remove", { token });
  const cells = pairsOfCells(scene.grid),
    units = ruleset.catalog;
  return Array.from({ length: TOKENS }, (_, i) => {
    const { name, profile } = units[i % units.length];
    return {
      id: `t${i}`,
      name: `${name} ${i}`,
      side: scene.sides[i % 2].id,
      at: cells[i],
      facing: i % 2 ? 180 : 0,
      profile,
    };
  });
}

function pairsOfCells({ columns, rows }) {
  const step = Math.max(2, Math.floor(Math.sqrt((2 * columns * rows) / TOKENS))),
    cells = [];
  for (let y = 1; y < rows; y += step) for (let x = 1; x < columns; x += step) cells.push([x, y], [x, y - 1]);
  return cells;
}

async function placed(player, tokens) {
  for (const token of tokens) await asked(player, "token.place", { token });
}

function bearer({ key }) {
  return { headers: { Authorization: `Bearer ${key}` } };
}

/** Return the ticket for one connection to a table. */
async function ticket(link) {
  const answer = await fetch(`${link.origin}/api/tables/${link.table}/tickets`, {
    method: "POST",
    ...bearer(link),
  });
  return (await answer.json()).ticket;
}

async function upload(link) {
  const path = process.env.SMOKE_MAP;
  const url = `${link.origin}/api/tables/${link.table}/map?name=${encodeURIComponent(basename(path))}`;
  const answer = await fetch(url, { method: "POST", body: readFileSync(path), ...bearer(link) });
  const ack = await answer.json();
  if (!ack.ok) throw new Error(`the map was refused: ${ack.error.sentence}`);
}

/** The layers to be asked for, null for all. */
function layersFor({ ruleset }) {
  if (process.env.SMOKE_LAYERS === "all") return null;
  return neededLayers(ruleset, Object.fromEntries(LAYERS.map(({ key, isOn }) => [key, isOn])));
}

/** Moves a token to somewhere in its reach; the milliseconds until the ack, and until its overlay is here. */
async function moved(player, echo, i) {
  const token = `t${Math.floor(i / 5) % TOKENS}`;
  const shown = (await asked(player, "overlay.show", { token, layers: layersFor(player.last.snapshot.body) }))
    .result.overlay;
  // To another place: an overlay that stays as it is is not sent again.
  const cells = (shown.reach?.cells ?? []).filter(([, , cost]) => cost > 0);
  const [x, y] = cells[(i * 7919) % cells.length] ?? [i % 2, 0];
  const body = { token, at: [x, y], facing: FACINGS[i % 4] };
  const sent = command(player, "token.move", body),
    start = performance.now();
  const overlay = heard(player, (update) => update.kind === "overlay" && update.body.seq > shown.seq);
  const ack = await within(player.socket.emitWithAck("command", sent));
  said.push({ ack });
  await overlay;
  const real = performance.now() - start;
  const answers = { ack, updates: [player.last.entries, player.last.overlay] };
  return { real, echo: echo ? await echoed(echo, sent, answers) : NaN };
}

/** The milliseconds that the same bytes take there and back. */
async function echoed(echo, sent, answers) {
  echo.socket.emit("keep", answers);
  const start = performance.now();
  const overlay = heard(echo, (update) => update.kind === "overlay");
  echo.socket.emit("command", sent, () => {});
  await overlay;
  return performance.now() - start;
}

/** Make one attack with a token that can attack; return false if there is none. */
async function attacked(player, i) {
  for (let tried = 0; tried < TOKENS; tried++) {
    const token = `t${(i * 11 + tried) % TOKENS}`;
    const { overlay } = (await asked(player, "overlay.show", { token, layers: ["targets"] })).result;
    const target = overlay.targets.find((t) => t.legal && t.target);
    if (!target) continue;
    await answeredFor(player, await asked(player, "act", { act: target.act }));
    return true;
  }
  return false;
}

/** Answers every choice that an act asks for as the ruleset would. */
async function answeredFor(player, ack) {
  while (ack.result.waiting) {
    const { id: choice, default: answer } = ack.result.waiting;
    ack = await asked(player, "choice.answer", { choice, answer });
  }
}

async function fought(player, tokens) {
  await placed(player, tokens);
  for (let i = 0; i < ATTACKS; i++) {
    if (await attacked(player, i)) continue;
    await placed(player, tokens); // all are down: set all tokens up again
    if (!(await attacked(player, i))) throw new Error("nobody can attack anybody");
  }
}

function percentiles(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return [0.5, 0.99].map((p) => sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))]);
}

async function play() {
  const link = new URL(
    await started(/GM link: (\S+)\n/, "-m", "enfilade", "serve", "--port", "0", "--data", folder),
  );
  const { table, key } = Object.fromEntries(new URLSearchParams(link.hash.slice(1)));
  const player = await joined(link.origin, {
    table,
    ticket: await ticket({ origin: link.origin, table, key }),
  });
  const echo = IS_SHORT ? null : await joinedEcho();
  player.socket.on("update", (update) => said.push({ update }));
  if (!player.last.snapshot) await heard(player, (update) => update.kind === "snapshot");
  const tokens = await setUp(player, { origin: link.origin, table, key });
  await placed(player, tokens);

  const times = [];
  for (let i = 0; i < MOVES; i++) times.push(await moved(player, echo, i));
  await fought(player, tokens);
  const { seq } = said.findLast((line) => line.ack).ack;
  if (player.last.entries.seq < seq)
    await heard(player, (update) => update.kind === "entries" && update.seq >= seq);
  for (const one of [player, echo]) one?.socket.disconnect();
  return times;
}

async function joinedEcho() {
  const port = await started(/(\d+)\n/, "bench/smoke/echo_server.py");
  return joined(`http://127.0.0.1:${port}`, {});
}

async function main() {
  const times = await play();
  const transcript = join(folder, "transcript.jsonl");
  writeFileSync(transcript, said.map((line) => JSON.stringify(line)).join("\n"));
  const checked = execFileSync(PYTHON, ["-m", "bench.smoke.check", transcript], {
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
  const real = percentiles(times.map((t) => t.real));
  console.log(`smoke: a move until its overlay: ${inText(real)}`);
  if (!IS_SHORT) compared(real, percentiles(times.map((t) => t.echo)));
  return `${MOVES} moves, ${ATTACKS} attacks; ${checked}`;
}

const inText = ([p50, p99]) => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;

/** Compare the round trips with those of the echo. Throws an error if they take too long. */
function compared(real, echo) {
  const ratio = real[0] / echo[0];
  console.log(
    `smoke: a bare echo of the same bytes: ${inText(echo)}; ratio=${ratio.toFixed(2)} of the medians`,
  );
  if (real[0] - echo[0] > GOAL_MS) throw new Error(`the p50 is more than ${GOAL_MS} ms over the echo's`);
  if (!(ratio <= MAX_RATIO))
    throw new Error(`a move until its overlay takes ${ratio.toFixed(2)} times as long as the echo`);
}

try {
  console.log(`smoke: PASS ${await main()}`);
} catch (problem) {
  console.log(`smoke: FAIL ${problem.stderr || problem.message}`);
  process.exitCode = 1;
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
