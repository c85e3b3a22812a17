/** What the selected token makes of the one that is looked at, in words beside that one; read out as well. */

import { el, replaceContent } from "../../core/ui/dom.js";
import { hasChanged } from "../../core/game/store.js";
import { tokenPlace, verdictLines } from "../../core/draw/verdict-marks.js";
import { toView } from "../page/camera.js";

/** @import {Scene, Verdict} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {Store} from "../../core/game/store.js" */

const ASIDE = 14;
const EDGE = 8;

/**
 * Shows the state's verdict in an element over the board; none while the attacks at somebody are open.
 * @param {HTMLElement} host
 * @param {HTMLElement} board
 * @param {Store} store
 */
export function verdictPanel(host, board, store) {
  store.subscribe((state, before) => {
    if (!hasChanged(state, before, "verdict", "camera", "replica", "target")) return;
    const { verdict, replica } = state;
    const place = verdict && replica && !state.target ? tokenPlace(replica.scene, verdict.target) : null;
    host.hidden = !place;
    if (!verdict || !replica || !place) return replaceContent(host);
    if (verdict !== before.verdict || !host.firstChild) fill(host, verdict, replica.scene);
    stand(host, board, state.camera, place);
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
 * Puts it above the token, or below where there is no room, inside the view.
 * @param {HTMLElement} host
 * @param {HTMLElement} board
 * @param {PageState["camera"]} camera
 * @param {NonNullable<ReturnType<typeof tokenPlace>>} place
 */
function stand(host, board, camera, { at, size }) {
  const [x, y] = toView(camera, at);
  const away = size * camera.scale + ASIDE;
  const above = y - away - host.offsetHeight;
  const left = Math.min(x - host.offsetWidth / 2, board.clientWidth - host.offsetWidth - EDGE);
  host.style.left = `${Math.max(EDGE, left)}px`;
  host.style.top = `${above > EDGE ? above : y + away}px`;
}
