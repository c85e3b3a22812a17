/** The unit profile of the selected token: from the catalogue, or by a form; kept in the token's flags. */

import { button, selectField, submitHandler } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { schemaForm } from "../../core/ui/schema-form.js";
import { hasChanged, selectedToken } from "../../core/game/store.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Replica} from "../../../types/contract.js" */
/** @import {Form} from "../../core/ui/schema-form.js" */
/** @import {Parts} from "../face.js" */

/** @typedef {{id: string, name: string, profile: Record<string, unknown>}} Unit a token, and its profile as it was kept last, which the table may have refused */

/** @param {HTMLElement} host @param {Parts} parts */
export function profileView(host, parts) {
  /** @type {Form | null} */
  let shown = null;
  const complain = () => shown?.showErrors(parts.refusals.of(chosen(parts)?.id ?? "") ?? {});
  const show = () => {
    const unit = chosen(parts);
    const { replica } = parts.store.state;
    const made = replica && unit && schemaForm(replica.ruleset.profile_schema, unit.profile);
    shown = made;
    if (made)
      replaceContent(host, el("h2", {}, unit.name), catalogue(replica, unit, parts), form(made, unit, parts));
    else
      replaceContent(
        host,
        el("p", { class: "quiet" }, localize(replica ? "Profile.Choose" : "Turn.NoTable")),
      );
    complain();
  };
  parts.store.subscribe((state, before) => {
    const [now, old] = [selectedToken(state), selectedToken(before)];
    const isOther = hasChanged(state, before, "selected", "controlled") || !state.replica !== !before.replica;
    if (isOther || now?.profile !== old?.profile) show();
  });
  parts.refusals.watch(complain);
  show();
}

/** @param {Parts} parts @returns {Unit | null} the token that is picked in Foundry: the table need not know it yet */
function chosen({ store: { state }, flags }) {
  const id = state.controlled ?? state.selected;
  return id ? flags.unitOf(id) : null;
}

/** @param {Replica} replica @param {Unit} token @param {Parts} parts */
function catalogue({ ruleset }, token, parts) {
  const units = ruleset.catalogue.map(({ key, name }) => /** @type {[string, string]} */ ([key, name]));
  const list = selectField("enfilade-unit", [["", localize("Profile.Ready")], ...units], "");
  const take = () => {
    const unit = ruleset.catalogue.find(({ key }) => key === list.value);
    if (unit) parts.flags.keepProfile(token.id, unit.profile);
  };
  const use = button("enfilade-unit-use", localize("Profile.Use"), take);
  return el(
    "p",
    { class: "field" },
    el("label", { htmlFor: list.id }, localize("Profile.Catalogue")),
    list,
    use,
  );
}

/** @param {Form} made @param {Unit} token @param {Parts} parts */
function form({ element, read }, token, parts) {
  const save = submitHandler(async () => {
    const profile = readOr(read, parts);
    if (profile) await parts.flags.keepProfile(token.id, profile);
  });
  const submit = el(
    "button",
    { type: "submit", id: "enfilade-profile-save", class: "primary" },
    localize("Profile.Save"),
  );
  return el("form", { class: "form", onsubmit: save }, element, submit);
}

/** @param {() => any} read @param {Parts} parts @returns {Record<string, unknown> | null} null where it cannot be read, which is said */
function readOr(read, { notices }) {
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof SyntaxError)) throw problem;
    notices.error(problem.message);
    return null;
  }
}
