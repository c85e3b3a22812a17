/**
 * The things that this browser keeps for one user of one world. Foundry's client settings belong to a browser, which
 * several users may share: each has an entry of its own, and the seats of others are removed when a user comes.
 */

import { MODULE } from "./settings.js";

/** @import {LayerKey} from "../../types/contract.js" */

/**
 * @typedef {object} Kept
 * @property {{table: string, key: string}} [seat]
 * @property {Record<string, {seat: string, key: string, number?: string}>} [relaySeats] the players' seats that a GM's
 *   browser keeps, by table and user
 * @property {Partial<Record<LayerKey, boolean>>} [layers] the layers that were last shown and hidden
 */

const SETTING = "kept";
/** Earlier versions kept seats by world alone, so that the next user of the browser sat in them. */
const OUTDATED = ["seats", "relaySeats", "layers"];

/** Registers the settings; runs in Foundry's `init`. */
export function registerUserStore() {
  for (const key of [SETTING, ...OUTDATED])
    game.settings.register(MODULE, key, { scope: "client", config: false, type: Object, default: {} });
}

const entryName = () => `${game.world.id} ${game.user.id}`;

/** @returns {Record<string, Kept>} by world and user */
const all = () => game.settings.get(MODULE, SETTING);

/** @returns {Kept} of this user in this world */
const own = () => all()[entryName()] ?? {};

/** @param {Kept} changes */
const save = (changes) =>
  game.settings.set(MODULE, SETTING, { ...all(), [entryName()]: { ...own(), ...changes } });

/**
 * Removes the seats of other users from this browser: those of this world, and on a player's page those of all worlds.
 * Runs in Foundry's `ready`, before anything connects.
 */
export async function removeOthersSeats() {
  const isOthers = (/** @type {string} */ name) =>
    name !== entryName() && (!game.user.isGM || name.startsWith(`${game.world.id} `));
  const withoutSeats = (/** @type {[string, Kept]} */ [name, kept]) =>
    isOthers(name) ? [name, { layers: kept.layers ?? {} }] : [name, kept];
  const kept = Object.fromEntries(Object.entries(all()).map(withoutSeats));
  if (JSON.stringify(kept) !== JSON.stringify(all())) await game.settings.set(MODULE, SETTING, kept);
  for (const key of OUTDATED)
    if (Object.keys(game.settings.get(MODULE, key)).length) await game.settings.set(MODULE, key, {});
}

/** @returns {{table: string, key: string} | null} this user's seat in this world */
export const savedSeat = () => own().seat ?? null;

/** @param {{table: string, key: string} | null} seat null removes it */
export const saveSeat = (seat) => save({ seat: seat ?? undefined });

/** @returns {NonNullable<Kept["relaySeats"]>} */
export const relaySeats = () => own().relaySeats ?? {};

/** @param {NonNullable<Kept["relaySeats"]>} seats */
export const saveRelaySeats = (seats) => save({ relaySeats: seats });

/** @returns {NonNullable<Kept["layers"]>} */
export const savedLayers = () => own().layers ?? {};

/** @param {Record<LayerKey, boolean>} layers */
export const saveLayers = (layers) => save({ layers });
