/**
 * Status effects of conditions that Foundry does not know. A world setting keeps their names, so that every page
 * registers them: at its start, and as soon as the GM's page adds one.
 */

import { MODULE, saveWorldSetting } from "../settings.js";
import { createStatus, findStatus } from "./conversion.js";

const SETTING = "statuses";

/** Registers the setting and its status effects; runs in Foundry's `init`. */
export function registerStatuses() {
  game.settings.register(MODULE, SETTING, {
    ...{ scope: "world", config: false, type: Array, default: [] },
    onChange: addStatuses,
  });
}

/** Adds the saved status effects to this page; runs in Foundry's `setup`, after the system has set its own. */
export function addSavedStatuses() {
  addStatuses(game.settings.get(MODULE, SETTING));
}

/** @param {string} condition @returns {string} the ID of its status effect, which may not be registered yet */
export const statusIdOf = (condition) =>
  findStatus(condition, Object.values(CONFIG.statusEffects)) ?? createStatus(condition).id;

/**
 * Returns the ID of a condition's status effect; adds one on every page if Foundry has none.
 * @param {string} condition
 * @returns {Promise<string>}
 */
export async function provideStatus(condition) {
  if (!findStatus(condition, Object.values(CONFIG.statusEffects))) {
    addStatuses([condition]);
    const saved = game.settings.get(MODULE, SETTING);
    await saveWorldSetting(SETTING, [...new Set([...saved, condition])]);
  }
  return statusIdOf(condition);
}

/** @param {string[]} conditions */
function addStatuses(conditions) {
  for (const condition of conditions) {
    if (findStatus(condition, Object.values(CONFIG.statusEffects))) continue;
    const created = createStatus(condition);
    if (Array.isArray(CONFIG.statusEffects)) CONFIG.statusEffects.push(created);
    else CONFIG.statusEffects[created.id] = created;
  }
}
