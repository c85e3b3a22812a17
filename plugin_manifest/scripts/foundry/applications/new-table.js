/** The part of the window that connects in which a GM makes a new table: the server's games, with the fitting one chosen. */

import { randomHex } from "../../core/table/connection.js";
import { button, field, selectField } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { gameFor, houseRulesFor } from "../read/system-games.js";

/** @import {Link} from "../../../types/page.js" */

const TIMEOUT_MS = 4000;
const MOST_GAMES = 100;

/**
 * Builds it, hidden as long as no server answers.
 * @param {object} options
 * @param {string} options.server its address
 * @param {(link: Link) => unknown} options.onMade called with the GM's link to the new table
 * @param {(sentence: string) => void} options.tell
 * @returns {{element: HTMLElement, ask: (server: string) => Promise<void>}} `ask` asks another server for its games
 */
export function newTable({ server, onMade, tell }) {
  const host = el("section", { class: "enfilade-new-table", hidden: true });
  const ask = async (/** @type {string} */ address) => {
    const url = address.replace(/\/+$/, "");
    const answer = await request(`${url}/api/games`).catch(() => null);
    const games = gamesIn(answer);
    host.hidden = games.length === 0;
    if (games.length) fill(host, { url, games, needsKey: answer.needs_key === true, onMade, tell });
  };
  ask(server);
  return { element: host, ask };
}

/** @typedef {{key: string, title: string}} Game */

/** @param {any} answer of the server, which may be any other's @returns {Game[]} */
const gamesIn = (answer) =>
  (Array.isArray(answer?.games) ? answer.games : [])
    .filter((/** @type {any} */ one) => typeof one?.key === "string" && typeof one.title === "string")
    .slice(0, MOST_GAMES);

/**
 * @param {HTMLElement} host
 * @param {{url: string, games: Game[], needsKey: boolean, onMade: (link: Link) => unknown, tell: (sentence: string) => void}} options
 */
function fill(host, { url, games, needsKey, onMade, tell }) {
  const fitting = gameFor(
    games.map(({ key }) => key),
    game.system.id,
  );
  const list = selectField(
    "enfilade-new-game",
    games.map(({ key, title }) => /** @type {[string, string]} */ ([key, title])),
    fitting || games[0].key,
  );
  const key = el("input", { id: "enfilade-operator-key", type: "password", autocomplete: "off" });
  let isMaking = false;
  const make = button("enfilade-new-table", localize("Connect.MakeTable"), async () => {
    if (isMaking) return; // a double click means one table
    isMaking = true;
    try {
      const headers = {
        "Content-Type": "application/json",
        ...(key.value && { Authorization: `Bearer ${key.value}` }),
      };
      const body = JSON.stringify({ ruleset: list.value, name: game.world.title.slice(0, 100) });
      const { table, gm_key: gmKey } = await request(`${url}/api/tables`, { method: "POST", headers, body });
      await setRules({ url, table, key: gmKey }, houseRulesFor(game.system.id, list.value));
      await onMade({ url, table, key: gmKey });
    } catch (problem) {
      tell(problem instanceof Error ? problem.message : String(problem));
    } finally {
      isMaking = false;
    }
  });
  replaceContent(
    host,
    el("h2", {}, localize("Connect.NewTable")),
    field(localize("Connect.Game"), list),
    ...(needsKey ? [field(localize("Connect.OperatorKey"), key)] : []),
    el("div", { class: "buttons" }, make),
  );
}

/** Sets house rules at a new table. @param {Link} link @param {Record<string, string>} houseRules */
async function setRules({ url, table, key }, houseRules) {
  if (!Object.keys(houseRules).length) return;
  const body = { house_rules: houseRules, enforcement: "advise" };
  const command = { v: 1, id: randomHex(), kind: "rules.set", base: null, body };
  await request(`${url}/api/tables/${encodeURIComponent(table)}/commands`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(command),
  });
}

/** @param {string} address @param {RequestInit} [options] @returns {Promise<any>} rejects with the server's sentence */
async function request(address, options = {}) {
  const response = await fetch(address, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer?.error?.sentence ?? response.statusText);
  return answer;
}
