// A Foundry that is hosted elsewhere than the companion: the browser's own rules for its page. Chromium counts an address of
// this computer as a public one here (--ip-address-space-overrides), so its Local Network Access and mixed content rules are
// the real ones: wicg.github.io/local-network-access, w3.org/TR/mixed-content.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { GM, PAT, SMALL, FoundryUser, startWorld } from "./foundry/user.mjs";
import { Server, freePort, launchWith, until } from "./harness.mjs";

const HOST = "foundry.example.org";
const ANNA = "tokentokenAnna01";

/** Makes a certificate for the host, which the browser is told to believe. */
function certificateFor(host) {
  const folder = mkdtempSync(join(tmpdir(), "enfilade-certificate-"));
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name));
  const made = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${host}`];
  execFileSync("openssl", ["req", "-x509", ...made, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const certificate = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return certificate;
}

for (const generation of (process.env.GENERATIONS ?? "12 13 14").split(" ").map(Number))
  describe(`a hosted Foundry ${generation}`, () => {
    let browser, context, secure, plain, server, gm;

    before(async () => {
      const [securePort, plainPort] = [await freePort(), await freePort()];
      secure = await startWorld(generation, {
        host: HOST,
        port: securePort,
        certificate: certificateFor(HOST),
      });
      plain = await startWorld(generation, { host: HOST, port: plainPort });
      server = await new Server({ ENFILADE_ORIGINS: `${secure.origin},${plain.origin}` }).start();
      browser = await launchWith([
        "--ignore-certificate-errors",
        "--host-resolver-rules=MAP *.example.org 127.0.0.1",
        `--ip-address-space-overrides=127.0.0.1:${securePort}=public,127.0.0.1:${plainPort}=public`,
      ]);
      context = await browser.newContext({ viewport: SMALL, ignoreHTTPSErrors: true });
      gm = await FoundryUser.open(browser, secure, GM, { context });
      await gm.page.dispatchEvent("[data-tool=enfilade-connect]", "click");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await secure?.stop();
      await plain?.stop();
    });

    const tries = async (user, link, address = null) => {
      await user.page.fill("#enfilade-link", link);
      await user.page.press("#enfilade-link", "Tab");
      if (address !== null) await user.page.fill("#enfilade-server", address);
      await user.page.dispatchEvent("#enfilade-connect-go", "click");
    };
    const isSaid = (user, text) =>
      user.page.locator("#enfilade-diagnosis").filter({ hasText: text }).waitFor({ state: "attached" });

    test("hosted: a server without https elsewhere in the internet is mixed content", async () => {
      await tries(gm, server.gm, `http://rules.example.org:${new URL(server.origin).port}`);
      await isSaid(gm, "This page uses https");
    });

    test("hosted: a page over plain http may not reach the GM's computer, and says so", async () => {
      const user = await FoundryUser.open(browser, plain, GM, { context });
      await user.page.dispatchEvent("[data-tool=enfilade-connect]", "click");
      await tries(user, server.gm, server.origin);
      await isSaid(user, "this page came from elsewhere over plain http");
      await user.page.close();
    });

    // Without a window no user answers the browser's question, which counts as a no.
    test("hosted: the browser lets no page reach the GM's computer unasked, and the module says so", async () => {
      await tries(gm, server.gm, server.origin);
      await isSaid(gm, "on your own computer or network");
    });

    test("hosted: when the user allows it the page connects by itself", async () => {
      await context.grantPermissions(["local-network-access"], { origin: secure.origin });
      await isSaid(gm, "Connected.");
      await until(async () => (await server.token(ANNA))?.at, "the scene is at the table");
    });

    test("hosted: a player whose browser reaches no server plays through the GM's page", async () => {
      const pat = await FoundryUser.open(browser, secure, PAT, {
        context: await browser.newContext({ viewport: SMALL, ignoreHTTPSErrors: true }),
      });
      await until(() => pat.do(() => window.enfilade.client?.state === "connected"), "Pat is connected");
      assert.deepEqual(pat.errors, []);
    });

    test("hosted: a page that is no longer allowed says why it does not connect", async () => {
      await context.clearPermissions();
      await gm.page.reload();
      await gm.seesNotice("on your own computer or network");
    });
  });
