// The serious findings of axe-core, an engine for accessibility tests, on a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];

/** Returns each serious finding with the element that it concerns; contrast is among the rules of WCAG AA. */
export async function seriousFindings({ page }) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const options = { runOnly: RULES, resultTypes: ["violations"] };
  const { violations } = await page.evaluate((all) => globalThis.axe.run(all), options);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}
