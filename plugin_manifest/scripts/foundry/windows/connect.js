/** The window that connects this browser to a table; where it cannot, it says what may be the matter. */

import { field, submitHandler } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { seatIn } from "../connect/seat.js";
import { trial } from "../connect/trial.js";
import { saveServer } from "../preferences.js";
import { MODULE, saveSeat, serverAddress } from "../settings.js";

/** @import {ConnectionState} from "../../../types/page.js" */
/** @import {TableClient} from "../../core/table/table-client.js" */

/**
 * @param {HTMLElement} host
 * @param {{connect: () => void, watch: (watcher: (line: TableClient) => void) => void}} parts `watch` has it
 *   called with every new line
 */
export function connectView(host, { connect, watch }) {
  const server = el("input", { id: "enfilade-server", type: "url", value: serverAddress(), required: true });
  const link = el("input", { id: "enfilade-link", type: "text", autocomplete: "off", required: true });
  link.autofocus = true;
  const said = el("ul", { id: "enfilade-diagnosis", role: "status" });
  link.onchange = () => {
    const { url } = seatIn(link.value) ?? {};
    if (url) server.value = url; // a link names its server
  };
  watch((line) => line.on("connection", (state, sentence) => tell(said, [lineSays(state, sentence)])));
  host.append(
    el("p", {}, localize(game.user.isGM ? "Connect.ForGm" : "Connect.ForPlayer")),
    el(
      "form",
      { class: "form", onsubmit: submitHandler(() => go(server.value, link.value, said, connect)) },
      field(localize("Connect.Link"), link),
      field(localize("Connect.Server"), server),
      el("button", { type: "submit", id: "enfilade-connect-go", class: "primary" }, localize("Connect.Go")),
    ),
    said,
  );
}

/** @param {string} address @param {string} text @param {HTMLElement} said @param {() => void} connect */
async function go(address, text, said, connect) {
  const seat = seatIn(text);
  if (!seat) return tell(said, [localize("Connect.NoLink")]);
  tell(said, [localize("Connect.Trying")]);
  const found = await trial(address, seat, game.modules.get(MODULE)?.version ?? "");
  if (found.length)
    return tell(
      said,
      found.map(([key, values]) => localize(key, values)),
    );
  await saveServer(address);
  await saveSeat({ table: seat.table, key: seat.key });
  connect();
}

/** @param {HTMLElement} said @param {string[]} sentences */
const tell = (said, sentences) => said.replaceChildren(...sentences.map((one) => el("li", {}, one)));

/** @param {ConnectionState} state @param {string} sentence the line's own */
function lineSays(state, sentence) {
  if (state === "connected") return localize("Connect.Done");
  return state === "lost" ? localize("Connect.Lost") : sentence;
}
