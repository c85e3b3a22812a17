/** Entry point of the board page: loads the language file and connects the page's parts to a table. */

import { io } from "../../../vendor/socket.io.esm.min.js";
import { GmCommands } from "../../core/game/gm-commands.js";
import { hoverVerdict } from "../../core/game/hover-verdict.js";
import { Session } from "../../core/game/session.js";
import { tableStore } from "../../core/game/store.js";
import { BranchConnection } from "../../core/table/branch-connection.js";
import { Connection } from "../../core/table/connection.js";
import { readInvitation } from "../../core/table/credentials.js";
import { TableClient } from "../../core/table/table-client.js";
import { byId, el, localizePage } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { speak } from "../../core/ui/language.js";
import { layerPanel } from "../../core/ui/layer-panel.js";
import { isContributionNote } from "../../core/ui/log-entry.js";
import { LogPanel } from "../../core/ui/log-panel.js";
import { Keys } from "../input/keys.js";
import { MapPicking } from "../input/map-picking.js";
import { MapTools } from "../input/map-tools.js";
import { Moves } from "../input/moves.js";
import { Pointer } from "../input/pointer.js";
import { rulerSight } from "../input/ruler-sight.js";
import { AttackMoment } from "../moment/attack-moment.js";
import { soundsOf } from "../moment/sounds.js";
import { AttackPanel } from "../panels/attack-panel.js";
import { branchBanner, branchButton, openBranch } from "../panels/branch-panel.js";
import { dock } from "../panels/dock.js";
import { firstSteps } from "../panels/first-steps.js";
import { logFiles, olderEntries } from "../panels/log-files.js";
import { nextStep, offerOf } from "../panels/next-step.js";
import { noteForm } from "../panels/note-form.js";
import { pastPanel } from "../panels/past-panel.js";
import { statisticsPanel } from "../panels/statistics-panel.js";
import { sketchPanel } from "../panels/sketch-panel.js";
import { tokenPanel } from "../panels/token-panel.js";
import { rememberTable } from "../start/my-tables.js";
import { turnBack } from "../panels/turn-back.js";
import { turnTracker } from "../panels/turn-tracker.js";
import { verdictPanel } from "../panels/verdict-panel.js";
import { join, waitForSeat } from "./join.js";
import { firstTicket, seat } from "./first-ticket.js";
import { replayPanel } from "../panels/replay-panel.js";
import { Notices, promptView, showResult } from "./notices.js";
import { applyDisplay, displaySettings, setting, themeSwitch } from "./display.js";
import { drawers, showDrawer, uncoverMap } from "./drawer.js";
import { fillIcons } from "../../core/ui/icons.js";
import { ownTurn } from "./own-turn.js";
import { people } from "./people.js";
import { showPings } from "./pings.js";
import { layersByActivity } from "./activity.js";
import { Board, pageStore } from "./page-state.js";
import { header, tabs } from "./shell.js";
import { playSounds } from "./sound.js";
import { Stage } from "./stage.js";

/** The tools of the setup tab, which end with it. */
const DRAWING_TOOLS = new Set(["wall", "door", "secret", "window", "terrain", "erase", "edit"]);

/** @import {Target} from "../../../types/contract.js" */
/** @import {ConnectionHandlers} from "../../../types/page.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Page} from "./page-state.js" */
/** @import {Ticket} from "../../core/table/credentials.js" */

const invitation = readInvitation(location.hash);
await speak(setting("language"));
localizePage();
fillIcons();
applyDisplay();
// At once, as their buttons are seen before a table is loaded.
displaySettings(byId("display"));
themeSwitch(byId("theme"));
if (seat) enter(seat, await firstTicket());
else if (invitation) join(invitation, start);
else {
  byId("connection").textContent = localize("Page.NoTable");
  byId("welcome").hidden = false;
}
window.addEventListener("hashchange", () => location.reload());
byId("skip").onclick = (event) => {
  event.preventDefault(); // the fragment names the table, so it must stay
  byId("board").focus();
};

/** @param {{table: string, key: string}} seat @param {Ticket | null} first */
function enter(seat, first) {
  if (first) start(seat, first);
  else waitForSeat(seat, start);
}

/** @param {{table: string, key: string}} seat @param {Ticket | null} [first] the ticket of the first connection */
function start(seat, first = null) {
  const board = byId("board");
  const parts = createParts(board, seat, first);
  document.addEventListener("focuslost", () => board.focus());
  createViews(board, parts);
  loadTheRest(parts);
  if (!openBranch()) keepInMyTables(parts.store, seat);
  showPings(parts);
  const moment = new AttackMoment(byId("notes"), parts.board);
  parts.session.client.on("entries", (all) => {
    const entries = all.filter((entry) => !isContributionNote(entry));
    const blows = moment.show(entries);
    if (!blows.length) showResult(byId("notes"), parts.board, entries);
    if (!parts.page.state.past) playSounds(soundsOf(entries, blows));
    parts.announce(entries.map((entry) => entry.text).join(" "));
  });
}

/** @param {HTMLElement} host of the board @param {{table: string, key: string}} seat @param {Ticket | null} first */
function createParts(host, seat, first) {
  const store = tableStore();
  const page = pageStore();
  const board = new Board(store, page);
  const notices = new Notices(byId("notices"));
  const [link, branch] = [{ ...seat, url: location.origin }, openBranch()];
  const stage = new Stage(host, { store, page, board });
  // The table works on its answer meanwhile. `loadTheRest` tells what fails.
  const onAsked = () => void stage.load().catch(() => {});
  const open = (/** @type {ConnectionHandlers} */ handlers) =>
    branch
      ? new BranchConnection(link, branch, handlers)
      : new Connection({ open: io, ...link, ticket: first, onAsked, ...handlers });
  // Without a key the parts of the page that read the table over HTTP stay away: they would read the battle.
  const session = new Session(store, notices, new TableClient(branch ? { ...link, key: "" } : link, open));
  if (branch) branchBanner(link, branch, { store, session, notices });
  else branchButton({ store, page, session, notices });
  const announcer = byId("announcer");
  stage.loadScripts();
  const commands = new GmCommands(store, session, notices);
  /** Has screen readers read a sentence. */
  const announce = (/** @type {string} */ text) => (announcer.textContent = text);
  const tools = new MapTools({ store, page, board, commands, announce });
  const picking = new MapPicking(byId("map"), host, { store, page, session });
  return {
    store,
    page,
    board,
    notices,
    session,
    moves: new Moves(store, session),
    commands,
    tools,
    picking,
    stage,
    openTab: tabs(byId("tabs"), (tab) => leaveTab(page, tools, tab)),
    announce,
    /** Takes the next step. A unit that is to act is selected first, and activated if its game has that. */
    async takeStep() {
      await session.knowsOverlay; // who selects a unit and goes on at once means that unit
      const step = nextStep(store.state);
      if (step?.act) await commands.act(step.act);
      if (!step?.select) return;
      await this.pick(step.select);
      const { overlay, selected } = store.state;
      const start =
        overlay?.token === step.select && selected === step.select && offerOf(overlay, "activate");
      if (start) await commands.act(start.act);
    },
    /** Lets the person aim an act at a cell, and makes it there. */
    async aim(/** @type {Target} */ target) {
      uncoverMap();
      const act = await picking.place(target);
      if (act) await commands.act(act);
    },
    /** Selects a token, shows its panel, and pans to it. */
    pick(/** @type {string} */ token) {
      this.openTab("tab-token");
      this.stage.reveal(token);
      return this.session.select(token);
    },
  };
}

/**
 * Draw the map once the browser has shown the tracker, the log and the selected unit: these can be used before. Load the
 * panels that one opens later after it.
 * @param {ReturnType<typeof createParts>} parts
 */
function loadTheRest({ store, ...parts }) {
  let hasBegun = false;
  const show = async () => {
    await parts.stage.load().then((draw) => draw(), tellNoMap);
    const { createLaterPanels } = await import("./later-panels.js");
    createLaterPanels({ store, ...parts });
  };
  store.subscribe(({ replica }) => {
    if (!replica || hasBegun) return;
    hasBegun = true;
    requestAnimationFrame(() => setTimeout(show));
  });
}

/** Say on the map why it is not drawn. @param {unknown} cause an event, if the canvas's library did not come */
function tellNoMap(cause) {
  console.error(cause);
  const text = localize(cause instanceof Event ? "Page.NoLibrary" : "Page.NoWebGl");
  byId("map").append(el("p", { id: "no-map", class: "glass", role: "alert" }, text));
}

/**
 * List this table on the start page of this browser.
 * @param {Store} store
 * @param {{table: string, key: string}} seat
 */
function keepInMyTables(store, seat) {
  let known = "";
  store.subscribe(({ replica }) => {
    const { name } = replica?.scene ?? { name: "" };
    if (!replica || known === `${replica.role} ${name}`) return;
    known = `${replica.role} ${name}`;
    rememberTable({ ...seat, name, game: replica.ruleset.title, role: replica.role });
  });
}

/**
 * End placing units and drawing with the tab that they belong to; a wall that is drawn stays.
 * @param {Page} page
 * @param {MapTools} tools
 * @param {string} tab that opens
 */
function leaveTab(page, tools, tab) {
  if (tab === "tab-setup") return;
  const { placing, tool } = page.state;
  if (placing) page.set({ placing: null, cursor: null });
  if (tool && DRAWING_TOOLS.has(tool)) tools.take(null);
}

/** @param {HTMLElement} board @param {ReturnType<typeof createParts>} parts */
function createViews(board, parts) {
  parts.pick = parts.pick.bind(parts);
  parts.takeStep = parts.takeStep.bind(parts);
  new Pointer(board, parts);
  new Keys(board, parts);
  turnTracker(byId("tracker"), parts);
  ownTurn(parts.store);
  new AttackPanel(byId("attack"), board, parts);
  hoverVerdict(parts.store, parts.session);
  rulerSight(parts);
  verdictPanel(byId("verdict"), board, parts.board);
  const readOlder = olderEntries(parts.session.client.link);
  new LogPanel(byId("log"), { ...parts, exports: logFiles(parts), readOlder });
  statisticsPanel(byId("log"), parts);
  noteForm(byId("log"), parts);
  drawers(board);
  header(parts);
  const open = (/** @type {string} */ tab) => (parts.openTab(tab), showDrawer(true));
  dock(byId("dock"), { ...parts, openCard: () => open("tab-token") });
  firstSteps(byId("map"), { ...parts, open });
  people(byId("people"), parts.store);
  for (const id of ["people", "waiting"]) byId(id).onclick = () => open("tab-players");
  layerPanel(byId("layers"), parts.store);
  turnBack(byId("turn-back"), parts);
  sketchPanel(byId("sketch"), byId("sketch-open"), parts);
  layersByActivity(byId("layers"), parts);
  tokenPanel(byId("panel-token"), parts);
  promptView(byId("prompts"), board, parts);
  replayPanel(byId("replay"), board, parts);
  pastPanel(byId("past"), board, parts);
}
