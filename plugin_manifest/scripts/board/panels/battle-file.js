/** Saving a battle: the scene with its pictures as one file, from which a table can start again. */

import { button, section } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */

/** Build the section with the button. @param {{session: Session, notices: Notices}} parts */
export function battleFile({ session, notices }) {
  const save = async () => {
    const { table, key } = session.client.link;
    const path = `/api/tables/${encodeURIComponent(table)}/battle`;
    try {
      const answer = await fetch(path, { headers: { Authorization: `Bearer ${key}` } });
      if (!answer.ok) return notices.error((await answer.json()).error.sentence);
      const name = session.store.state.replica?.scene.name || localize("Page.Untitled");
      const link = el("a", {
        href: URL.createObjectURL(await answer.blob()),
        download: `${name.replace(/[^\p{L}\p{N} ._-]+/gu, "").trim() || "battle"}-with-secrets.enfilade.json`,
      });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    } catch {
      notices.error(localize("Join.Unreachable"));
    }
    return undefined;
  };
  return section(
    localize("Battle.Title"),
    button("battle-save", localize("Battle.Save"), save),
    el("p", { class: "quiet" }, localize("Battle.Hint")),
  );
}
