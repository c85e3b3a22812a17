/** The window that connects this browser to a table and explains why it cannot. */

import { localize } from "../../core/ui/i18n.js";
import { connectForm } from "../../tabletop/connect-form.js";
import { probe } from "../../tabletop/probe.js";
import { newTable } from "./new-table.js";
import { MODULE, saveServerAddress, serverAddress } from "../settings.js";
import { saveSeat } from "../user-store.js";

/** @import {ConnectionState, Link} from "../../../types/page.js" */
/** @import {TableClient} from "../../core/table/table-client.js" */

/**
 * @param {HTMLElement} host
 * @param {object} manager
 * @param {() => void} manager.connect
 * @param {() => unknown} manager.leave
 * @param {(listener: (client: TableClient) => void) => void} manager.onClient calls the listener with each new client
 */
export function connectView(host, { connect, leave, onClient }) {
  const enter = async (/** @type {Link} */ { url, table, key }) => {
    await saveServerAddress(url);
    await saveSeat({ table, key });
    connect();
  };
  const form = connectForm({
    server: serverAddress(),
    isFixed: false,
    needs: localize(game.user.isGM ? "Connect.ForGm" : "Connect.ForPlayer"),
    check: problemsOf,
    connect: enter,
    forget: () => {
      leave();
      form.tell(localize("Connect.Forgotten"));
    },
  });
  form.link.autofocus = true;
  onClient((client) => client.on("connection", (state, sentence) => form.tell(stateText(state, sentence))));
  host.append(form.element);
  if (!game.user.isGM) return;
  const made = newTable({ server: serverAddress(), onMade: enter, tell: form.tell });
  form.address.addEventListener("change", () => made.ask(form.address.value));
  host.append(made.element);
}

/**
 * Returns why this page cannot connect with a link, in sentences; none if it can.
 * @param {Link} link
 * @returns {Promise<string[]>}
 */
export function problemsOf(link) {
  const version = game.modules.get(MODULE)?.version ?? "";
  return probe(link, { version, tabletop: "Foundry", update: localize("Connect.Update") });
}

/** @param {ConnectionState} state @param {string} sentence */
function stateText(state, sentence) {
  if (state === "connected") return localize("Connect.Done");
  return state === "lost" ? localize("Connect.Lost") : sentence;
}
