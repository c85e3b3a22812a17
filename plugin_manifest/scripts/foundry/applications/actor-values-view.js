/** The window in which the GM says which of an actor's values fill a unit's profile, with a live preview. */

import { field, submitHandler } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { profileFields } from "../../core/ui/schema-form.js";
import { actorValues, canFill, firstValue, readActorValue } from "../read/actor-profile.js";
import { tableScene } from "../read/table-scene.js";
import { profilePaths, saveProfilePaths } from "../settings.js";

/** @import {ActorValue} from "../read/actor-values.js" */
/** @import {Schema} from "../read/actor-profile.js" */
/** @import {UiContext} from "../seat-ui.js" */

/**
 * @param {HTMLElement} host
 * @param {UiContext} context
 */
export function actorValuesView(host, { store, notices }) {
  let shown = "";
  const show = () => {
    const { replica, controlled, selected } = store.state;
    const id = controlled ?? selected;
    const version = `${replica?.ruleset.key} ${id}`;
    if (version === shown) return;
    shown = version;
    if (!replica) return replaceContent(host, el("p", { class: "quiet" }, localize("Turn.NoTable")));
    const actor = (id && tableScene()?.tokens.get(id)?.actor) || null;
    replaceContent(host, ...valuesForm(replica.ruleset, actor, (text) => notices.error(text)));
  };
  store.subscribe(show);
  show();
}

/**
 * @param {{key: string, profile_schema: Schema}} ruleset
 * @param {Foundry.Actor | null} actor for the preview
 * @param {(sentence: string) => void} warn
 * @returns {HTMLElement[]}
 */
function valuesForm({ key, profile_schema: schema }, actor, warn) {
  const own = profilePaths(key);
  const values = actorValues(game.system.id, key, own);
  const rows = Object.entries(profileFields(schema))
    .filter(([, one]) => canFill(one))
    .map(([name, one]) => ({
      ...valueRow(name, one, values[name] ?? { path: "" }, actor),
      kept: own[name] ?? null,
    }));
  const save = submitHandler(async () => {
    const wrong = rows.find(({ read }) => !Number.isFinite(read().less) || !read().by);
    if (wrong) return warn(localize("ActorValues.NotANumber", { field: wrong.title }));
    // A row as it was keeps the places of the system's other versions.
    const changed = rows.map(({ name, read, hasChanged, kept }) => [name, hasChanged() ? read() : kept]);
    await saveProfilePaths(key, Object.fromEntries(changed.filter(([, value]) => value)));
    ui.notifications.info(localize("ActorValues.Saved"));
  });
  const intro = actor
    ? localize("ActorValues.Preview", { name: actor.name, system: game.system.title })
    : localize("ActorValues.NoActor");
  return [
    el("p", { class: "quiet" }, intro),
    el(
      "form",
      { class: "form enfilade-values", onsubmit: save },
      ...rows.map(({ element }) => element),
      el(
        "button",
        { type: "submit", id: "enfilade-values-save", class: "primary" },
        localize("ActorValues.Save"),
      ),
    ),
  ];
}

/**
 * @param {string} name
 * @param {Schema} schema
 * @param {ActorValue} value
 * @param {Foundry.Actor | null} actor
 */
function valueRow(name, schema, value, actor) {
  const { less = 0, by = 1 } = value;
  const path = firstValue(actor?.system, value)?.path ?? value.path;
  const title = schema.title ?? name;
  const id = `enfilade-value-${name}`;
  const number = (/** @type {string} */ part, /** @type {number} */ preset) =>
    el("input", {
      id: `${id}-${part}`,
      type: "number",
      step: "any",
      value: preset,
      "aria-label": `${title}: ${localize(`ActorValues.${part === "less" ? "Less" : "By"}`)}`,
    });
  const at = el("input", { id, type: "text", maxLength: 200, value: path, autocomplete: "off" });
  const [minus, divisor] = [number("less", less), number("by", by)];
  const preview = el("output", { id: `${id}-preview` });
  const read = () => ({ path: at.value.trim(), less: minus.valueAsNumber, by: divisor.valueAsNumber });
  const isNumber = schema.type === "integer" || schema.type === "number";
  const hasChanged = () => JSON.stringify(read()) !== JSON.stringify({ path, less, by });
  const show = () => (preview.value = previewText(actor, read(), schema));
  const parts = isNumber
    ? [
        el("small", {}, localize("ActorValues.Less")),
        minus,
        el("small", {}, localize("ActorValues.By")),
        divisor,
      ]
    : [];
  show();
  const row = field(title, at);
  row.append(el("span", { class: "enfilade-value-parts" }, ...parts, preview));
  row.oninput = show;
  return { name, title, element: row, read, hasChanged };
}

/** @param {Foundry.Actor | null} actor @param {ActorValue} from @param {Schema} schema */
function previewText(actor, from, schema) {
  if (!from.path) return localize("ActorValues.Left");
  if (!actor) return "";
  const found = readActorValue(actor.system, from, schema);
  return "value" in found ? `→ ${found.value}` : localize(`ActorValues.${found.problem}`);
}
