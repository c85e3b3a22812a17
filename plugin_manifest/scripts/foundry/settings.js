/**
 * The module's settings. Foundry sends world settings to every player's page, so a seat's key stays in this browser
 * (user-store.js); only the server's address belongs to the world.
 */

import { DEFAULT_MODES, WRITE_LABELS } from "../tabletop/writes.js";

/** @import {ActorValue} from "./read/actor-values.js" */
/** @import {Place} from "../tabletop/held-moves.js" */
/** @import {WriteKind, WriteMode} from "../tabletop/writes.js" */

export const MODULE = "enfilade";
const DEFAULT_SERVER = "http://127.0.0.1:8090";

/** Labels of what the GM may choose for a kind of write. */
const MODE_LABELS = {
  do: "ENFILADE.WriteMode.Always",
  ask: "ENFILADE.WriteMode.Ask",
  never: "ENFILADE.WriteMode.Never",
};

/** Labels of what a system's number of hit points counts. */
const COUNT_LABELS = {
  auto: "ENFILADE.HitPointsCount.Auto",
  left: "ENFILADE.HitPointsCount.Left",
  taken: "ENFILADE.HitPointsCount.Taken",
};

/** Labels of who decides whose turn it is. */
const TURN_LABELS = { rules: "ENFILADE.Turns.Rules", foundry: "ENFILADE.Turns.Foundry" };

/**
 * Registers every setting; runs in Foundry's `init`.
 * @param {() => void} onServer called when the server's address changes
 * @param {() => void} onPlace called when the GM has put the table to another scene or level
 */
export function registerSettings(onServer, onPlace) {
  register("server", {
    ...{ scope: "world", config: true, type: String, default: DEFAULT_SERVER },
    ...{ ...labels("server"), onChange: onServer },
  });
  register("hitPoints", {
    ...{ scope: "world", config: true, type: String, default: "" },
    ...labels("hitPoints"),
  });
  register("hitPointsCount", {
    ...{ scope: "world", config: true, type: String, choices: COUNT_LABELS, default: "auto" },
    ...labels("hitPointsCount"),
  });
  register("turns", {
    ...{ scope: "world", config: true, type: String, choices: TURN_LABELS, default: "rules" },
    ...labels("turns"),
  });
  register("handOver", {
    ...{ scope: "world", config: true, type: Boolean, default: false },
    ...labels("handOver"),
  });
  for (const [kind, mode] of Object.entries(DEFAULT_MODES)) {
    const name = `ENFILADE.${WRITE_LABELS[/** @type {WriteKind} */ (kind)]}`;
    register(`write.${kind}`, {
      ...{ name, scope: "world", config: true, type: String },
      ...{ choices: MODE_LABELS, default: mode },
    });
  }
  register("profilePaths", { scope: "world", config: false, type: Object, default: {} });
  register("relay", {
    ...{ name: "ENFILADE.Relay.Name", hint: "ENFILADE.Relay.Hint" },
    ...{ scope: "world", config: true, type: Boolean, default: true },
  });
  register("playerSeats", { scope: "world", config: false, type: Object, default: {} });
  register("written", { scope: "world", config: false, type: Object, default: {} });
  register("held", { scope: "world", config: false, type: Object, default: {} });
  register("place", {
    ...{ scope: "world", config: false, type: Object, default: {} },
    onChange: onPlace,
  });
  register("levels", {
    ...{ scope: "world", config: false, type: Object, default: {} },
    onChange: onPlace,
  });
}

/** True once this page has told that its user may not change settings. */
let hasTold = false;

/**
 * Saves a world setting. An assistant whose role may not change settings goes on without: nothing of the battle is lost,
 * only what a page would know after a reload.
 * @param {string} key
 * @param {unknown} value
 */
export async function saveWorldSetting(key, value) {
  try {
    await game.settings.set(MODULE, key, value);
  } catch (problem) {
    console.warn("enfilade", key, problem);
    if (!hasTold) ui.notifications.warn(game.i18n.localize("ENFILADE.bridge.noSettings"));
    hasTold = true;
  }
}

/** @param {string} key */
const labels = (key) => ({
  name: `ENFILADE.settings.${key}.name`,
  hint: `ENFILADE.settings.${key}.hint`,
});

/** @param {string} key @param {Foundry.SettingConfig} config */
const register = (key, config) => game.settings.register(MODULE, key, config);

/** @returns {Record<string, unknown>} the settings that a diagnosis may hold: none has a key */
export const publicSettings = () =>
  Object.fromEntries(
    [
      "server",
      "hitPoints",
      "hitPointsCount",
      "turns",
      "handOver",
      "relay",
      ...Object.keys(DEFAULT_MODES).map((kind) => `write.${kind}`),
    ].map((key) => [key, game.settings.get(MODULE, key)]),
  );

/** @returns {string} the server's address, without a trailing slash */
export const serverAddress = () => game.settings.get(MODULE, "server").replace(/\/+$/, "");

/** @param {string} address saved for the whole world if this user may set it */
export async function saveServerAddress(address) {
  if (game.user.isGM && address !== game.settings.get(MODULE, "server"))
    await game.settings.set(MODULE, "server", address);
}

/** @returns {boolean} whether the system's rolls get cover, advantage and disadvantage from the table */
export const handsOver = () => game.settings.get(MODULE, "handOver");

/** @returns {string} the path to hit points that the GM set, or "" */
export const hitPointsSetting = () => game.settings.get(MODULE, "hitPoints");

/** @returns {string} whether the number counts hit points "left" or "taken"; "auto" by the system */
export const hitPointsCount = () => game.settings.get(MODULE, "hitPointsCount");

/** @returns {boolean} whether Foundry's tracker decides whose turn it is, and not the rules */
export const doesFoundryDecide = () => game.settings.get(MODULE, "turns") === "foundry";

/**
 * Returns which of an actor's values fill a ruleset's profile, as the GM set it.
 * @param {string} ruleset
 * @returns {Record<string, ActorValue>} by field
 */
export const profilePaths = (ruleset) => game.settings.get(MODULE, "profilePaths")[ruleset] ?? {};

/** @param {string} ruleset @param {Record<string, ActorValue>} values by field */
export const saveProfilePaths = (ruleset, values) =>
  game.settings.set(MODULE, "profilePaths", {
    ...game.settings.get(MODULE, "profilePaths"),
    [ruleset]: values,
  });

/** @param {WriteKind} kind @returns {WriteMode} */
export const writeMode = (kind) => game.settings.get(MODULE, `write.${kind}`);

/** @returns {boolean} whether players without their own seat connect through the GM's page */
export const usesRelay = () => game.settings.get(MODULE, "relay");

/**
 * @returns {Record<string, {seat: string, number?: string}>} the seats of relayed players, by table and user, and the
 *   number of the newest key of each; every page of the world knows them
 */
export const playerSeats = () => game.settings.get(MODULE, "playerSeats");

/** @param {Record<string, {seat: string, number?: string}>} seats */
export const savePlayerSeats = (seats) => saveWorldSetting("playerSeats", seats);

/** @param {string} table @returns {number | null} the last entry that was processed; null for a new table */
export const processedSeq = (table) => game.settings.get(MODULE, "written")[table] ?? null;

/** @param {string} table @param {number} seq */
export const saveProcessedSeq = (table, seq) => saveWorldSetting("written", { [table]: seq });

/** @param {string} table @returns {Record<string, Place>} where Foundry has tokens that only the table has moved */
export const heldMoves = (table) => game.settings.get(MODULE, "held")[table] ?? {};

/** @param {string} table @param {Record<string, Place>} places */
export const saveHeldMoves = (table, places) => saveWorldSetting("held", { [table]: places });

/** @returns {{scene: string, level: string | null} | null} the scene, and level, that the GM has put the table to */
export function pinnedPlace() {
  const { scene, level = null } = game.settings.get(MODULE, "place");
  return typeof scene === "string" ? { scene, level } : null;
}

/** @param {{scene: string, level: string | null} | null} place null lets the table follow the battle */
export const savePinnedPlace = (place) => saveWorldSetting("place", place ?? {});

/** @returns {Record<string, string>} the level that the table has in each scene that it was in (14) */
export const keptLevels = () => game.settings.get(MODULE, "levels");

/** @param {string} scene @param {string} level */
export const saveKeptLevel = (scene, level) =>
  saveWorldSetting("levels", { ...keptLevels(), [scene]: level });
