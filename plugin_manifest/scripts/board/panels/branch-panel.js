/** Branches ("what if") on the board: the page's address names the branch that it shows. */

import { branchOpener, branchView } from "../../core/ui/branch-view.js";
import { byId, el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Link, Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Page} from "../page/page-state.js" */

/** Return the branch that the page's address names. */
export const openBranch = () => new URLSearchParams(location.hash.slice(1)).get("branch") ?? "";

/** Go to a branch, or back to the table for "". @param {string} branch */
function goTo(branch) {
  const parameters = new URLSearchParams(location.hash.slice(1));
  parameters.delete("at");
  if (branch) parameters.set("branch", branch);
  else parameters.delete("branch");
  location.hash = String(parameters); // the page starts anew with another address
}

/**
 * At the table: fill the button that opens a branch, from the moment that the board shows.
 * @param {{store: Store, page: Page, session: Session, notices: Notices}} parts
 */
export function branchButton(parts) {
  const moment = () => parts.page.state.past?.number ?? null;
  byId("map").append(branchOpener(byId("branch-open"), { ...parts, goTo, moment }));
}

/**
 * In a branch: show the banner.
 * @param {Link} link of the table
 * @param {string} branch
 * @param {{store: Store, session: Session, notices: Notices}} parts
 */
export function branchBanner(link, branch, parts) {
  document.body.classList.add("is-branch");
  const { controls, comparison } = branchView(link, branch, { ...parts, goTo });
  byId("map").append(
    el("section", { id: "branch", "aria-label": localize("Branch.Title") }, ...controls, comparison),
  );
}
