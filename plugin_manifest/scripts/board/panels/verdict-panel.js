/**
 * The panel beside the hovered token: the selected token's line of sight and odds, also read by screen readers.
 */

import { tokenPlace, verdictLines } from "../../core/draw/verdict-marks.js";
import { hasChanged } from "../../core/game/store.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { toView } from "../page/camera.js";

/** @import {Scene, Verdict} from "../../../types/contract.js" */
/** @import {Camera} from "../../../types/page.js" */
/** @import {Board} from "../page/page-state.js" */

const GAP_PX = 14;
const EDGE_PX = 8;

/**
 * Show the state's verdict over the board, unless the attack panel is open.
 * @param {HTMLElement} host
 * @param {HTMLElement} view the board's element
 * @param {Board} board
 */
export function verdictPanel(host, view, board) {
  board.subscribe((state, before) => {
    if (!hasChanged(state, before, "verdict", "camera", "replica", "target")) return;
    const { verdict, replica } = state;
    const place = verdict && replica && !state.target ? tokenPlace(replica.scene, verdict.target) : null;
    host.hidden = !place;
    if (!verdict || !replica || !place) return replaceContent(host);
    if (verdict !== before.verdict || !host.firstChild) fill(host, verdict, replica.scene);
    moveBeside(host, view, state.camera, place);
  });
}

/** @param {HTMLElement} host @param {Verdict} verdict @param {Scene} scene */
function fill(host, verdict, scene) {
  const name = scene.tokens.find(({ id }) => id === verdict.target)?.name ?? "";
  const [first, ...rest] = verdictLines(verdict, name);
  replaceContent(
    host,
    el("p", { class: "verdict-sentence" }, first),
    ...rest.map((line) => el("p", { class: line.startsWith(" ") ? "verdict-reason" : "" }, line.trim())),
  );
}

/**
 * Move the panel above the token, or below it if there is no room, inside the view.
 * @param {HTMLElement} host
 * @param {HTMLElement} board
 * @param {Camera} camera
 * @param {NonNullable<ReturnType<typeof tokenPlace>>} place
 */
function moveBeside(host, board, camera, { at, radius }) {
  const [x, y] = toView(camera, at);
  const gap = radius * camera.scale + GAP_PX;
  const above = y - gap - host.offsetHeight;
  const left = Math.min(x - host.offsetWidth / 2, board.clientWidth - host.offsetWidth - EDGE_PX);
  host.style.left = `${Math.max(EDGE_PX, left)}px`;
  host.style.top = `${above > EDGE_PX ? above : y + gap}px`;
}
