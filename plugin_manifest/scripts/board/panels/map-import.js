/** Importing a map: a file picked or dropped, sent as it is. */

import { el } from "../../core/ui/dom.js";

/** @import {Notices} from "../page/notices.js" */
/** @import {Session} from "../../core/game/session.js" */

/**
 * The section with the file field; a file dropped anywhere on the board is taken too.
 * @param {{session: Session, notices: Notices}} parts
 * @returns {HTMLElement}
 */
export function mapImport({ session, notices }) {
  const file = el("input", { id: "map-file", type: "file", accept: ".dd2vtt,.uvtt,.df2vtt,.json" });
  const notes = el("ul", { class: "notes" });
  const send = async (/** @type {File} */ chosen) => {
    file.disabled = true;
    notes.replaceChildren(...(await importMap(session, notices, chosen)).map((note) => el("li", {}, note)));
    file.disabled = false;
    file.value = "";
  };
  file.onchange = () => file.files?.[0] && send(file.files[0]);
  acceptDrops(send);
  return el(
    "section",
    { "aria-label": "Map" },
    el("h3", {}, "Map"),
    el("p", { class: "field" }, el("label", { htmlFor: "map-file" }, "Import a map"), file),
    el(
      "p",
      { class: "quiet" },
      "Universal VTT (.dd2vtt, .uvtt) or a Foundry scene (.json); drop it on the board if you like.",
    ),
    notes,
  );
}

/** @param {(file: File) => void} send */
function acceptDrops(send) {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer?.files[0];
    if (dropped) send(dropped);
  });
}

/**
 * @param {Session} session
 * @param {Notices} notices
 * @param {File} file
 * @returns {Promise<string[]>} what the importer noted
 */
async function importMap({ client: { link } }, notices, file) {
  const address = `/api/tables/${encodeURIComponent(link.table)}/map?name=${encodeURIComponent(file.name)}`;
  try {
    const answer = await (
      await fetch(address, { method: "POST", body: file, headers: { Authorization: `Bearer ${link.key}` } })
    ).json();
    if (!answer.ok) notices.error(answer.error.sentence);
    else notices.info(`The map ${file.name} is on the table.`);
    return answer.ok ? answer.result.notes : [];
  } catch {
    notices.error(`The map ${file.name} could not be sent; try again when the table is connected.`);
    return [];
  }
}
