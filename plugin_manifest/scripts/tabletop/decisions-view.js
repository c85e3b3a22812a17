/** The GM's questions above the pages of the panel, and the choice of what is written without one. */

import { field, selectField } from "../core/ui/controls.js";
import { el } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";
import { proposalsView } from "./proposals-view.js";
import { KINDS } from "./write-decisions.js";

/** @import {LivePage} from "./live-page.js" */
/** @import {WriteMode} from "./writes.js" */

const MODES = /** @type {const} */ ({
  do: "WriteMode.Always",
  ask: "WriteMode.Ask",
  never: "WriteMode.Never",
});

/** Returns the open questions, hidden without any. @param {LivePage} live */
export function questionsView({ pending, seat }) {
  const list = el("div", {});
  const host = el(
    "section",
    { class: "enfilade-question", id: "enfilade-proposals", hidden: true },
    el("h2", {}, localize("Tabletop.Changes")),
    list,
  );
  proposalsView(list, { pendingWrites: pending, store: seat.store });
  pending.subscribe(() => (host.hidden = !pending.list.length));
  return host;
}

/** Returns the fields by which a GM chooses what the table writes into the tabletop. @param {LivePage} live */
export function choicesView({ decisions, tabletop }) {
  const rows = KINDS.map((kind) => {
    const options = Object.entries(MODES).map(
      ([mode, key]) => /** @type {[string, string]} */ ([mode, localize(key)]),
    );
    const choice = selectField(`enfilade-write-mode-${kind}`, options, decisions.modeOf(kind));
    choice.onchange = () => decisions.setMode(kind, /** @type {WriteMode} */ (choice.value));
    return field(localize(`Tabletop.Write.${kind}`), choice);
  });
  const title = el("legend", {}, localize("Tabletop.Writes"));
  return el("fieldset", { class: "form", hidden: !tabletop.canBridge() }, title, ...rows);
}
