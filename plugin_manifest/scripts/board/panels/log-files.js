/** The log as files for people: Markdown, and one HTML page that needs nothing else. */

import { PAGE } from "../../core/game/past.js";
import { readTable } from "../../core/table/reading.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { isDiceProof, logLine } from "../../core/ui/log-entry.js";
import { groupByRound } from "../../core/ui/log-panel.js";
import { undoneEntries } from "../../core/table/replica.js";
import { inNameOrder } from "../../core/ui/names.js";
import { portrait } from "../page/token-art.js";
import { readStatistics } from "./statistics-panel.js";
import { statisticsMarkdown, statisticsView } from "./statistics-view.js";

/** @import {BattleStatistics, LogEntry, Replica, ReplayPage} from "../../../types/contract.js" */
/** @import {Link, Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

const DOWNLOAD_MS = 60_000;
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
      const { link } = parts.session.client;
      const [pages, statistics] = [await wholeBattle(link, replica.seq), await readStatistics(link)];
      const text = await make(replica, { pages, log: pages.flatMap(({ entries }) => entries), statistics });
      const name = (replica.scene.name || "enfilade").replace(/[^\p{L}\p{N}]+/gu, "-");
      download(new Blob([text], { type }), `${name}.${ending}`);
    };
  return [
    { id: "log-markdown", name: "Log.Markdown", save: save("md", "text/markdown", logMarkdown) },
    { id: "log-page", name: "Log.Page", save: save("html", "text/html", logPage) },
  ];
}

/** @typedef {{pages: ReplayPage[], log: LogEntry[], statistics: BattleStatistics}} Battle what this seat was sent */
/** @typedef {(replica: Replica, battle: Battle) => string | Promise<string>} Make */

/**
 * Return all pages of the battle's replay.
 * @param {Link} link
 * @param {number} last the number of the last entry
 */
async function wholeBattle(link, last) {
  /** @type {ReplayPage[]} */
  const pages = [];
  for (let start = 0; start < last || !pages.length; start += PAGE)
    pages.push(await readTable(link, `replay?start=${start}&limit=${PAGE}`));
  return pages;
}

/**
 * @param {LogEntry[]} log
 * @returns {{round: string, lines: {seq: number, text: string}[]}[]} what stands, by round
 */
function chapters(log) {
  const undone = undoneEntries(log);
  const rows = log
    .filter((entry) => !isDiceProof(entry) && !undone.has(entry.seq) && !entry.undoes)
    .map((entry) => ({ entry }));
  return groupByRound(rows).map(({ round, rows: own }) => ({
    round,
    lines: own.map(({ entry }) => ({
      seq: entry.seq,
      text: logLine(entry, false).replace(/^\d+\. /, ""),
    })),
  }));
}

/** The characters that mean something in Markdown. */
const SPECIAL = /[\x23\x2a\x3c\x3e\x5b-\x5d\x5f\x60]/g;

/** @param {string} text */
const escape = (text) => text.replace(SPECIAL, (sign) => `\\${sign}`);

/**
 * Return the log as Markdown: the statistics, and a chapter for each round.
 * @param {Replica} replica
 * @param {Pick<Battle, "log" | "statistics">} battle
 */
export function logMarkdown({ scene, ruleset }, { log, statistics }) {
  const parts = chapters(log).map(({ round, lines }) =>
    [`## ${round || localize("Log.Before")}`, "", ...lines.map(({ text }) => `- ${escape(text)}`), ""].join(
      "\n",
    ),
  );
  const head = [`# ${escape(scene.name || localize("Page.Untitled"))}`, "", ruleset.title, ""];
  return [...head, ...statisticsMarkdown(statistics, escape), ...parts].join("\n");
}

/**
 * Return the log as an HTML page that needs nothing else: the replay of the battle with the map's picture, the units'
 * portraits, the statistics, and all entries.
 * @param {Replica} replica
 * @param {Battle} battle
 */
async function logPage({ scene, ruleset }, { pages, log, statistics }) {
  const page = document.implementation.createHTMLDocument(scene.name || localize("Page.Untitled"));
  const charset = page.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  page.head.append(charset);
  const units = inNameOrder(scene.tokens).map((token) => {
    const side = scene.sides.findIndex(({ id }) => id === token.side);
    return el(
      "figure",
      {},
      portrait({ ...token, image: "" }, side, scene.sides),
      el("figcaption", {}, token.name),
    );
  });
  const picture = await pictureOf(scene.background);
  page.body.append(
    el("h1", {}, scene.name || localize("Page.Untitled")),
    el("p", {}, ruleset.title),
    ...(picture ? [el("img", { id: "map-picture", src: picture, alt: localize("Map.Title") })] : []),
    el("section", { id: "replay", "aria-label": localize("Past.Saved") }),
    el("div", { class: "units" }, ...units),
    el("h2", {}, localize("Statistics.Title")),
    ...statisticsView(statistics, scene),
    ...chapters(log).flatMap(({ round, lines }) => [
      el("h2", {}, round || localize("Log.Before")),
      el("ol", {}, ...lines.map(({ seq, text }) => el("li", { "data-seq": seq }, text))),
    ]),
  );
  const [style, program] = await Promise.all(
    ["styles/saved-log.css", "vendor/saved-log.min.js"].map(async (name) =>
      (await fetch(`/plugin/${name}`)).text(),
    ),
  );
  const text = new XMLSerializer().serializeToString(page.documentElement);
  const battle = JSON.stringify({ pages: pages.map(toPlain), language: await savedTexts() });
  // As text, because this page's own security policy forbids style and script elements.
  const tail = [
    ["<script id='battle' type='application/json'>", battle.replaceAll("<", "\\u003c"), "</script>"],
    ["<script>", program.replaceAll("</script", "<\\/script"), "</script>"],
  ];
  return [
    DOCTYPE,
    text
      .replace("</head>", () => ["<style>", style, "</style></head>"].join(""))
      .replace("</body>", () => [...tail.flat(), "</body>"].join("")),
  ].join("\n");
}

/** Return a page without what a picture needs the server for, and without proofs. @param {ReplayPage} page */
const toPlain = (page) => ({
  ...page,
  entries: page.entries.map(({ seq, kind, text, facts: { token, target, hit_points: points }, events }) => ({
    seq,
    kind,
    text,
    facts: { token, target, hit_points: points },
    events: events.filter(({ type }) => !EXPLAINING.has(type)),
  })),
});

/** Events that change no scene. */
const EXPLAINING = new Set(["dice_rolled", "choice_made", "explained"]);

/** Return the texts that the saved page's program shows. */
async function savedTexts() {
  const { Past, Mark, Move } = (await (await fetch("/plugin/lang/en.json")).json()).ENFILADE;
  return { ENFILADE: { Past, Mark, Move } };
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
