/** The unit profile of the selected token: from the catalogue, or by a form; kept in the token's flags. */

import { button, choices, onSubmit } from "../../core/controls.js";
import { el, refill } from "../../core/dom.js";
import { schemaForm } from "../../core/schema-form.js";
import { changed, selectedToken } from "../../core/store.js";
import { words } from "../../core/words.js";

/** @import {Replica, Token} from "../../../types/contract.js" */
/** @import {Parts} from "../face.js" */

/** @param {HTMLElement} host @param {Parts} parts */
export function profileView(host, parts) {
  const show = () => refill(host, ...contents(parts));
  parts.store.watch((state, before) => {
    const [now, old] = [selectedToken(state), selectedToken(before)];
    if (changed(state, before, "selected") || now?.profile !== old?.profile) show();
  });
  show();
}

/** @param {Parts} parts */
function contents(parts) {
  const { replica } = parts.store.state;
  const token = selectedToken(parts.store.state);
  if (!replica || !token) return [el("p", { class: "quiet" }, words("Profile.Choose"))];
  if (!parts.flags.canKeep(token.id)) return [el("p", { class: "quiet" }, words("Profile.NotYours"))];
  return [el("h2", {}, token.name), catalogue(replica, token, parts), form(replica, token, parts)];
}

/** @param {Replica} replica @param {Token} token @param {Parts} parts */
function catalogue({ ruleset }, token, parts) {
  const units = ruleset.catalogue.map(({ key, name }) => /** @type {[string, string]} */ ([key, name]));
  const list = choices("enfilade-unit", [["", words("Profile.Ready")], ...units], "");
  const take = () => {
    const unit = ruleset.catalogue.find(({ key }) => key === list.value);
    if (unit) parts.flags.keepProfile(token.id, unit.profile);
  };
  const use = button("enfilade-unit-use", words("Profile.Use"), take);
  return el(
    "p",
    { class: "field" },
    el("label", { htmlFor: list.id }, words("Profile.Catalogue")),
    list,
    use,
  );
}

/** @param {Replica} replica @param {Token} token @param {Parts} parts */
function form({ ruleset }, token, parts) {
  const { element, read } = schemaForm(ruleset.profile_schema, token.profile);
  const save = onSubmit(async () => {
    const profile = readOr(read, parts);
    if (profile) await parts.flags.keepProfile(token.id, profile);
  });
  const submit = el(
    "button",
    { type: "submit", id: "enfilade-profile-save", class: "primary" },
    words("Profile.Save"),
  );
  return el("form", { class: "form", onsubmit: save }, element, submit);
}

/** @param {() => any} read @param {Parts} parts @returns {Record<string, unknown> | null} null where it cannot be read, which is said */
function readOr(read, { notices }) {
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof SyntaxError)) throw problem;
    notices.problem(problem.message);
    return null;
  }
}
