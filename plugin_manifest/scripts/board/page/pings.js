/** Places that seats point at: shown for some seconds, announced, and brought into view. */

import { boardSize, cellAt, cellName } from "../../core/map/geometry.js";
import { localize } from "../../core/ui/i18n.js";
import { panCamera, toView } from "./camera.js";

/** @import {Cell} from "../../../types/contract.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Page} from "./page-state.js" */

const SHOWN_MS = 4_000;
const EDGE_PX = 40;
const MOST = 8;

/** @param {{store: Store, page: Page, session: Session, announce: (text: string) => void}} parts */
export function showPings({ store, page, session, announce }) {
  let count = 0;
  session.client.on("ping", ({ at, name }) => {
    const { replica } = store.state;
    if (!replica) return;
    const [width, height] = boardSize(replica.scene.grid);
    if (at[0] < 0 || at[1] < 0 || at[0] > width || at[1] > height) return;
    const id = (count += 1);
    page.set({ pings: [...page.state.pings, { id, at, name }].slice(-MOST) });
    bringIntoView(page, at);
    const cell = cellName(replica.scene.grid, cellAt(replica.scene.grid, at));
    announce(localize("Ping.At", { name: name || localize("Role.gm"), cell }));
    setTimeout(() => page.set({ pings: page.state.pings.filter((ping) => ping.id !== id) }), SHOWN_MS);
  });
}

/** @param {Page} page @param {Cell} at */
function bringIntoView(page, at) {
  const host = document.getElementById("board");
  if (!host) return;
  const { camera } = page.state;
  const [x, y] = toView(camera, at);
  const [width, height] = [host.clientWidth, host.clientHeight];
  const isIn = x > EDGE_PX && y > EDGE_PX && x < width - EDGE_PX && y < height - EDGE_PX;
  if (!isIn) page.set({ camera: panCamera(camera, width / 2 - x, height / 2 - y) });
}
