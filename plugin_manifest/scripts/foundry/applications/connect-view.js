/** The window that connects this browser to a table and explains why it cannot. */

import { field, submitHandler } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { parseSeatLink, probe } from "../connect/probe.js";
import { MODULE, saveServerAddress, serverAddress } from "../settings.js";
import { saveSeat } from "../user-store.js";

/** @import {ConnectionState} from "../../../types/page.js" */
/** @import {TableClient} from "../../core/table/table-client.js" */

/**
 * @param {HTMLElement} host
 * @param {object} manager
 * @param {() => void} manager.connect
 * @param {(listener: (client: TableClient) => void) => void} manager.onClient calls the listener with each new client
 */
export function connectView(host, { connect, onClient }) {
  const server = el("input", { id: "enfilade-server", type: "url", value: serverAddress(), required: true });
  const link = el("input", { id: "enfilade-link", type: "text", autocomplete: "off", required: true });
  link.autofocus = true;
  const status = el("ul", { id: "enfilade-diagnosis", role: "status" });
  link.onchange = () => {
    const { url } = parseSeatLink(link.value) ?? {};
    if (url) server.value = url; // a link names its server
  };
  onClient((client) =>
    client.on("connection", (state, sentence) => showStatus(status, [stateText(state, sentence)])),
  );
  const onSubmit = submitHandler(() => tryToConnect(server.value, link.value, status, connect));
  host.append(
    el("p", {}, localize(game.user.isGM ? "Connect.ForGm" : "Connect.ForPlayer")),
    el(
      "form",
      { class: "form", onsubmit: onSubmit },
      field(localize("Connect.Link"), link),
      field(localize("Connect.Server"), server),
      el("button", { type: "submit", id: "enfilade-connect-go", class: "primary" }, localize("Connect.Go")),
    ),
    status,
  );
}

/** @param {string} address @param {string} text @param {HTMLElement} status @param {() => void} connect */
async function tryToConnect(address, text, status, connect) {
  const seat = parseSeatLink(text);
  if (!seat) return showStatus(status, [localize("Connect.NoLink")]);
  showStatus(status, [localize("Connect.Trying")]);
  const problems = await probe(address, seat, game.modules.get(MODULE)?.version ?? "");
  if (problems.length)
    return showStatus(
      status,
      problems.map(([key, values]) => localize(key, values)),
    );
  await saveServerAddress(address);
  await saveSeat({ table: seat.table, key: seat.key });
  connect();
}

/** @param {HTMLElement} status @param {string[]} sentences */
const showStatus = (status, sentences) =>
  status.replaceChildren(...sentences.map((one) => el("li", {}, one)));

/** @param {ConnectionState} state @param {string} sentence */
function stateText(state, sentence) {
  if (state === "connected") return localize("Connect.Done");
  return state === "lost" ? localize("Connect.Lost") : sentence;
}
