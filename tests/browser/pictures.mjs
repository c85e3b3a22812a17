// The pictures of the docs and the README, taken by the tests that come past what they show: `make pictures`.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, isPainted } from "./harness.mjs";

const IMAGES = join(ROOT, "docs", "images");
const QUALITY = 80;

/** Takes a picture of a page for docs/images, once its map is painted. Without SCREENSHOT=1 it does nothing. */
export async function takePicture(page, name) {
  if (!process.env.SCREENSHOT) return;
  if (await page.locator("#board").count()) await isPainted(page);
  const path = join(IMAGES, `${name}.jpg`);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, type: "jpeg", quality: QUALITY });
}
