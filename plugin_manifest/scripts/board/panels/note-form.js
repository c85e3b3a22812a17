/** The form below the log with which the GM writes a note into it. */

import { isGm } from "../../core/game/store.js";
import { submitHandler } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { icon, tooltip } from "../../core/ui/icons.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

const MAX_NOTE = 2000;

/** @param {HTMLElement} host @param {{store: Store, session: Session}} parts */
export function noteForm(host, { store, session }) {
  const text = el("input", { id: "note-text", type: "text", required: true, maxLength: MAX_NOTE });
  text.placeholder = localize("Log.Note");
  text.setAttribute("aria-label", localize("Log.Note"));
  const secret = el("input", { id: "note-secret", type: "checkbox" });
  secret.setAttribute("aria-label", localize("Log.NoteSecret"));
  const send = submitHandler(async () => {
    if (await session.send("note", { text: text.value.trim(), secret: secret.checked })) text.value = "";
  });
  const form = el(
    "form",
    { id: "note", onsubmit: send, hidden: true },
    text,
    el("label", { class: "lock-toggle" }, secret, icon("lock"), tooltip(localize("Log.NoteSecret"))),
    el("button", { type: "submit", id: "note-send" }, localize("Log.AddNote")),
  );
  host.append(form);
  store.subscribe((state) => (form.hidden = !isGm(state)));
}
