/** Branches ("what if"): opens them at the table; in a branch the comparison, who sees it, and the way back. */

import { cellName } from "../map/geometry.js";
import { isGm } from "../game/store.js";
import { RequestError } from "../table/credentials.js";
import { readTable } from "../table/reading.js";
import { button } from "./controls.js";
import { el, replaceContent } from "./dom.js";
import { localize } from "./i18n.js";
import { facingName } from "./names.js";

/** @import {BranchComparison, BranchInfo, Replica, Scene, Token} from "../../../types/contract.js" */
/** @import {Link, Notices} from "../../../types/page.js" */
/** @import {Session} from "../game/session.js" */
/** @import {Store} from "../game/store.js" */

/** Goes to a branch, or back to the battle for "". @typedef {(branch: string) => unknown} GoTo */

/**
 * At the table: has a button open a branch, and lists the branches that others show; the GM sees of all that they are
 * there, and may throw them away.
 * @param {HTMLElement} opener
 * @param {{store: Store, session: Session, notices: Notices, goTo: GoTo, moment?: () => number | null}} parts `moment`
 *   is the number of the entry that the branch starts after; null for the present
 * @returns {HTMLElement} the list
 */
export function branchOpener(opener, { store, session, notices, goTo, moment = () => null }) {
  const shown = el("p", { id: "branch-shown", role: "status", hidden: true });
  let isOpening = false;
  opener.onclick = async () => {
    if (isOpening) return; // a seat may have few branches: a double click means one
    isOpening = true;
    try {
      const body = { at: moment() };
      const found = await readTable(session.client.link, "branches", { method: "POST", body });
      goTo(found.branch);
    } catch (error) {
      fail(notices, error);
    } finally {
      isOpening = false;
    }
  };
  const show = (/** @type {BranchInfo[]} */ branches) => {
    shown.hidden = !branches.length;
    replaceContent(shown, ...branches.flatMap(listed));
  };
  const listed = (/** @type {BranchInfo} */ { branch, owner, is_own: isOwn, is_shown: isShown }) => {
    const name = owner || localize("Role.gm");
    const text = isOwn ? localize("Branch.Own") : localize("Branch.ShownBy", { name });
    const entrance =
      isOwn || isShown
        ? button(`branch-${branch}`, text, () => goTo(branch))
        : el("span", { class: "branch-unseen" }, localize("Branch.Unseen", { name }));
    if (isOwn || !isGm(store.state)) return [entrance];
    return [
      entrance,
      button(`branch-drop-${branch}`, localize("Branch.DropOf", { name }), () => drop(branch)),
    ];
  };
  const drop = async (/** @type {string} */ branch) => {
    try {
      await readTable(session.client.link, `branches/${encodeURIComponent(branch)}`, { method: "DELETE" });
    } catch (error) {
      fail(notices, error);
    }
    await refresh(); // also if it has ended by itself
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
  return shown;
}

/**
 * In a branch: says so, and offers the comparison with the present, to show it, and to throw it away.
 * @param {Link} link of the table
 * @param {string} branch
 * @param {{store: Store, session: Session, notices: Notices, goTo: GoTo}} parts
 * @returns {{controls: HTMLElement[], comparison: HTMLElement}}
 */
export function branchView(link, branch, { store, session, notices, goTo }) {
  const path = `branches/${encodeURIComponent(branch)}`;
  const text = el("strong", {}, localize("Branch.Here"));
  const show = button("branch-show", localize("Branch.Show"), () => toggleShown(), {
    "aria-pressed": "false",
  });
  const drop = button("branch-drop", localize("Branch.Drop"), async () => {
    session.client.close(); // it would go on asking for a branch that is gone
    try {
      await readTable(link, path, { method: "DELETE" });
    } catch (error) {
      fail(notices, error);
    } finally {
      goTo("");
    }
  });
  const back = button("branch-back", localize("Branch.Back"), () => goTo(""), { class: "primary" });
  const compare = button("branch-compare", localize("Branch.Compare"), () => toggleComparison(), {
    "aria-expanded": "false",
  });
  const comparison = el("div", { id: "branch-comparison", hidden: true });

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
  return { controls: [text, compare, show, back, drop], comparison };
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
function describeToken({ grid }, { at, facing, tracks, conditions }, track) {
  const parts = [
    at ? cellName(grid, at) : localize("Branch.OffBoard"),
    facing === null ? "" : facingName(facing),
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
