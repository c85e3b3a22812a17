// Foundry by the contract of every tabletop.

import { after, before, describe, test } from "node:test";
import { SMALL, openGm } from "./foundry/user.mjs";
import { until } from "./harness.mjs";
import { CONTRACT } from "./tabletop/contract.mjs";

const [ANNA, DOOR] = ["tokentokenAnna01", "doordoordoor0001"];
const SCENE = "scenescene000001";
/** The corner of the map on the padded canvas, and a square. */
const [LEFT, TOP, SIZE] = [400, 300, 100];

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`the contract of a tabletop, in Foundry ${generation}`, () => {
    let browser, world, server, gm, host;

    before(async () => {
      ({ browser, world, server, gm } = await openGm(generation, { system: "dnd5e", viewport: SMALL }));
      await until(async () => (await server.token(ANNA))?.at, "the table has the scene");
      for (const kind of ["hitPoints", "defeated", "conditions"])
        await gm.do((key) => game.settings.set("enfilade", key, "never"), `write.${kind}`);
      host = {
        ...{ page: gm.page, server, token: ANNA, door: DOOR },
        cell: () => {
          const { x, y } = world.find("Token", ANNA, SCENE);
          return [(x - LEFT) / SIZE, (y - TOP) / SIZE];
        },
        drawn: () =>
          gm.do(() => {
            const layers = canvas.enfilade.children[0].children;
            return layers.reduce((count, { children }) => count + children.length, 0);
          }),
        select: (id) =>
          gm.do((one) => {
            canvas.tokens.releaseAll();
            if (one) canvas.tokens.get(one).control();
          }, id ?? null),
        choose: (kind, mode) =>
          gm.do(([key, value]) => game.settings.set("enfilade", key, value), [`write.${kind}`, mode]),
        accept: () => gm.page.locator("#enfilade-write-all").dispatchEvent("click", null, { timeout: 500 }),
        decline: () => gm.page.locator("#enfilade-write-none").dispatchEvent("click", null, { timeout: 500 }),
        resync: () => gm.syncsAgain(),
        isBridge: () => gm.do(() => window.enfilade.bridge.lease !== null),
        leave: async () => {
          await gm.do(() => window.enfilade.seatUi.context.openConnect());
          await gm.page.locator("#enfilade-forget").dispatchEvent("click");
        },
      };
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await world?.stop();
    });

    for (const [name, holds] of Object.entries(CONTRACT)) test(name, () => holds(host));
  });
