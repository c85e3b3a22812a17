/** The unit profile of the selected token, from the catalog or by a form. The token's flags keep it. */

import { hasChanged, selectedToken } from "../../core/game/store.js";
import { button, checkbox, selectField, submitHandler } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
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
  let shown = "";
  let isSaving = false;
  const showErrors = () =>
    form?.showErrors(context.profileErrors.fieldsOf(controlledUnit(context)?.id ?? ""));
  const show = (/** @type {Unit | null} */ unit) => {
    const { replica } = context.store.state;
    form = replica && unit && schemaForm(replica.ruleset.profile_schema, unit.profile);
    if (replica && unit && form)
      replaceContent(
        host,
        el("h2", {}, unit.name),
        catalogField(replica, unit, context, update),
        actorField(replica, unit, context, update),
        profileForm(form, unit, context, save),
      );
    else
      replaceContent(
        host,
        el("p", { class: "quiet" }, localize(replica ? "Profile.Choose" : "Turn.NoTable")),
      );
    showErrors();
  };
  // A new form would discard what the user has chosen and not saved, so only new content makes one.
  const contentOf = (/** @type {Unit | null} */ unit) =>
    JSON.stringify([context.store.state.replica?.ruleset.key, unit]);
  const update = (/** @type {Record<string, unknown> | null} */ saved = null) => {
    const unit = controlledUnit(context);
    const current = unit && saved ? { ...unit, profile: saved } : unit;
    const content = contentOf(current);
    if (content === shown || isSaving) return;
    shown = content;
    show(current);
  };
  // The form shows what it saves. It stays, with what the user chooses while it is saved and before the table has it.
  /** @type {typeof profileFlags.save} */
  const save = async (id, profile, isForActor) => {
    isSaving = true;
    try {
      await context.profileFlags.save(id, profile, isForActor);
      const unit = controlledUnit(context);
      if (unit?.id === id) shown = contentOf(unit);
    } finally {
      isSaving = false;
      update();
    }
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

/**
 * @param {Replica} replica
 * @param {Unit} unit
 * @param {UiContext} context
 * @param {(profile: Record<string, unknown>) => void} onSave shows the saved profile, also one that the table refuses
 */
function catalogField({ ruleset }, { id }, context, onSave) {
  const options = ruleset.catalog.map(({ key, name }) => /** @type {[string, string]} */ ([key, name]));
  const list = selectField("enfilade-unit", [["", localize("Profile.Ready")], ...options], "");
  const use = button("enfilade-unit-use", localize("Profile.Use"), async () => {
    const unit = ruleset.catalog.find(({ key }) => key === list.value);
    if (!unit) return;
    await context.profileFlags.save(id, unit.profile);
    onSave(unit.profile);
  });
  const label = el("label", { htmlFor: list.id }, localize("Profile.Catalog"));
  return el("p", { class: "field" }, label, list, use);
}

/**
 * Build the button that fills the profile from the token's actor, and the GM's that says from which values.
 * @param {Replica} replica
 * @param {Unit} unit
 * @param {UiContext} context
 * @param {(profile: Record<string, unknown>) => void} onSave shows the saved profile, also one that the table refuses
 */
function actorField({ ruleset }, unit, context, onSave) {
  const fill = button("enfilade-fill", localize("Profile.Fill"), async () => {
    const actor = tableScene()?.tokens.get(unit.id)?.actor;
    if (!actor) return context.notices.error(localize("Profile.NoActor", { name: unit.name }));
    const values = actorValues(game.system.id, ruleset.key, profilePaths(ruleset.key));
    const fields = profileFields(ruleset.profile_schema);
    const { profile, filled } = filledProfile(fields, values, actor.system, unit.profile);
    if (!filled.length) return context.notices.error(localize("Profile.NothingFilled", { name: actor.name }));
    await context.profileFlags.save(unit.id, profile);
    onSave(profile);
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
