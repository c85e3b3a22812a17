/** Coming to a table by an invitation: a name is asked for, then the page waits for the game master's answer. */

import { byId, el, replaceContent } from "../../core/ui/dom.js";
import { RequestError } from "../../core/table/credentials.js";
import { Seats } from "../../core/table/membership.js";
import { submitHandler } from "../../core/ui/controls.js";

/** @typedef {{table: string, key: string}} Entry */

const ASK_AGAIN_MS = 2000;
const LONGEST_NAME = 40;
const UNREACHED = "The server cannot be reached. Trying again.";

/**
 * Shows the way in, and hands over the key once it opens the table.
 * @param {{table: string, invitation: string}} invited
 * @param {(entry: Entry) => void} enter
 */
export function join({ table, invitation }, enter) {
  const name = el("input", {
    id: "join-name",
    type: "text",
    required: true,
    maxLength: LONGEST_NAME,
    autocomplete: "nickname",
  });
  const send = el("button", { type: "submit", id: "join-ask", class: "primary" }, "Ask to come in");
  const problem = el("p", { id: "join-problem", role: "alert" });
  const ask = async () => {
    send.disabled = true;
    try {
      const { key } = await new Seats({ url: location.origin, table, key: "" }).join(invitation, name.value);
      // From now on the link in the address is this browser's own; the invitation is used up.
      history.replaceState(null, "", `#table=${table}&key=${key}`);
      await wait({ table, key }, enter);
    } catch (error) {
      problem.textContent = error instanceof RequestError ? error.message : UNREACHED;
      send.disabled = false;
    }
  };
  replaceContent(
    shown(),
    el("h2", {}, "You are invited to a table"),
    el(
      "form",
      { class: "form", onsubmit: submitHandler(ask) },
      el("p", { class: "field" }, el("label", { htmlFor: name.id }, "Your name"), name),
      send,
    ),
    problem,
  );
  name.focus();
}

/**
 * Enters with a key, after the game master has said yes where that is still to come.
 * @param {Entry} entry
 * @param {(entry: Entry) => void} enter
 */
export async function wait(entry, enter) {
  const says = el("p", { id: "join-waiting", role: "status" });
  for (;;) {
    const seat = await own(entry);
    if (seat?.seated !== false) {
      byId("welcome").hidden = true;
      return enter(entry);
    }
    if (!says.isConnected) replaceContent(shown(), el("h2", {}, `Welcome, ${seat.name}`), says);
    says.textContent = "Waiting for the game master to let you in. You can leave this page open.";
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** @param {Entry} entry @returns {Promise<{name: string, seated: boolean} | null>} null: let the table itself say why not */
async function own(entry) {
  try {
    return await new Seats({ url: location.origin, ...entry }).own();
  } catch {
    return null;
  }
}

function shown() {
  const welcome = byId("welcome");
  welcome.hidden = false;
  return welcome;
}
