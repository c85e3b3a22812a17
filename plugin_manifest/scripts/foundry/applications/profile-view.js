/** The unit profile of the selected token, from the catalog or by a form. The token's flags keep it. */

import { hasChanged, selectedToken } from "../../core/game/store.js";
import { button, checkbox, selectField, submitHandler } from "../../core/ui/controls.js";
import { el, keepChanges, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { profileFields, schemaForm } from "../../core/ui/schema-form.js";
import { stripMarkup } from "../documents/conversion.js";
import { actorValues, filledProfile } from "../read/actor-profile.js";
import { baseActor, profileOf, replaceProfile, saveForActor } from "../read/unit-profile.js";
import { tableScene } from "../read/table-scene.js";
import { profilePaths } from "../settings.js";

/** @import {Replica} from "../../../types/contract.js" */
/** @import {Form} from "../../core/ui/schema-form.js" */
/** @import {UiContext} from "../seat-ui.js" */
/** @import {TokenResult} from "../sync/bridge.js" */

/** @typedef {{id: string, name: string, profile: Record<string, unknown>}} Unit a token with its saved profile, which the table may have refused */

/** Saves a profile in place of all that is in the form. @typedef {(token: string, profile: Record<string, unknown>) => Promise<void>} SaveWhole */

/** A profile's field in the path of a problem. */
const PROFILE_FIELD = /(?:^|\.)profile\.(\w+)/;

/** Reads and saves unit profiles in the flags of tokens. */
export const profileFlags = {
  /**
   * @param {string} id
   * @returns {Unit | null} null if the token is not this user's
   */
  read(id) {
    const token = tableScene()?.tokens.get(id);
    return token?.isOwner ? { id, name: token.name, profile: profileOf(token, null).profile ?? {} } : null;
  },

  /**
   * @param {string} id
   * @param {Record<string, unknown>} profile replaces the saved one
   * @param {boolean} [isForActor] whether it is for all tokens of the token's actor
   */
  async save(id, profile, isForActor = false) {
    const token = tableScene()?.tokens.get(id);
    if (!token) return;
    await (isForActor ? saveForActor(token, profile) : replaceProfile(token, profile));
  },
};

/** The table's objections to the profiles of tokens: shown to the GM, and kept for the form. */
export class ProfileErrors {
  /** @type {Map<string, Record<string, string[]>>} */
  #byToken = new Map();
  /** @type {(() => void)[]} */
  #listeners = [];

  /** @param {() => void} listener called after every change */
  subscribe(listener) {
    this.#listeners.push(listener);
  }

  /** @param {string} token @returns {Record<string, string[]>} by field */
  fieldsOf(token) {
    return this.#byToken.get(token) ?? {};
  }

  /** @param {Record<string, TokenResult>} results by token */
  record(results) {
    for (const [id, { ok, error }] of Object.entries(results)) {
      this.#byToken.delete(id);
      if (ok || !error || error.retryable) continue;
      const name = stripMarkup(tableScene()?.tokens.get(id)?.name ?? id);
      ui.notifications.warn(localize("bridge.refused", { name, sentence: stripMarkup(error.sentence) }));
      const fields = Object.entries(error.fields ?? {}).map(([path, sentences]) => [
        PROFILE_FIELD.exec(path)?.[1],
        sentences,
      ]);
      this.#byToken.set(id, Object.fromEntries(fields.filter(([name]) => name)));
    }
    for (const listener of this.#listeners) listener();
  }
}

/** @param {HTMLElement} host @param {UiContext} context */
export function profileView(host, context) {
  /** @type {Form | null} */
  let form = null;
  /** The token whose form is kept up. */
  let id = "";
  let shown = "";
  /** The number of saves that are under way. */
  let saving = 0;
  let keep = (/** @type {HTMLElement} */ _next) => {};
  const showErrors = () =>
    form?.showErrors(context.profileErrors.fieldsOf(controlledUnit(context)?.id ?? ""));
  const show = (/** @type {Unit | null} */ unit) => {
    const { replica } = context.store.state;
    form = replica && unit && schemaForm(replica.ruleset.profile_schema, unit.profile);
    if (replica && unit && form)
      replaceContent(
        host,
        el("h2", {}, unit.name),
        catalogField(replica, unit, saveWhole),
        actorField(replica, unit, context, saveWhole),
        profileForm(form, unit, context, save),
      );
    else
      replaceContent(
        host,
        el("p", { class: "quiet" }, localize(replica ? "Profile.Choose" : "Turn.NoTable")),
      );
    showErrors();
  };
  // A new form takes over what the user has chosen and not saved.
  const update = () => {
    const unit = controlledUnit(context);
    const content = JSON.stringify([context.store.state.replica?.ruleset.key, unit]);
    if (content === shown || saving) return;
    shown = content;
    show(unit);
    const keepNext = form ? keepChanges(form.element) : () => {};
    if (form && unit?.id === id) keep(form.element);
    id = unit?.id ?? "";
    keep = keepNext;
  };
  // A profile is removed before it is replaced, which must not show. What the user chooses meanwhile is not saved yet.
  /** @type {typeof profileFlags.save} */
  const save = async (token, profile, isForActor) => {
    const keepLater = form ? keepChanges(form.element) : keep;
    saving += 1;
    try {
      await context.profileFlags.save(token, profile, isForActor);
      keep = keepLater;
    } finally {
      saving -= 1;
      update();
    }
  };
  /** @type {SaveWhole} */
  const saveWhole = (token, profile) => {
    id = ""; // nothing of the form is kept
    return save(token, profile);
  };
  context.store.subscribe((state, before) => {
    const isOther = hasChanged(state, before, "selected", "controlled") || !state.replica !== !before.replica;
    if (isOther || selectedToken(state) !== selectedToken(before)) update();
  });
  context.profileErrors.subscribe(showErrors);
  update();
}

/** @param {UiContext} context @returns {Unit | null} the token controlled in Foundry; the table may not know it yet */
function controlledUnit({ store: { state }, profileFlags: flags }) {
  const id = state.controlled ?? state.selected;
  return id ? flags.read(id) : null;
}

/** @param {Replica} replica @param {Unit} unit @param {SaveWhole} save */
function catalogField({ ruleset }, { id }, save) {
  const options = ruleset.catalog.map(({ key, name }) => /** @type {[string, string]} */ ([key, name]));
  const list = selectField("enfilade-unit", [["", localize("Profile.Ready")], ...options], "");
  const use = button("enfilade-unit-use", localize("Profile.Use"), async () => {
    const unit = ruleset.catalog.find(({ key }) => key === list.value);
    if (unit) await save(id, unit.profile);
  });
  const label = el("label", { htmlFor: list.id }, localize("Profile.Catalog"));
  return el("p", { class: "field" }, label, list, use);
}

/**
 * Build the button that fills the profile from the token's actor, and the GM's that says from which values.
 * @param {Replica} replica
 * @param {Unit} unit
 * @param {UiContext} context
 * @param {SaveWhole} save
 */
function actorField({ ruleset }, unit, context, save) {
  const fill = button("enfilade-fill", localize("Profile.Fill"), async () => {
    const actor = tableScene()?.tokens.get(unit.id)?.actor;
    if (!actor) return context.notices.error(localize("Profile.NoActor", { name: unit.name }));
    const values = actorValues(game.system.id, ruleset.key, profilePaths(ruleset.key));
    const fields = profileFields(ruleset.profile_schema);
    const { profile, filled } = filledProfile(fields, values, actor.system, unit.profile);
    if (!filled.length) return context.notices.error(localize("Profile.NothingFilled", { name: actor.name }));
    await save(unit.id, profile);
    const names = filled.map((name) => fields[name].title ?? name).join(", ");
    ui.notifications.info(localize("Profile.Filled", { name: unit.name, fields: names }));
  });
  const map = game.user.isGM
    ? button("enfilade-values-open", localize("Profile.Map"), () => context.windows.open("values"))
    : null;
  const all = game.user.isGM
    ? button("enfilade-profiles-open", localize("Profiles.Title"), () => context.windows.open("profiles"))
    : null;
  return el("p", { class: "buttons" }, fill, map, all);
}

/** @param {Form} form @param {Unit} unit @param {UiContext} context @param {typeof profileFlags.save} save */
function profileForm({ element, read }, { id }, { notices }, save) {
  const token = tableScene()?.tokens.get(id);
  const forActor = el("input", { type: "checkbox", id: "enfilade-profile-actor" });
  const onSubmit = submitHandler(async () => {
    try {
      await save(id, read(), forActor.checked);
    } catch (problem) {
      if (!(problem instanceof SyntaxError)) throw problem;
      notices.error(problem.message);
    }
  });
  const submit = el(
    "button",
    { type: "submit", id: "enfilade-profile-save", class: "primary" },
    localize("Profile.Save"),
  );
  const same = token && baseActor(token)?.isOwner ? checkbox(forActor, localize("Profile.ForActor")) : "";
  return el("form", { class: "form", onsubmit: onSubmit }, element, same, submit);
}
