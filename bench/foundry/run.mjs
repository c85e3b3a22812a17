// Prints what the module adds to a frame while a token is dragged over a reach of about 2,000 cells: the time of
// Foundry's hook `refreshToken` in a real browser with real PIXI, on the stand-in of Foundry.

import {
  SMALL,
  GM,
  FoundryUser,
  sceneSource,
  seatAt,
  startWorld,
  tokenSource,
} from "../../tests/browser/foundry/user.mjs";
import { SHARP, Server, launch, serveBrowser, until } from "../../tests/browser/harness.mjs";

const CELLS = 60;
const MOVEMENT = 115;
const [BATCHES, FRAMES] = [30, 200];
const [RIDER, HOUND] = ["tokentokenRider0", "tokentokenHound0"];

const sheet = (more) => ({
  enfilade: { profile: { hands: ["Sword"], proficiency: { Sword: 1 }, damage_points: 20, ...more } },
});

/** A scene of open ground with a token that can reach 2,000 squares, and an enemy that it provokes. */
function wideScene() {
  const base = { ...sceneSource(13), width: CELLS * 100, height: CELLS * 100, padding: 0, walls: [] };
  const middle = (CELLS / 2) * 100;
  const one = (id, name, x, disposition, more) =>
    tokenSource(13, id, name, null, { x, y: middle }, disposition, { flags: sheet(more) });
  return {
    ...base,
    tokens: [
      one(RIDER, "Rider", middle, 1, { role: "fighter", movement: MOVEMENT }),
      one(HOUND, "Hound", middle + 300, -1, { role: "monster" }),
    ],
  };
}

const browserServer = await serveBrowser();
const browser = await launch(SHARP);
const world = await startWorld(13, { scenes: [wideScene()], actors: [], sharpness: 1 });
const server = await new Server({ ENFILADE_ORIGINS: world.origin }).start("Knights of Valour");
world.state.settings["enfilade.server"] = server.origin;
try {
  const gm = await FoundryUser.open(browser, world, GM, { seat: seatAt(server), viewport: SMALL });
  await until(async () => (await server.token(RIDER))?.at, "the table has the scene");
  await gm.do((id) => canvas.tokens.get(id).control(), RIDER);
  await until(
    () => gm.do((id) => window.enfilade.seatUi.context.store.state.overlay?.token === id, RIDER),
    "the overlay",
  );
  const { cells, shown, batches } = await gm.do(measure, { id: RIDER, batches: BATCHES, frames: FRAMES });
  const at = (part) => batches[Math.floor(part * (batches.length - 1))].toFixed(4);
  console.log(
    `drag over a reach of ${cells} cells; the label was shown in ${shown} of ${BATCHES * FRAMES} frames.`,
  );
  console.log(`The module's time in a frame, as the mean of ${FRAMES} frames, in ${BATCHES} batches:`);
  console.log(`  least ${at(0)} ms, median ${at(0.5)} ms, most ${at(1)} ms`);
} finally {
  await browser.close();
  await server.stop();
  await world.stop();
  await browserServer.close();
}

/** Calls Foundry's hook as a drag does, each time over another cell of the reach. Runs in the page. */
function measure({ id, batches, frames }) {
  const { overlay } = window.enfilade.seatUi.context.store.state;
  const { cells } = overlay.reach;
  const doc = canvas.scene.tokens.get(id);
  let shown = 0;
  const layer = canvas.enfilade;
  const show = layer.showDrag.bind(layer);
  layer.showDrag = (at, lines) => (shown += lines.length ? 1 : 0) && show(at, lines);
  const times = [];
  for (let batch = 0; batch < batches; batch++) {
    // The clock of browsers shows tenths of milliseconds, so frames are measured together.
    const start = performance.now();
    for (let n = 0; n < frames; n++) {
      const [column, row] = cells[((batch * frames + n) * 997) % cells.length];
      const center = { x: 100 * column + 50, y: 100 * row + 50 };
      Hooks.callAll(
        "refreshToken",
        { id, document: doc, isPreview: true, center },
        { refreshPosition: true },
      );
    }
    times.push((performance.now() - start) / frames);
  }
  return { cells: cells.length, shown, batches: times.sort((a, b) => a - b) };
}
