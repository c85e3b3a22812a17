/** The profiles of a whole scene in one window: a row for each actor, with a choice from the catalog for all its tokens. */

import { selectedToken } from "../../core/game/store.js";
import { button, selectField } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { profileFields } from "../../core/ui/schema-form.js";
import { onHook } from "../boundary.js";
import { profileOf, saveForActor } from "../read/unit-profile.js";
import { tableScene } from "../read/table-scene.js";

/** @import {Replica} from "../../../types/contract.js" */
/** @import {UiContext} from "../seat-ui.js" */

/** The tokens of one actor, or one token without. @typedef {{name: string, tokens: Foundry.TokenDocument[]}} Group */

/** Hooks after which a profile may be another. */
const CHANGES = ["createToken", "updateToken", "deleteToken", "updateActor"];

/** @param {HTMLElement} host @param {UiContext} context */
export function profilesView(host, context) {
  let shown = "";
  const show = () => {
    const { replica } = context.store.state;
    const groups = replica ? actorGroups() : [];
    const version = JSON.stringify([replica?.ruleset.key, groups.map((group) => rowText(group, replica))]);
    if (version === shown) return;
    shown = version;
    if (!replica) return replaceContent(host, el("p", { class: "quiet" }, localize("Turn.NoTable")));
    replaceContent(
      host,
      el("p", { class: "quiet" }, localize("Profiles.Intro")),
      el("ul", { class: "enfilade-profiles" }, ...groups.map((group, i) => row(group, i, replica, context))),
      button("enfilade-profiles-map", localize("Profile.Map"), () => context.windows.open("values")),
    );
  };
  context.store.subscribe((state, before) => state.replica !== before.replica && show());
  for (const hook of CHANGES) onHook(hook, show);
  show();
}

/** @returns {Group[]} of the table's scene, in the order of their names */
function actorGroups() {
  /** @type {Map<string, Foundry.TokenDocument[]>} */
  const groups = new Map();
  for (const token of tableScene()?.tokens.contents ?? []) {
    const key = token.actorId ?? token.id;
    groups.set(key, [...(groups.get(key) ?? []), token]);
  }
  const named = [...groups.values()].map((tokens) => ({
    name: (tokens[0].actorId && game.actors.get(tokens[0].actorId)?.name) || tokens[0].name,
    tokens,
  }));
  return named.sort((a, b) => a.name.localeCompare(b.name));
}

/** @param {Group} group @param {Replica | null} replica */
function rowText({ name, tokens }, replica) {
  const rules = replica && {
    key: replica.ruleset.key,
    fields: profileFields(replica.ruleset.profile_schema),
  };
  const origins = new Set(tokens.map((token) => profileOf(token, rules).origin));
  const from = origins.size === 1 ? [...origins][0] : "mixed";
  return localize("Profiles.Row", { name, count: tokens.length, from: localize(`Profiles.From.${from}`) });
}

/** @param {Group} group @param {number} place @param {Replica} replica @param {UiContext} context */
function row(group, place, replica, context) {
  const [first] = group.tokens;
  const { catalog } = replica.ruleset;
  const options = catalog.map(({ key, name }) => /** @type {[string, string]} */ ([key, name]));
  const label = localize("Profiles.Choose", { name: group.name });
  const list = selectField(`enfilade-profiles-${place}`, [["", localize("Profile.Ready")], ...options], "", {
    "aria-label": label,
  });
  list.onchange = () => {
    const unit = catalog.find(({ key }) => key === list.value);
    if (unit) saveForActor(first, unit.profile).catch((problem) => context.notices.error(String(problem)));
  };
  const edit = button(`enfilade-profiles-edit-${place}`, localize("Profiles.Edit"), () => {
    context.store.set({ controlled: first.id });
    if (selectedToken(context.store.state)?.id !== first.id) first.object?.control({ releaseOthers: true });
    return context.windows.open("profile");
  });
  return el("li", {}, el("span", {}, rowText(group, replica)), list, edit);
}
