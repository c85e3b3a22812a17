/** The board page: puts its parts together. */

import { io } from "../../../vendor/socket.io.esm.min.js";
import { Connection } from "../../core/table/connection.js";
import { byId } from "../../core/ui/dom.js";
import { AttackPanel } from "../panels/attack-panel.js";
import { boardNotes } from "./notices.js";
import { choiceView } from "./notices.js";
import { GmCommands } from "../../core/game/gm-commands.js";
import { header } from "./shell.js";
import { Keys } from "../input/keys.js";
import { layerPanel } from "../../core/ui/layer-panel.js";
import { join, wait } from "./join.js";
import { readInvitation, readLink } from "../../core/table/credentials.js";
import { HoverVerdict } from "../../core/game/hover-verdict.js";
import { isContributionNote } from "../../core/ui/log-entry.js";
import { LogPanel } from "../../core/ui/log-panel.js";
import { Moves } from "../input/moves.js";
import { Notices } from "./notices.js";
import { playersPanel } from "../panels/players-panel.js";
import { Pointer } from "../input/pointer.js";
import { rulesPanel } from "../../core/ui/rules-panel.js";
import { Session } from "../../core/game/session.js";
import { setupPanel } from "../panels/setup-panel.js";
import { Stage } from "./stage.js";
import { Store } from "../../core/game/store.js";
import { TableClient } from "../../core/table/table-client.js";
import { tabs } from "./shell.js";
import { tokenPanel } from "../panels/token-panel.js";
import { verdictPanel } from "../panels/verdict-panel.js";
import { setTranslator, translatorFor } from "../../core/ui/i18n.js";

/** @import {LogEntry} from "../../../types/contract.js" */
/** @import {ConnectionHandlers} from "../../../types/page.js" */

setTranslator(translatorFor(await (await fetch(new URL("../../../lang/en.json", import.meta.url))).json()));
const link = readLink(location.hash);
const invited = readInvitation(location.hash);
if (link) wait(link, start);
else if (invited) join(invited, start);
else {
  byId("line").textContent = "No table";
  byId("welcome").hidden = false;
}
window.addEventListener("hashchange", () => location.reload());
byId("skip").onclick = (event) => {
  event.preventDefault(); // the fragment names the table, so it must stay
  byId("board").focus();
};

/** @param {{table: string, key: string}} link */
function start(link) {
  const board = byId("board");
  const parts = put(new Store(), new Notices(byId("notices")), board, link);
  show(board, parts);
  parts.session.client.on("entries", told(boardNotes(byId("notes"), parts.store), parts.announce));
}

/**
 * The parts that the page's views work with.
 * @param {Store} store
 * @param {Notices} notices
 * @param {HTMLElement} board
 * @param {{table: string, key: string}} link
 */
function put(store, notices, board, link) {
  const open = (/** @type {ConnectionHandlers} */ ends) =>
    new Connection({ open: io, url: location.origin, ...link, ...ends });
  const session = new Session(store, notices, new TableClient({ ...link, url: location.origin }, open));
  const commands = new GmCommands(store, session, notices);
  const moves = new Moves(store, session);
  return {
    store,
    notices,
    session,
    moves,
    commands,
    stage: new Stage(board, store),
    announce: says("announcer"),
  };
}

/** @param {HTMLElement} board @param {ReturnType<typeof put>} parts */
function show(board, parts) {
  new Pointer(board, parts);
  new Keys(board, parts);
  new AttackPanel(byId("attack"), board, parts);
  new HoverVerdict(parts.store, parts.session);
  verdictPanel(byId("verdict"), board, parts.store);
  new LogPanel(byId("log"), parts);
  header(parts);
  layerPanel(byId("layers"), parts.store);
  tokenPanel(byId("panel-token"), parts);
  setupPanel(byId("panel-setup"), parts);
  rulesPanel(byId("panel-rules"), parts);
  playersPanel(byId("panel-players"), parts);
  choiceView(byId("prompts"), board, parts);
  tabs(byId("tabs"));
}

/** @param {string} id @returns {(text: string) => void} */
function says(id) {
  const region = byId(id);
  return (text) => {
    region.textContent = text;
  };
}

/**
 * @param {(entries: LogEntry[]) => void} show
 * @param {(text: string) => void} announce
 */
function told(show, announce) {
  return (/** @type {LogEntry[]} */ told) => {
    const entries = told.filter((entry) => !isContributionNote(entry));
    show(entries);
    announce(entries.map((entry) => entry.text).join(" "));
  };
}
