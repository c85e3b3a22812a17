/** The window that connects this browser to a table; where it cannot, it says what may be the matter. */

import { field, onSubmit } from "../../core/controls.js";
import { el } from "../../core/dom.js";
import { words } from "../../core/words.js";
import { diagnosis } from "../connect/diagnosis.js";
import { seatIn } from "../connect/seat.js";
import { saveServer } from "../preferences.js";
import { MODULE, saveSeat, serverAddress } from "../settings.js";

const PATIENCE_MS = 4000;

/**
 * @param {HTMLElement} host
 * @param {{connect: () => void}} parts
 */
export function connectView(host, { connect }) {
  const server = el("input", { id: "enfilade-server", type: "url", value: serverAddress(), required: true });
  const link = el("input", { id: "enfilade-link", type: "text", autocomplete: "off", required: true });
  const said = el("ul", { id: "enfilade-diagnosis", "aria-live": "polite" });
  link.onchange = () => {
    const { url } = seatIn(link.value) ?? {};
    if (url) server.value = url; // a link names its server
  };
  const submit = onSubmit(() => go(server.value, link.value, said, connect));
  host.append(
    el("p", {}, words(game.user.isGM ? "Connect.ForGm" : "Connect.ForPlayer")),
    el(
      "form",
      { class: "form", onsubmit: submit },
      field(words("Connect.Link"), link),
      field(words("Connect.Server"), server),
      el("button", { type: "submit", id: "enfilade-connect-go", class: "primary" }, words("Connect.Go")),
    ),
    said,
  );
}

/** @param {string} address @param {string} text @param {HTMLElement} said @param {() => void} connect */
async function go(address, text, said, connect) {
  const seat = seatIn(text);
  if (!seat) return tell(said, ["Connect.NoLink"]);
  tell(said, ["Connect.Trying"]);
  const found = await trial(address);
  if (found.length) return tell(said, found);
  await saveServer(address);
  await saveSeat({ table: seat.table, key: seat.key });
  tell(said, ["Connect.Saved"]);
  connect();
}

/** @param {HTMLElement} said @param {string[]} keys */
function tell(said, keys) {
  const sentences = keys.map((key) => el("li", {}, words(key, { origin: location.origin })));
  said.replaceChildren(...sentences);
}

/** @param {string} server @returns {Promise<string[]>} the keys of what is wrong; none where it answers this page */
async function trial(server) {
  const own = game.modules.get(MODULE)?.version ?? "";
  const attempt = { page: location.href, server, isAnswered: await answers(server) };
  const [first] = diagnosis({ ...attempt, isAnswered: false }, own);
  if (first === "Connect.Why.Address") return [first];
  return attempt.isAnswered ? [] : diagnosis(attempt, own);
}

/** @param {string} server @returns {Promise<boolean>} whether anything answers there, whatever it says */
async function answers(server) {
  try {
    await fetch(server, { mode: "no-cors", signal: AbortSignal.timeout(PATIENCE_MS) });
    return true;
  } catch {
    return false;
  }
}
