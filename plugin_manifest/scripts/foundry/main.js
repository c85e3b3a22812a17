/** The module: hooks into Foundry, and nothing else. */

import { io } from "../../vendor/socket.io.esm.min.js";
import { registerSettings, savedSeat, serverAddress } from "./settings.js";
import { Connection } from "../core/connection.js";
import { TableLine } from "../core/table-line.js";

/** @type {TableLine | null} this page's line to its table, once there is one */
let line = null;

Hooks.once("init", registerSettings);
Hooks.once("ready", connect);

/** Takes up the line to the table of this world, where this browser has a seat at one. */
export function connect() {
  line?.close();
  const seat = savedSeat();
  const link = seat && { ...seat, url: serverAddress() };
  line = link && new TableLine(link, (ends) => new Connection({ open: io, ...link, ...ends }));
  line?.on("line", tellState);
}

/** @param {string} state @param {string} sentence */
function tellState(state, sentence) {
  const words = game.i18n.format(`ENFILADE.line.${state}`, { sentence });
  if (state === "connected") ui.notifications.info(words);
  else ui.notifications.warn(words);
}
