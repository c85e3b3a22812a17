/** The end of a table: its GM types its name, and it is gone with its log, its pictures and its links. */

import { readTable } from "../../core/table/reading.js";
import { RequestError } from "../../core/table/credentials.js";
import { field, nameField, section, submitHandler } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */

/** Build the section with the form. @param {{session: Session, notices: Notices}} parts */
export function deleteTable({ session, notices }) {
  const name = nameField("delete-name", "");
  name.required = false; // a table may have no name
  const send = submitHandler(async () => {
    try {
      await readTable(session.client.link, "", { method: "DELETE", body: { name: name.value.trim() } });
      session.client.close();
      location.assign("/");
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      notices.error(error.message);
    }
  });
  return section(
    localize("Delete.Title"),
    el("p", { class: "quiet" }, localize("Delete.Hint")),
    el(
      "form",
      { class: "form inline", onsubmit: send },
      field(localize("Delete.Name"), name),
      el("button", { type: "submit", id: "delete-table", class: "danger" }, localize("Delete.Go")),
    ),
  );
}
