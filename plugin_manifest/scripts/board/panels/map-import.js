/** Map import: sends a chosen or dropped file to the server unchanged. */

import { checkbox, field, section } from "../../core/ui/controls.js";
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
  const gridless = el("input", { id: "map-gridless", type: "checkbox" });
  // A table without cells is likely to get another map without them.
  session.store.subscribe(({ replica }, before) => {
    if (replica && !before.replica) gridless.checked = replica.scene.grid.kind === "gridless";
  });
  const send = async (/** @type {File} */ file) => {
    input.disabled = true;
    const found = await importMap(session, notices, file, gridless.checked);
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
    checkbox(gridless, localize("Map.Gridless")),
    el("p", { class: "quiet" }, localize("Map.Formats")),
    remarks,
  );
}

/**
 * @param {Session} session
 * @param {Notices} notices
 * @param {File} file
 * @param {boolean} isGridless whether a squared map is used without its cells
 * @returns {Promise<string[]>} the importer's remarks
 */
async function importMap({ client: { link } }, notices, file, isGridless) {
  const query = new URLSearchParams({ name: file.name, ...(isGridless && { grid: "gridless" }) });
  const path = `/api/tables/${encodeURIComponent(link.table)}/map?${query}`;
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
