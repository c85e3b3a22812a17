// A user of the stand-in room: connects through the extension's popover, as a person does.

import { newTable, launch, until } from "../harness.mjs";
import { DPI, fogLine, map, Room, token } from "./room.mjs";

export const PROFILE = "dev.enfilade/profile";
export const BUBBLES = "com.owlbear-rodeo-bubbles-extension/metadata";
export const DOORS = "rodeo.owlbear.dynamic-fog/doors";
const soldier = { armor: "light", race: "human", hands: ["sword", "shield"] };
const orc = { armor: "light", race: "orc", hands: ["axe", "shield"] };

/** A yard of 12 by 8 squares with a wall that has a door, Anna of a player, Grim, and a Lurker whom only the GM sees. */
export const yard = () => [
  map(12, 8),
  fogLine("wall", [6, 0], [6, 8], {
    [DOORS]: [{ open: false, start: { distance: 3 * DPI, index: 0 }, end: { distance: 4 * DPI, index: 0 } }],
  }),
  token("anna", "Anna", [2, 3], {
    createdUserId: "mia",
    metadata: { [PROFILE]: soldier, [BUBBLES]: { health: 3, "max health": 3 } },
  }),
  token("grim", "Grim", [4, 3], {
    rotation: 270,
    metadata: { [PROFILE]: orc, [BUBBLES]: { health: 3, "max health": 3 } },
  }),
  token("lurker", "Lurker", [2, 6], { visible: false, metadata: { [PROFILE]: orc } }),
];

/** Starts a room of a table, with its GM connected. */
export async function openRoom({ table = null, items = yard(), ...options } = {}) {
  const server = table ?? (await newTable());
  const browser = await launch();
  const manifest = `${server.origin}/owlbear/manifest.json`;
  const room = await new Room({ items, manifest, ...options }).start();
  try {
    const gm = await room.join(browser, { id: "gm", role: "GM" });
    await connect(room, gm, server.gm);
    await until(
      async () =>
        (await server.scene()).tokens.length === items.filter(({ layer }) => layer === "CHARACTER").length,
      "the table has the room's tokens",
    );
    return { server, browser, room, gm };
  } catch (problem) {
    await browser.close(); // else the file would wait for it
    await room.stop();
    throw problem;
  }
}

/** Pastes a link into the popover's form, and waits until the hidden page is connected. */
export async function connect(room, client, link) {
  const frame = await room.openAction(client);
  await frame.locator("#enfilade-link").fill(link);
  await frame.locator("#enfilade-connect-go").click();
  await frame.locator("#enfilade-tab-acts[aria-selected=true]").waitFor();
  const background = await room.frame(client, "background");
  await background.waitForFunction(() => window.enfilade?.live?.state === "connected");
  await room.closeAction(client);
  return background;
}

/** The local items of a layer in one user's client. */
export const drawn = (client, layer) =>
  client.local.filter(({ metadata }) => metadata["dev.enfilade/overlay"] === layer);
