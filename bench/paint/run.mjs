// Prints the script time of a redraw of 10,000 highlighted cells, in a real browser with real PIXI.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { ROOT, SHARP, launch, serveBrowser } from "../../tests/browser/harness.mjs";

const KINDS = { ".html": "text/html", ".js": "text/javascript" };

const server = createServer((request, response) => {
  const folder = request.url.startsWith("/bench/") ? ROOT : join(ROOT, "plugin_manifest");
  try {
    const text = readFileSync(join(folder, request.url));
    response.writeHead(200, { "Content-Type": KINDS[extname(request.url)] ?? "text/plain" }).end(text);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browserServer = await serveBrowser();
const browser = await launch(SHARP);
const page = await browser.newPage();
page.on("pageerror", (error) => console.error(error));
await page.goto(`http://127.0.0.1:${server.address().port}/bench/paint/page.html`);
await page.waitForFunction(() => window.measured);
for (const [name, times] of Object.entries(await page.evaluate(() => window.measured()))) {
  const at = (part) => times[Math.floor(part * (times.length - 1))].toFixed(2);
  console.log(`${name.padEnd(32)} median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms`);
}
await browser.close();
await browserServer.close();
server.close();
