/** The panel of a seat: acts, the open question, the log, the layers, and what connects the page. */

import { el } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";
import { layerPanel } from "../core/ui/layer-panel.js";
import { LogPanel } from "../core/ui/log-panel.js";
import { actsView, undoButton } from "./acts-view.js";
import { choiceView } from "./choice-view.js";
import { choicesView, questionsView } from "./decisions-view.js";
import { unitView } from "./unit-view.js";

/** @import {LivePage} from "./live-page.js" */

const TABS = /** @type {const} */ (["acts", "log", "layers", "connect"]);
/** @typedef {typeof TABS[number]} Tab */

/**
 * Builds the panel.
 * @param {LivePage | null} live null while the page is not connected
 * @param {HTMLElement} connect the form that connects
 * @returns {{element: HTMLElement, open: (tab: Tab) => void}}
 */
export function seatPanel(live, connect) {
  const seat = live?.seat ?? null;
  /** @type {Record<Tab, HTMLElement>} */
  const pages = {
    acts: el("section", { class: "enfilade-page", role: "tabpanel", id: "enfilade-acts" }),
    log: el("section", { class: "enfilade-page", role: "tabpanel", id: "enfilade-log" }),
    layers: el("section", { class: "enfilade-page", role: "tabpanel", id: "enfilade-layers" }),
    connect: el("section", { class: "enfilade-page", role: "tabpanel", id: "enfilade-connect" }, connect),
  };
  const buttons = TABS.map((tab) =>
    el(
      "button",
      { type: "button", role: "tab", id: `enfilade-tab-${tab}`, onclick: () => open(tab) },
      localize(`Tabletop.Tab.${tab}`),
    ),
  );
  const open = (/** @type {Tab} */ wanted) =>
    TABS.forEach((tab, i) => {
      pages[tab].hidden = tab !== wanted;
      buttons[i].setAttribute("aria-selected", String(tab === wanted));
    });
  const question = el("section", { class: "enfilade-question", hidden: true });
  if (seat) {
    const unit = el("div", { class: "enfilade-unit" });
    actsView(pages.acts, seat);
    pages.acts.append(unit, undoButton(seat));
    unitView(unit, seat);
    new LogPanel(pages.log, seat);
    layerPanel(pages.layers, seat.store);
    choiceView(question, seat, () => open("acts"));
    if (live) pages.connect.append(choicesView(live));
  }
  open(seat ? "acts" : "connect");
  const element = el(
    "div",
    { class: "enfilade enfilade-body enfilade-panel" },
    el("div", { role: "tablist", class: "enfilade-tabs" }, ...buttons),
    ...(seat && live ? [seat.notices.host, questionsView(live), question] : []),
    ...Object.values(pages),
  );
  return { element, open };
}
