// The two stores of the board page, and which modules may know what.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Board, pageStore } from "../../../plugin_manifest/scripts/board/page/page-state.js";
import { RestingQuestion } from "../../../plugin_manifest/scripts/core/game/resting-question.js";
import { hasChanged, tableStore } from "../../../plugin_manifest/scripts/core/game/store.js";

const SCRIPTS = "plugin_manifest/scripts";
const later = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

function board() {
  const [store, page] = [tableStore(), pageStore()];
  return { store, page, board: new Board(store, page) };
}

test("the board reads the table's state and the page's as one", () => {
  const { store, page, board: both } = board();
  store.set({ selected: "anna" });
  page.set({ tool: "ruler" });
  assert.deepEqual([both.state.selected, both.state.tool], ["anna", "ruler"]);
  assert.equal(both.state, both.state, "the same object until something changes");
  const before = both.state;
  page.set({ tool: null });
  assert.notEqual(both.state, before);
});

test("a subscriber of both hears each change once", async () => {
  const { store, page, board: both } = board();
  const heard = [];
  both.subscribe((state, before) => {
    if (hasChanged(state, before, "selected")) heard.push(`selected ${state.selected}`);
    if (hasChanged(state, before, "tool")) heard.push(`tool ${state.tool}`);
  });
  store.set({ selected: "anna" });
  page.set({ tool: "ruler" });
  await later();
  assert.deepEqual(heard, ["selected anna", "tool ruler"]);
});

test("a pan of the board wakes no subscriber of the table", async () => {
  const { store, page } = board();
  let woken = 0;
  store.subscribe(() => (woken += 1));
  page.set({ camera: { left: 5, top: 5, scale: 2 } });
  await later();
  assert.equal(woken, 0);
});

test("a resting question is asked once, and only the latest answer is taken", async () => {
  const [asked, taken] = [[], []];
  const question = new RestingQuestion({
    ask: async ({ of }) => (asked.push(of), await later(of === "slow" ? 60 : 0), of),
    take: (answer) => taken.push(answer),
    drop: () => {},
  });
  question.put({ of: "brief" });
  question.put({ of: "slow" });
  question.put({ of: "slow" });
  await later(150);
  question.put({ of: "last" });
  await later(200);
  question.put(null);
  await later(150);
  assert.deepEqual([asked, taken], [["slow", "last"], ["last"]]);
});

/** Returns the modules that those of a folder import, by path from the scripts' folder. */
function importsOf(folder) {
  return readdirSync(join(SCRIPTS, folder)).flatMap((name) => {
    const source = readFileSync(join(SCRIPTS, folder, name), "utf8");
    const found = [...source.matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)"/gms)];
    return found.map(([, path]) => [`${folder}/${name}`, join(folder, path)]);
  });
}

test("the table's state knows neither what is drawn nor the board page; places and footprints are geometry", () => {
  const geometry = ["core/map/geometry.js", "core/map/footprints.js"];
  const wrong = ["core/game", "core/table"]
    .flatMap(importsOf)
    .filter(([, path]) => !geometry.includes(path))
    .filter(([, path]) => path.startsWith("core/draw/") || path.startsWith("board/"));
  assert.deepEqual(wrong, []);
});
