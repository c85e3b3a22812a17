/**
 * Files for the table: maps and saved battles are sent unchanged, a picture as a map after the GM has laid a grid
 * over it. A picture that is dropped on a unit becomes the unit's own.
 */

import { checkbox, field, section } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { isGm } from "../../core/game/store.js";
import { tokenAt, toBoard } from "../page/camera.js";
import { sendPicture } from "../page/token-pictures.js";
import { askForGrid } from "./picture-map.js";

/** @import {Token} from "../../../types/contract.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Board} from "../page/page-state.js" */

const PICTURE = /^image\/(png|jpeg|webp)$/;
const ACCEPTED = ".dd2vtt,.uvtt,.df2vtt,.json,.db,.png,.jpg,.jpeg,.webp";

/**
 * Build the section with the file field. Files dropped anywhere on the page are taken too.
 * @param {{board: Board, session: Session, notices: Notices, commands: GmCommands}} parts
 * @returns {HTMLElement}
 */
export function mapImport({ board, session, notices, commands }) {
  const input = el("input", { id: "map-file", type: "file", accept: ACCEPTED });
  const remarks = el("ul", { class: "notes" });
  const gridless = el("input", { id: "map-gridless", type: "checkbox" });
  // A table without cells is likely to get another map without them.
  session.store.subscribe(({ replica }, before) => {
    if (replica && !before.replica) gridless.checked = replica.scene.grid.kind === "gridless";
  });
  const choices = el("div", { id: "map-choices" });
  const send = async (/** @type {File} */ file, /** @type {Record<string, string>} */ choice = {}) => {
    input.disabled = true;
    const result = await importMap(session, notices, file, { isGridless: gridless.checked, choice });
    remarks.replaceChildren(...result.notes.map((remark) => el("li", {}, remark)));
    choices.replaceChildren(
      ...choicesOf(result, choice, (chosen) => send(file, chosen)),
      ...pictureField(result, (picture, under) => send(picture, { under })),
    );
    input.disabled = false;
    input.value = "";
  };
  input.onchange = () => input.files?.[0] && send(input.files[0]);
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer?.files[0];
    if (!dropped || !isGm(session.store.state)) return;
    const token = PICTURE.test(dropped.type) ? tokenUnder(board, event) : null;
    if (!token) return void send(dropped);
    const image = await sendPicture(session.client.link, notices, dropped);
    if (image) commands.setImage(token.id, image);
  });
  return section(
    localize("Map.Title"),
    field(localize("Map.Import"), input),
    checkbox(gridless, localize("Map.Gridless")),
    el("p", { class: "quiet" }, localize("Map.Formats")),
    choices,
    remarks,
  );
}

/**
 * Builds the choices of a file: a button for each of its scenes, with its size, or the levels of its scene.
 * @param {Result} result
 * @param {Record<string, string>} chosen the scene that was chosen before
 * @param {(choice: Record<string, string>) => void} choose
 * @returns {HTMLElement[]}
 */
function choicesOf({ scenes = [], levels = [], level = "" }, chosen, choose) {
  if (levels.length) {
    const options = levels.map((name) => el("option", { value: name, selected: name === level }, name));
    const select = el("select", { id: "map-level" }, ...options);
    select.onchange = () => choose({ ...chosen, level: select.value });
    return [field(localize("Map.Level"), select)];
  }
  return scenes.map(({ name, columns, rows }) => {
    const button = el("button", { type: "button" }, localize("Map.Scene", { name, columns, rows }));
    button.onclick = () => choose({ scene: name });
    return button;
  });
}

/**
 * Builds the field for the picture of a map whose file has none, if the import tells where it lies under the board.
 * @param {Result} result
 * @param {(picture: File, under: string) => void} send
 * @returns {HTMLElement[]}
 */
function pictureField({ picture }, send) {
  if (!picture) return [];
  const input = el("input", { id: "map-picture", type: "file", accept: ".png,.jpg,.jpeg,.webp" });
  input.onchange = () => input.files?.[0] && send(input.files[0], picture.join(","));
  return [field(localize("Map.Picture"), input)];
}

/** Return the token under a drop. @param {Board} board @param {DragEvent} event @returns {Token | null} */
function tokenUnder({ state }, event) {
  const { replica, camera } = state;
  if (!replica || !(event.target instanceof HTMLCanvasElement)) return null;
  const box = event.target.getBoundingClientRect();
  return tokenAt(replica.scene, toBoard(camera, [event.clientX - box.left, event.clientY - box.top]));
}

/**
 * The result of an import: the importer's remarks, the scenes to choose from, if a file has several, the levels of a
 * scene, with the one on the board, and the part of the map's picture under the board, if the file has no picture.
 * @typedef {object} Result
 * @property {string[]} notes
 * @property {{name: string, columns: number, rows: number}[]} [scenes]
 * @property {string[]} [levels]
 * @property {string} [level]
 * @property {number[]} [picture]
 */

/**
 * @param {Session} session
 * @param {Notices} notices
 * @param {File} file
 * @param {{isGridless: boolean, choice: Record<string, string>}} how `isGridless`: a squared map is used without its cells
 * @returns {Promise<Result>}
 */
async function importMap({ client: { link }, store }, notices, file, { isGridless, choice }) {
  const query = new URLSearchParams({ name: file.name, ...choice });
  if (PICTURE.test(file.type) && !choice.under) {
    const kinds = store.state.replica?.ruleset.grids ?? ["square"];
    const fit = await askForGrid(file, kinds, () =>
      notices.error(localize("Picture.Failed", { name: file.name })),
    );
    if (!fit) return { notes: [] };
    for (const [key, value] of Object.entries(fit)) query.set(key, String(value));
  } else if (isGridless) query.set("grid", "gridless");
  const path = `/api/tables/${encodeURIComponent(link.table)}/map?${query}`;
  const request = { method: "POST", body: file, headers: { Authorization: `Bearer ${link.key}` } };
  try {
    const answer = await (await fetch(path, request)).json();
    if (!answer.ok) notices.error(answer.error.sentence);
    else if (!answer.result.scenes) notices.info(localize("Map.Imported", { name: file.name }));
    return answer.ok ? answer.result : { notes: [] };
  } catch {
    notices.error(localize("Map.Failed", { name: file.name }));
    return { notes: [] };
  }
}
