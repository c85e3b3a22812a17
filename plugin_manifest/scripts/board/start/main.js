/** The start page: the tables of this browser, a new table, a link to open. */

import { readInvitation, readLink } from "../../core/table/credentials.js";
import { button, checkbox, field, selectField, submitHandler } from "../../core/ui/controls.js";
import { byId, el, localizePage, replaceContent } from "../../core/ui/dom.js";
import { icon } from "../../core/ui/icons.js";
import { localize } from "../../core/ui/i18n.js";
import { speak } from "../../core/ui/language.js";
import { applyDisplay, setting, settingField } from "../page/display.js";
import { gameCards } from "./game-cards.js";
import { addressOf, forgetTable, myTables, rememberTable } from "./my-tables.js";

await speak(setting("language"));
localizePage();
document.querySelector("h1")?.prepend(icon("mark"));
applyDisplay();
showTables();
byId("open").append(linkForm());
byId("language").append(settingField("language"));
await showNewTable();

function showTables() {
  const rows = myTables().map((table) => {
    const what = [table.game, localize(`Start.Role.${table.role}`)].filter(Boolean).join(", ");
    const link = el(
      "a",
      { href: addressOf(table) },
      table.name || localize("Page.Untitled"),
      el("small", {}, ` ${what}`),
    );
    const forget = () => {
      forgetTable(table);
      showTables();
    };
    const label = localize("Start.ForgetName", { name: table.name });
    const drop = button(`forget-${table.table}-${table.role}`, localize("Start.Forget"), forget, {
      "aria-label": label,
    });
    return el("li", { class: "start-table" }, link, drop);
  });
  const none = el("p", { class: "quiet" }, localize("Start.None"));
  replaceContent(byId("mine"), rows.length ? el("ul", { class: "plain-list" }, ...rows) : none);
}

async function showNewTable() {
  const answer = await fetch("/api/games");
  const { games, needs_key: needsKey } = await answer.json();
  const options = games.map((/** @type {{key: string, title: string}} */ { key, title }) => [key, title]);
  const ruleset = selectField("new-game", options, options[0]?.[0]);
  const name = el("input", { id: "new-name", type: "text", maxLength: 200, autocomplete: "off" });
  const battle = el("input", { id: "new-battle", type: "checkbox" });
  const key = el("input", { id: "new-key", type: "password", autocomplete: "off" });
  const create = () =>
    makeNew({ ruleset: ruleset.value, name: name.value.trim(), battle: battle.checked }, key.value);
  const saved = el("input", { id: "new-saved", type: "file", accept: ".json" });
  saved.onchange = async () => {
    if (saved.files?.[0]) await startSaved(saved.files[0], key.value);
    saved.value = ""; // the same file, mended, can be chosen again
  };
  const begin = (/** @type {boolean} */ hasBattle) => (/** @type {string} */ game) =>
    void makeNew({ ruleset: game, name: "", battle: hasBattle }, key.value);
  byId("games").append(gameCards(games, { play: begin(true), empty: begin(false) }));
  byId("new").append(
    el(
      "form",
      { class: "form", onsubmit: submitHandler(create) },
      field(localize("Start.Game"), ruleset),
      field(localize("Start.Name"), name),
      checkbox(battle, localize("Start.Battle")),
      needsKey ? field(localize("Start.Key"), key) : "",
      el("button", { type: "submit", id: "new-create" }, localize("Start.Create")),
      field(localize("Start.Saved"), saved),
    ),
  );
}

let isMaking = false;

/**
 * Make a table and go there; show the problem if the server refuses it.
 * @param {string} address
 * @param {string} body of the request
 * @param {string} name the table's
 * @param {string} operatorKey
 */
async function makeTable(address, body, name, operatorKey) {
  if (isMaking) return; // a double click means one table
  isMaking = true;
  byId("problem").textContent = "";
  const headers = {
    "Content-Type": "application/json",
    ...(operatorKey && { Authorization: `Bearer ${operatorKey}` }),
  };
  try {
    const answer = await fetch(address, { method: "POST", headers, body });
    const made = await answer.json();
    if (answer.ok) enter({ table: made.table, key: made.gm_key }, name);
    else byId("problem").textContent = made.error.sentence;
  } catch {
    byId("problem").textContent = localize("Join.Unreachable");
  } finally {
    isMaking = false;
  }
}

/**
 * @param {{ruleset: string, name: string, battle: boolean}} table
 * @param {string} operatorKey
 */
const makeNew = (table, operatorKey) =>
  makeTable("/api/tables", JSON.stringify(table), table.name, operatorKey);

/**
 * Make a table from a saved battle.
 * @param {File} file
 * @param {string} operatorKey
 */
async function startSaved(file, operatorKey) {
  byId("problem").textContent = "";
  const text = await file.text();
  /** @type {{ruleset?: unknown, name?: unknown}} */
  let battle;
  try {
    battle = JSON.parse(text);
  } catch {
    battle = {};
  }
  if (typeof battle?.ruleset !== "string") {
    byId("problem").textContent = localize("Start.NoBattle");
    return;
  }
  await makeTable("/api/battles", text, String(battle.name ?? ""), operatorKey);
}

/** @param {{table: string, key: string}} seat @param {string} name */
function enter(seat, name) {
  rememberTable({ ...seat, name, game: "", role: "gm" });
  location.assign(addressOf(seat));
}

function linkForm() {
  const link = el("input", { id: "open-link", type: "text", required: true, autocomplete: "off" });
  const open = () => {
    const hash = link.value.slice(Math.max(0, link.value.indexOf("#"))).trim();
    if (readLink(hash) || readInvitation(hash)) location.assign(`/board/${hash}`);
    else byId("problem").textContent = localize("Connect.NoLink");
  };
  return el(
    "form",
    { class: "form", onsubmit: submitHandler(open) },
    field(localize("Start.Link"), link),
    el("button", { type: "submit", id: "open-go" }, localize("Start.Go")),
  );
}
