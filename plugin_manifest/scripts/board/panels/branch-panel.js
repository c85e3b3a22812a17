/** Branches ("what if"): opens them at the table; in a branch shows where one is, the comparison, and the way back. */

import { cellName } from "../../core/draw/geometry.js";
import { RequestError } from "../../core/table/credentials.js";
import { readTable } from "../../core/table/reading.js";
import { button } from "../../core/ui/controls.js";
import { byId, el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {BranchComparison, BranchInfo, Replica, Scene, Token} from "../../../types/contract.js" */
/** @import {Link, Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

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
 * At the table: the button that opens a branch, and news of branches that others show.
 * @param {{store: Store, session: Session, notices: Notices}} parts
 */
export function branchOpener({ store, session, notices }) {
  const opener = byId("branch-open");
  const shown = el("p", { id: "branch-shown", role: "status", hidden: true });
  byId("map").append(shown);
  opener.onclick = async () => {
    const { past } = store.state;
    const at = past ? Number(byId("past-count").textContent?.split("/")[0]) : null;
    try {
      const found = await readTable(session.client.link, "branches", { method: "POST", body: { at } });
      goTo(found.branch);
    } catch (error) {
      fail(notices, error);
    }
  };
  const show = (/** @type {BranchInfo[]} */ branches) => {
    shown.hidden = !branches.length;
    replaceContent(
      shown,
      ...branches.map(({ branch, owner, is_own: isOwn }) =>
        button(
          `branch-${branch}`,
          isOwn ? localize("Branch.Own") : localize("Branch.ShownBy", { name: owner || localize("Role.gm") }),
          () => goTo(branch),
        ),
      ),
    );
  };
  const refresh = async () => {
    if (!session.client.link.key) return;
    try {
      show((await readTable(session.client.link, "branches")).branches);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
  };
  session.client.on("branch", refresh);
  let isNew = true;
  store.subscribe((state) => {
    opener.hidden = !state.replica || !session.client.link.key;
    if (state.replica && isNew) {
      isNew = false;
      refresh();
    }
  });
}

/**
 * In a branch: say so, and offer the comparison with the present, to show it, and to throw it away.
 * @param {Link} link of the table
 * @param {string} branch
 * @param {{store: Store, notices: Notices}} parts
 */
export function branchBanner(link, branch, { store, notices }) {
  const path = `branches/${encodeURIComponent(branch)}`;
  document.body.classList.add("is-branch");
  const text = el("strong", {}, localize("Branch.Here"));
  const show = button("branch-show", localize("Branch.Show"), () => toggleShown(), {
    "aria-pressed": "false",
  });
  const drop = button("branch-drop", localize("Branch.Drop"), async () => {
    try {
      await readTable(link, path, { method: "DELETE" });
      goTo("");
    } catch (error) {
      fail(notices, error);
    }
  });
  const back = button("branch-back", localize("Branch.Back"), () => goTo(""), { class: "primary" });
  const compare = button("branch-compare", localize("Branch.Compare"), () => toggleComparison(), {
    "aria-expanded": "false",
  });
  const comparison = el("div", { id: "branch-comparison", hidden: true });
  const banner = el(
    "section",
    { id: "branch", "aria-label": localize("Branch.Title") },
    text,
    compare,
    show,
    back,
    drop,
  );
  byId("map").append(banner, comparison);

  const toggleShown = async () => {
    const isShown = show.getAttribute("aria-pressed") !== "true";
    try {
      await readTable(link, `${path}/show`, { method: "POST", body: { is_shown: isShown } });
      show.setAttribute("aria-pressed", String(isShown));
      notices.info(localize(isShown ? "Branch.IsShown" : "Branch.IsHidden"));
    } catch (error) {
      fail(notices, error);
    }
  };
  const toggleComparison = () => {
    comparison.hidden = !comparison.hidden;
    compare.setAttribute("aria-expanded", String(!comparison.hidden));
    if (!comparison.hidden) refresh();
  };
  const refresh = async () => {
    try {
      /** @type {BranchComparison} */
      const found = await readTable(link, `${path}/comparison`);
      const { replica } = store.state;
      show.hidden = drop.hidden = !found.is_own;
      show.setAttribute("aria-pressed", String(found.is_shown));
      text.textContent = found.is_own
        ? localize("Branch.Here")
        : localize("Branch.HereOf", { name: found.owner || localize("Role.gm") });
      if (replica && !comparison.hidden) replaceContent(comparison, ...comparisonView(found, replica));
    } catch (error) {
      fail(notices, error);
    }
  };
  store.subscribe((state, before) => {
    if (state.replica && state.replica.seq !== before.replica?.seq) refresh();
  });
}

/** @param {BranchComparison} found @param {Replica} replica */
function comparisonView({ differences }, { scene, bars }) {
  if (!differences.length) return [el("p", {}, localize("Branch.Same"))];
  const track = (/** @type {string} */ id) => bars[id]?.track ?? "";
  const rows = differences.map(({ token, name, now, then }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      el("td", {}, now ? describeToken(scene, now, track(token)) : localize("Branch.Missing")),
      el("td", {}, then ? describeToken(scene, then, track(token)) : localize("Branch.Missing")),
    ),
  );
  const heads = ["Unit", "Now", "Then"].map((head) => el("th", { scope: "col" }, localize(`Branch.${head}`)));
  return [
    el(
      "table",
      {},
      el("caption", {}, localize("Branch.Differences")),
      el("thead", {}, el("tr", {}, ...heads)),
      el("tbody", {}, ...rows),
    ),
  ];
}

/**
 * Return a unit's place, facing, hit points and conditions in a few words.
 * @param {Scene} scene
 * @param {Token} token
 * @param {string} track with the hit points, or ""
 */
export function describeToken({ grid }, { at, facing, tracks, conditions }, track) {
  const parts = [
    at ? cellName(grid, at) : localize("Branch.OffBoard"),
    facing === null ? "" : `${facing}°`,
    track && track in tracks ? localize("Branch.Points", { points: tracks[track] }) : "",
    Object.keys(conditions).join(", "),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** @param {Notices} notices @param {unknown} error */
function fail(notices, error) {
  if (!(error instanceof RequestError)) throw error;
  notices.error(error.message);
}
