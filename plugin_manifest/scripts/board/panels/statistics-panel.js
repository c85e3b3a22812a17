/** The statistics of the battle in the log panel: counted by the server part by part, with the progress shown. */

import { RequestError } from "../../core/table/credentials.js";
import { readTable } from "../../core/table/reading.js";
import { button } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { statisticsView } from "./statistics-view.js";

/** @import {BattleStatistics} from "../../../types/contract.js" */
/** @import {Link, Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/** New entries are counted this long after they came. */
const REST_MS = 500;

/**
 * Return the whole statistics of a seat.
 * @param {Link} link
 * @param {(found: BattleStatistics) => void} [onProgress]
 * @param {string} [as] "spectator": what the players know
 * @returns {Promise<BattleStatistics>}
 */
export async function readStatistics(link, onProgress = () => {}, as = "") {
  for (;;) {
    /** @type {BattleStatistics} */
    const found = await readTable(link, `statistics${as ? `?as=${as}` : ""}`);
    if (found.done >= found.of) return found;
    onProgress(found);
  }
}

/**
 * Add the statistics and their button to the log.
 * @param {HTMLElement} host
 * @param {{store: Store, session: Session, notices: Notices}} parts
 */
export function statisticsPanel(host, { store, session, notices }) {
  const body = el("div", { id: "statistics", tabIndex: -1, hidden: true });
  const opener = button("statistics-open", localize("Statistics.Title"), () => toggle(body.hidden === true), {
    "aria-expanded": "false",
    "aria-controls": "statistics",
  });
  let isBusy = false;
  let isDue = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const show = async () => {
    isDue = isBusy;
    if (isBusy) return;
    isBusy = true;
    progress(null);
    try {
      const found = await readStatistics(session.client.link, progress);
      const { replica } = store.state;
      if (replica) replaceContent(body, ...statisticsView(found, replica.scene));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      notices.error(error.message);
    } finally {
      isBusy = false;
      if (isDue && !body.hidden) show();
    }
  };
  /** Show how much is counted; null before the first answer. */
  const progress = (/** @type {BattleStatistics | null} */ found) => {
    if (body.querySelector("table")) return; // the last numbers stay until the new ones are there
    const share = found ? { max: found.of, value: found.done } : {};
    replaceContent(body, el("progress", { ...share, "aria-label": localize("Statistics.Counting") }));
  };
  const toggle = (/** @type {boolean} */ isOpen) => {
    body.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(isOpen));
    opener.textContent = localize(isOpen ? "Statistics.Back" : "Statistics.Title");
    if (isOpen) show();
  };
  const files = host.querySelector(".log-more") ?? "";
  host.querySelector(".panel-head")?.after(el("div", { class: "log-row" }, opener, files), body);
  store.subscribe((state, before) => {
    opener.hidden = !session.client.link.key;
    if (body.hidden || state.replica?.seq === before.replica?.seq) return;
    clearTimeout(timer);
    timer = setTimeout(show, REST_MS);
  });
}
