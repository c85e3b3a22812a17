// Prints what a moved token costs the main thread of the page that sends the world, in a scene of 500 tokens and 3,000 walls:
// its hooks, its reading, and the text that is sent, against the reading of the whole scene, in a real browser on the stand-in of
// Foundry. The stand-in checks each member that is read, so a real Foundry's documents are read faster.

import {
  SMALL,
  GM,
  FoundryUser,
  sceneSource,
  seatAt,
  startWorld,
  tokenSource,
  wall,
} from "../../tests/browser/foundry/user.mjs";
import { SHARP, Server, launch, serveBrowser, until } from "../../tests/browser/harness.mjs";

const [TOKENS, WALLS, CELLS, ROUNDS] = [500, 3000, 100, 200];
const GOAL_MS = 4;
const idOf = (kind, i) => `${kind}${String(i).padStart(16 - kind.length, "0")}`;

function crowdedScene() {
  const at = (i) => ({ x: (i % CELLS) * 100, y: Math.floor(i / CELLS) * 200 });
  return {
    ...{ ...sceneSource(13), width: CELLS * 100, height: CELLS * 100, padding: 0 },
    tokens: Array.from({ length: TOKENS }, (_, i) =>
      tokenSource(13, idOf("token", i), `Token ${i}`, "actoractor000001", at(i), 1, {
        actorLink: false,
        delta: {},
      }),
    ),
    walls: Array.from({ length: WALLS }, (_, i) => {
      const [x, y] = [(i % CELLS) * 100, 2000 + Math.floor(i / CELLS) * 200];
      return wall(idOf("wall", i), [x, y, x + 100, y + (i % 2) * 100]);
    }),
  };
}

/** Runs in the page: returns the medians of a moved token and of the whole scene, in milliseconds. */
async function measure([id, rounds]) {
  const { readScene, readTokens } = await import("/modules/enfilade/scripts/foundry/read/scene.js");
  const { bridge } = window.enfilade;
  bridge.outbox.clear();
  const token = canvas.scene.tokens.get(id);
  const none = { gone: [], renewed: [], displaced: [], paths: new Map() };
  const movement = { method: "dragging", passed: { waypoints: [] }, pending: { waypoints: [] } };
  const moved = () => {
    Hooks.callAll("updateToken", token, { x: 100, y: 100 }, {}, game.user.id);
    Hooks.callAll("moveToken", token, movement, {}, game.user);
    const live = bridge.world.tokens(new Set([id]));
    return JSON.stringify(readTokens(live, { ...none, tokens: live.source.tokens }));
  };
  const whole = () => JSON.stringify(readScene(bridge.world.scene()));
  const timeOf = (act) => {
    const began = performance.now();
    act();
    return performance.now() - began;
  };
  const middle = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
  const [few, all] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    few.push(timeOf(moved));
    if (round % 10 === 0) all.push(timeOf(whole));
  }
  return { moved: middle(few), whole: middle(all), bytes: [moved().length, whole().length] };
}

const browserServer = await serveBrowser();
const browser = await launch(SHARP);
const world = await startWorld(13, { scenes: [crowdedScene()] });
const server = await new Server({ ENFILADE_ORIGINS: world.origin }).start();
world.state.settings["enfilade.server"] = server.origin;
const gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
await until(() => gm.do(() => window.enfilade.bridge?.lease !== null), "the page sends the world");
const { moved, whole, bytes } = await gm.do(measure, [idOf("token", 7), ROUNDS]);
const ms = (time) => `${time.toFixed(2)} ms`;
console.log(`bench-foundry-moved: tokens=${TOKENS} walls=${WALLS} moved=${ms(moved)} (${bytes[0]} bytes)`);
console.log(
  `whole scene ${ms(whole)} (${bytes[1]} bytes), ratio ${(whole / moved).toFixed(1)}; goal ${GOAL_MS} ms: ${moved <= GOAL_MS ? "held" : "missed"}`,
);
await browser.close();
await browserServer.close();
await server.stop();
await world.stop();
process.exit();
