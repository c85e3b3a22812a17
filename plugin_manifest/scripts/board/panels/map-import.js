/** Map import: sends a chosen or dropped file to the server unchanged. */

import { field, section } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */

/**
 * Build the section with the file field. Files dropped anywhere on the page are imported too.
 * @param {{session: Session, notices: Notices}} parts
 * @returns {HTMLElement}
 */
export function mapImport({ session, notices }) {
  const input = el("input", { id: "map-file", type: "file", accept: ".dd2vtt,.uvtt,.df2vtt,.json" });
  const remarks = el("ul", { class: "notes" });
  const send = async (/** @type {File} */ file) => {
    input.disabled = true;
    const found = await importMap(session, notices, file);
    remarks.replaceChildren(...found.map((remark) => el("li", {}, remark)));
    input.disabled = false;
    input.value = "";
  };
  input.onchange = () => input.files?.[0] && send(input.files[0]);
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer?.files[0];
    if (dropped) send(dropped);
  });
  return section(
    localize("Map.Title"),
    field(localize("Map.Import"), input),
    el("p", { class: "quiet" }, localize("Map.Formats")),
    remarks,
  );
}

/**
 * @param {Session} session
 * @param {Notices} notices
 * @param {File} file
 * @returns {Promise<string[]>} the importer's remarks
 */
async function importMap({ client: { link } }, notices, file) {
  const path = `/api/tables/${encodeURIComponent(link.table)}/map?name=${encodeURIComponent(file.name)}`;
  const request = { method: "POST", body: file, headers: { Authorization: `Bearer ${link.key}` } };
  try {
    const answer = await (await fetch(path, request)).json();
    if (!answer.ok) notices.error(answer.error.sentence);
    else notices.info(localize("Map.Imported", { name: file.name }));
    return answer.ok ? answer.result.notes : [];
  } catch {
    notices.error(localize("Map.Failed", { name: file.name }));
    return [];
  }
}
