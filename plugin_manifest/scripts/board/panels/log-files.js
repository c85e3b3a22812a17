/** The log as files for people: Markdown, and one HTML page that needs nothing else. */

import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { isDiceProof, logLine } from "../../core/ui/log-entry.js";
import { groupByRound } from "../../core/ui/log-panel.js";
import { undoneEntries } from "../../core/table/replica.js";
import { portrait } from "../page/token-art.js";
import { readStatistics } from "./statistics-panel.js";
import { statisticsMarkdown, statisticsView } from "./statistics-view.js";

/** @import {BattleStatistics, LogEntry, Replica} from "../../../types/contract.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

const DOWNLOAD_MS = 60_000;
const STYLE =
  "body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:100%/1.5 system-ui,sans-serif;color:#1b1e24;background:#fffdf7}" +
  "img{max-width:100%}.units svg{width:2.5rem;height:2.5rem}.units{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;text-align:center}" +
  ".side-sign{width:.9rem;height:.9rem;vertical-align:-.1rem}table{border-collapse:collapse}td,th{padding:.1rem .5rem;text-align:left}" +
  ".plot-ground{fill:#e3dfd2}.plot-mark,.plot-zero{stroke:#1b1e24;stroke-width:2}.plot-zero{stroke-width:1}" +
  ".plot-bar,.plot-sign{stroke:#1b1e24;stroke-width:1}.plot-line{fill:none;stroke-width:3}.plot-under{fill:none;stroke:#1b1e24;stroke-width:4.5}" +
  ".statistics-bar{display:flex;gap:.5rem;align-items:center;margin:.2rem 0}";
const DOCTYPE = ["<!doctype", "html>"].join(" ");

/**
 * Return the kinds of files, for the log's list.
 * @param {{store: Store, session: Session, notices: Notices}} parts
 */
export function logFiles(parts) {
  const save =
    (/** @type {string} */ ending, /** @type {string} */ type, /** @type {Make} */ make) => async () => {
      const { replica } = parts.store.state;
      if (!replica) return;
      const statistics = await readStatistics(parts.session.client.link);
      const text = await make(replica, await wholeLog(parts, replica), statistics);
      const name = (replica.scene.name || "enfilade").replace(/[^\p{L}\p{N}]+/gu, "-");
      download(new Blob([text], { type }), `${name}.${ending}`);
    };
  return [
    { id: "log-markdown", name: "Log.Markdown", save: save("md", "text/markdown", logMarkdown) },
    { id: "log-page", name: "Log.Page", save: save("html", "text/html", logPage) },
  ];
}

/** @typedef {(replica: Replica, log: LogEntry[], statistics: BattleStatistics) => string | Promise<string>} Make */

/**
 * Return the whole log for the GM, and for others the part that the page has.
 * @param {{session: Session}} parts
 * @param {Replica} replica
 * @returns {Promise<LogEntry[]>}
 */
async function wholeLog({ session }, replica) {
  if (replica.role !== "gm") return replica.log;
  const { url, table, key } = session.client.link;
  const answer = await fetch(`${url}/api/tables/${table}/log`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  if (!answer.ok) return replica.log;
  const lines = (await answer.text()).trimEnd().split("\n").slice(1, -1);
  return lines.map((line) => JSON.parse(line.slice(line.indexOf(" "))));
}

/**
 * @param {LogEntry[]} log
 * @returns {{round: string, lines: string[]}[]} what stands, by round
 */
function chapters(log) {
  const undone = undoneEntries(log);
  const rows = log
    .filter((entry) => !isDiceProof(entry) && !undone.has(entry.seq) && !entry.undoes)
    .map((entry) => ({ entry }));
  return groupByRound(rows).map(({ round, rows: own }) => ({
    round,
    lines: own.map(({ entry }) => logLine(entry, false).replace(/^\d+\. /, "")),
  }));
}

/** The characters that mean something in Markdown. */
const SPECIAL = /[\x23\x2a\x3c\x3e\x5b-\x5d\x5f\x60]/g;

/** @param {string} text */
const escape = (text) => text.replace(SPECIAL, (sign) => `\\${sign}`);

/**
 * Return the log as Markdown: the statistics, and a chapter for each round.
 * @param {Replica} replica
 * @param {LogEntry[]} log
 * @param {BattleStatistics} statistics
 */
export function logMarkdown({ scene, ruleset }, log, statistics) {
  const parts = chapters(log).map(({ round, lines }) =>
    [`## ${round || localize("Log.Before")}`, "", ...lines.map((line) => `- ${escape(line)}`), ""].join("\n"),
  );
  const head = [`# ${escape(scene.name || localize("Page.Untitled"))}`, "", ruleset.title, ""];
  return [...head, ...statisticsMarkdown(statistics, escape), ...parts].join("\n");
}

/**
 * Return the log as an HTML page with the map's picture and the units' portraits in it.
 * @param {Replica} replica
 * @param {LogEntry[]} log
 * @param {BattleStatistics} statistics
 */
async function logPage({ scene, ruleset }, log, statistics) {
  const page = document.implementation.createHTMLDocument(scene.name || localize("Page.Untitled"));
  const charset = page.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  page.head.append(charset);
  const units = scene.tokens.map((token) => {
    const side = scene.sides.findIndex(({ id }) => id === token.side);
    return el(
      "figure",
      {},
      portrait({ ...token, image: "" }, side, scene.tokens),
      el("figcaption", {}, token.name),
    );
  });
  const picture = await pictureOf(scene.background);
  page.body.append(
    el("h1", {}, scene.name || localize("Page.Untitled")),
    el("p", {}, ruleset.title),
    ...(picture ? [el("img", { src: picture, alt: localize("Map.Title") })] : []),
    el("div", { class: "units" }, ...units),
    el("h2", {}, localize("Statistics.Title")),
    ...statisticsView(statistics, scene),
    ...chapters(log).flatMap(({ round, lines }) => [
      el("h2", {}, round || localize("Log.Before")),
      el("ol", {}, ...lines.map((line) => el("li", {}, line))),
    ]),
  );
  const text = new XMLSerializer().serializeToString(page.documentElement);
  // As text, because this page's own security policy forbids style elements.
  return [DOCTYPE, text.replace("</head>", ["<style>", STYLE, "</style></head>"].join(""))].join("\n");
}

/** Return a picture as a data URL; "" without one. @param {string} address @returns {Promise<string>} */
async function pictureOf(address) {
  if (!address) return "";
  const answer = await fetch(address);
  if (!answer.ok) return "";
  const reader = new FileReader();
  const read = new Promise((resolve) => (reader.onload = () => resolve(String(reader.result))));
  reader.readAsDataURL(await answer.blob());
  return /** @type {Promise<string>} */ (read);
}

/** @param {Blob} blob @param {string} name */
function download(blob, name) {
  const file = URL.createObjectURL(blob);
  el("a", { href: file, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(file), DOWNLOAD_MS); // the browser has read it by then
}
