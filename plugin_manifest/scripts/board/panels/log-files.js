/** The log as files: Markdown, one HTML page that needs nothing else, and JSON lines; for the players, or with secrets. */

import { paintedPicture } from "../painter/map-picture.js";
import { PAGE } from "../../core/game/past.js";
import { isGm } from "../../core/game/store.js";
import { portraitSvg } from "../../core/portraits/portrait.js";
import { RequestError } from "../../core/table/credentials.js";
import { fold } from "../../core/table/fold.js";
import { readTable } from "../../core/table/reading.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { loadTexts } from "../../core/ui/language.js";
import { isDiceProof, logLine } from "../../core/ui/log-entry.js";
import { groupByRound } from "../../core/ui/log-rows.js";
import { undoneEntries } from "../../core/table/replica.js";
import { inNameOrder } from "../../core/ui/names.js";
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
      const reader = isGm(parts.store.state) ? await askReader() : "own";
      if (!replica || !reader) return;
      try {
        const battle = await readBattle(parts.session.client.link, reader);
        const text = await make(seenBy(replica, battle), battle);
        const name = (replica.scene.name || "enfilade").replace(/[^\p{L}\p{N}]+/gu, "-");
        download(new Blob([text], { type }), `${name}${ENDINGS[reader]}.${ending}`);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        parts.notices.error(error.message);
      }
    };
  return [
    { id: "log-markdown", name: "Log.Markdown", save: save("md", "text/markdown", logMarkdown) },
    { id: "log-page", name: "Log.Page", save: save("html", "text/html", logPage) },
    { id: "log-lines", name: "Log.Lines", save: save("jsonl", "application/jsonl", logLines) },
  ];
}

/**
 * The reader of a file: the players, who get what a spectator was sent; the GM; or a player, with their own view.
 * @typedef {"players" | "gm" | "own"} Reader
 */
/** The end of the file's name, so that none is sent to the wrong people. @type {Record<Reader, string>} */
const ENDINGS = { players: "-for-players", gm: "-with-secrets", own: "" };
/** @type {Record<Reader, string>} */
const REMARKS = { players: "Log.SavedForPlayers", gm: "Log.SavedForGm", own: "" };

/** @typedef {{reader: Reader, pages: ReplayPage[], log: LogEntry[], statistics: BattleStatistics}} Battle */
/** @typedef {(replica: Pick<Replica, "scene" | "ruleset">, battle: Battle) => string | Promise<string>} Make */

/** Ask the GM for whom a file is. @returns {Promise<Reader | "">} "" if the GM saves none after all */
function askReader() {
  return new Promise((resolve) => {
    const answer = (/** @type {Reader} */ reader) => () => {
      resolve(reader);
      dialog.close();
    };
    const dialog = el(
      "dialog",
      {
        class: "help",
        "aria-labelledby": "reader-question",
        onclose: () => {
          resolve("");
          dialog.remove();
        },
      },
      el("p", { id: "reader-question" }, localize("Log.Reader")),
      el(
        "div",
        { class: "buttons" },
        el(
          "button",
          { id: "reader-players", class: "primary", autofocus: true, onclick: answer("players") },
          localize("Log.ForPlayers"),
        ),
        el("button", { id: "reader-gm", onclick: answer("gm") }, localize("Log.ForGm")),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Return the whole battle as its reader may know it.
 * @param {Link} link
 * @param {Reader} reader
 * @returns {Promise<Battle>} rejected with RequestError
 */
async function readBattle(link, reader) {
  const as = reader === "players" ? "spectator" : undefined;
  /** @type {ReplayPage[]} */
  const pages = [];
  for (let start = 0; !pages.length || start < pages[0].last; start += PAGE)
    pages.push(await readTable(link, `replay?start=${start}&limit=${PAGE}${as ? `&as=${as}` : ""}`));
  const statistics = await readStatistics(link, undefined, as);
  return { reader, pages, log: pages.flatMap(({ entries }) => entries), statistics };
}

/**
 * Return the scene at the end as the file's reader may know it, by its own log.
 * @param {Replica} replica
 * @param {Battle} battle
 */
function seenBy(replica, { reader, pages }) {
  if (reader !== "players") return replica;
  const scene = pages.reduce(
    (_, page) => page.entries.flatMap(({ events }) => events).reduce(fold, page.scene),
    replica.scene,
  );
  return { ...replica, scene };
}

/** Return the log as JSON lines, each an entry, after a line about the file. @type {Make} */
function logLines({ scene, ruleset }, { reader, log }) {
  const head = { table: scene.name, ruleset: ruleset.title, for: reader, remark: remarkOn(reader) };
  return [head, ...log].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** @param {Reader} reader */
const remarkOn = (reader) => (REMARKS[reader] ? localize(REMARKS[reader]) : "");

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
      text: withMark(entry, logLine(entry, false).replace(/^\d+\. /, "")),
    })),
  }));
}

/** Mark what only the GM was told. @param {LogEntry} entry @param {string} text */
const withMark = ({ secret, text: own }, text) => (secret && own ? localize("Log.GmOnly", { text }) : text);

/** The characters that mean something in Markdown. */
const SPECIAL = /[\x23\x2a\x3c\x3e\x5b-\x5d\x5f\x60]/g;

/** @param {string} text */
const escape = (text) => text.replace(SPECIAL, (sign) => `\\${sign}`);

/**
 * Return the log as Markdown: the statistics, and a chapter for each round.
 * @param {Pick<Replica, "scene" | "ruleset">} replica
 * @param {Pick<Battle, "log" | "statistics"> & {reader?: Reader}} battle
 */
export function logMarkdown({ scene, ruleset }, { log, statistics, reader = "own" }) {
  const parts = chapters(log).map(({ round, lines }) =>
    [`## ${round || localize("Log.Before")}`, "", ...lines.map(({ text }) => `- ${escape(text)}`), ""].join(
      "\n",
    ),
  );
  const head = [`# ${escape(scene.name || localize("Page.Untitled"))}`, "", ruleset.title, ""];
  if (remarkOn(reader)) head.push(remarkOn(reader), "");
  return [...head, ...statisticsMarkdown(statistics, escape), ...parts].join("\n");
}

/**
 * Return the log as an HTML page that needs nothing else: the replay of the battle with the map's picture, the units'
 * portraits, the statistics, and all entries.
 * @param {Pick<Replica, "scene" | "ruleset">} replica
 * @param {Battle} battle
 */
async function logPage({ scene, ruleset }, { pages, log, statistics, reader }) {
  const page = document.implementation.createHTMLDocument(scene.name || localize("Page.Untitled"));
  const charset = page.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  page.head.append(charset);
  const units = inNameOrder(scene.tokens).map((token) => {
    const side = scene.sides.findIndex(({ id }) => id === token.side);
    return el(
      "figure",
      {},
      portraitSvg({ ...token, image: "" }, side, scene.sides[side]?.name ?? ""),
      el("figcaption", {}, token.name),
    );
  });
  const light = document.documentElement.dataset.theme === "light" ? "day" : "night";
  const painted = scene.background ? "" : await paintedPicture(scene, light === "day");
  const picture = painted || (await pictureOf(scene.background));
  page.body.append(
    el("h1", {}, scene.name || localize("Page.Untitled")),
    el("p", {}, ruleset.title),
    ...(remarkOn(reader) ? [el("p", { class: "reader" }, remarkOn(reader))] : []),
    ...(picture
      ? [
          el("img", {
            id: "map-picture",
            src: picture,
            alt: localize("Map.Title"),
            ...(painted && { "data-painted": light }),
          }),
        ]
      : []),
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

/**
 * Return a function that reads older entries of the log, for its panel; null without a key, as in a branch.
 * @param {Link} link
 * @returns {((before: number) => Promise<LogEntry[]>) | null}
 */
export function olderEntries(link) {
  if (!link.key) return null;
  return async (before) => {
    const start = Math.max(0, before - 1 - PAGE);
    /** @type {ReplayPage} */
    const page = await readTable(link, `replay?start=${start}&limit=${before - 1 - start}`);
    return page.entries.filter(({ seq }) => seq < before);
  };
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
  const { Past, Mark, Move } = (await loadTexts(document.documentElement.lang)).ENFILADE;
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
