// Pictures of the extension in the stand-in room, to look at: SCREENSHOT=folder node tests/browser/run.mjs owlbear-screenshot.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "./harness.mjs";
import { DPI } from "./owlbear/room.mjs";
import { drawn, openRoom } from "./owlbear/user.mjs";

test("the room with an overlay, a verdict and the popover", { skip: !process.env.SCREENSHOT }, async () => {
  const { browser, room, server, gm } = await openRoom();
  try {
    await server.command("token.move", { token: "anna", at: [3, 3], facing: 90 });
    await until(() => room.cellOf("anna")[0] === 3, "Anna stands before Grim");
    room.select(gm, "anna");
    await until(() => drawn(gm, "reach").length > 0, "the reach is drawn");
    await room.useTool(gm);
    await room.point(gm, [4.5 * DPI, 3.5 * DPI], room.find("grim"));
    await until(() => drawn(gm, "label").length > 0, "the verdict is drawn");
    const folder = process.env.SCREENSHOT === "1" ? "build" : process.env.SCREENSHOT;
    mkdirSync(folder, { recursive: true });
    await gm.page.screenshot({ path: join(folder, "owlbear-map.png") });
    const frame = await room.openAction(gm);
    await frame.locator(".act .chance").first().waitFor();
    await gm.page.screenshot({ path: join(folder, "owlbear-panel.png") });
  } finally {
    await browser.close();
    await room.stop();
  }
});
