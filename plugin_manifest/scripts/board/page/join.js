/** Joining a table with an invitation: asks for a name, then waits until the GM admits the player. */

import { RequestError } from "../../core/table/credentials.js";
import { Membership } from "../../core/table/membership.js";
import { field, submitHandler } from "../../core/ui/controls.js";
import { byId, el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @typedef {{table: string, key: string}} Seat */

const POLL_MS = 2000;
const MAX_NAME = 40;
const MAX_WORDS = 80;

/**
 * Show the join form. Calls `enter` with the new seat once the GM has admitted it.
 * @param {{table: string, invitation: string}} invited
 * @param {(seat: Seat) => void} enter
 */
export function join({ table, invitation }, enter) {
  const name = el("input", {
    id: "join-name",
    type: "text",
    required: true,
    maxLength: MAX_NAME,
    autocomplete: "nickname",
  });
  const submit = el("button", { type: "submit", id: "join-submit", class: "primary" }, localize("Join.Ask"));
  const problem = el("p", { id: "join-problem", role: "alert" });
  const ask = async () => {
    submit.disabled = true;
    try {
      const membership = new Membership({ url: location.origin, table, key: "" });
      const { key } = await membership.join(invitation, name.value);
      // The address bar now holds this browser's own link; the invitation is used up.
      history.replaceState(null, "", `#table=${table}&key=${key}`);
      await waitForSeat({ table, key }, enter);
    } catch (error) {
      problem.textContent = error instanceof RequestError ? error.message : localize("Join.Unreachable");
      submit.disabled = false;
    }
  };
  byId("connection").textContent = localize("Join.Invited");
  replaceContent(
    openWelcome(),
    el("h2", {}, localize("Join.Title")),
    ...invitedTo(),
    el("p", { class: "quiet" }, localize("Join.Next")),
    el("form", { class: "form", onsubmit: submitHandler(ask) }, field(localize("Join.Name"), name), submit),
    problem,
  );
  name.focus();
}

/** Name the table and its game, as the link has them: its maker's words, and no more than that. */
function invitedTo() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const [name, game] = ["name", "game"].map((key) => (parameters.get(key) ?? "").slice(0, MAX_WORDS));
  const text = name && game ? localize("Join.Table", { name, game }) : name || game;
  return text ? [el("p", { id: "join-table" }, text)] : [];
}

/**
 * Call `enter` with a seat once the GM has admitted it.
 * @param {Seat} seat
 * @param {(seat: Seat) => void} enter
 */
export async function waitForSeat(seat, enter) {
  const status = el("p", { id: "join-waiting", role: "status" });
  for (;;) {
    const found = await ownSeat(seat);
    if (found?.seated !== false) {
      byId("welcome").hidden = true;
      byId("connection").textContent = localize("Connection.connecting");
      return enter(seat);
    }
    if (!status.isConnected)
      replaceContent(openWelcome(), el("h2", {}, localize("Join.Welcome", { name: found.name })), status);
    status.textContent = localize("Join.Waiting");
    byId("connection").textContent = localize("Join.Waits");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * @param {Seat} seat
 * @returns {Promise<{name: string, seated: boolean} | null>} null on failure: the connection then shows the reason
 */
async function ownSeat(seat) {
  try {
    return await new Membership({ url: location.origin, ...seat }).own();
  } catch {
    return null;
  }
}

function openWelcome() {
  const welcome = byId("welcome");
  welcome.hidden = false;
  return welcome;
}
