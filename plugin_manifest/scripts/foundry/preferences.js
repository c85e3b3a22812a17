/** What the person at this page, and the GM for the world, want of the module's face. */

import { KINDS } from "./writing/kinds.js";
import { MODULE } from "./settings.js";

/** @import {LayerKey} from "../../types/contract.js" */
/** @import {Kind, Leave} from "./writing/kinds.js" */

/** The words of what the GM may say to a kind of write. */
const LEAVES = { do: "ENFILADE.Leave.Do", ask: "ENFILADE.Leave.Ask", never: "ENFILADE.Leave.Never" };

/** @type {Record<Kind, string>} the words for each kind, below which stand its name and hint */
const NAMES = {
  hitPoints: "Write.HitPoints",
  conditions: "Write.Conditions",
  defeated: "Write.Defeated",
  moves: "Write.Moves",
  order: "Write.Order",
  chat: "Write.Chat",
  floating: "Write.Floating",
};

/** Registers them; to be called in Foundry's `init`. */
export function registerPreferences() {
  for (const [kind, usual] of Object.entries(KINDS)) {
    const name = `ENFILADE.${NAMES[/** @type {Kind} */ (kind)]}`;
    const config = { type: String, choices: LEAVES, default: usual };
    game.settings.register(MODULE, `write.${kind}`, { name, scope: "world", config: true, ...config });
  }
  const relay = {
    name: "ENFILADE.Relay.Name",
    hint: "ENFILADE.Relay.Hint",
    scope: /** @type {const} */ ("world"),
  };
  game.settings.register(MODULE, "relay", { ...relay, config: true, type: Boolean, default: true });
  game.settings.register(MODULE, "relaySeats", { scope: "client", config: false, type: Object, default: {} });
  game.settings.register(MODULE, "written", { scope: "world", config: false, type: Object, default: {} });
  game.settings.register(MODULE, "layers", { scope: "client", config: false, type: Object, default: {} });
}

/** @param {Kind} kind @returns {Leave} */
export const leaveFor = (kind) => game.settings.get(MODULE, `write.${kind}`);

/** @returns {boolean} whether players without a seat of their own come by the GM's page */
export const isRelayed = () => game.settings.get(MODULE, "relay");

/** @returns {Record<string, {seat: string, key: string}>} the seats this GM's browser keeps for players, by table and user */
export const relaySeats = () => game.settings.get(MODULE, "relaySeats");

/** @param {Record<string, {seat: string, key: string}>} seats */
export const saveRelaySeats = (seats) => game.settings.set(MODULE, "relaySeats", seats);

/** @param {string} table @returns {number | null} the last entry whose writes were seen to; null for a new table */
export const writtenUpTo = (table) => game.settings.get(MODULE, "written")[table] ?? null;

/** @param {string} table @param {number} seq */
export const keepWrittenUpTo = (table, seq) => game.settings.set(MODULE, "written", { [table]: seq });

/** @returns {Partial<Record<LayerKey, boolean>>} the layers that this browser last showed and hid */
export const keptLayers = () => game.settings.get(MODULE, "layers");

/** @param {Record<LayerKey, boolean>} layers */
export const keepLayers = (layers) => game.settings.set(MODULE, "layers", layers);

/** @param {string} address of the server, for the whole world where this user may set it */
export async function saveServer(address) {
  if (game.user.isGM && address !== game.settings.get(MODULE, "server"))
    await game.settings.set(MODULE, "server", address);
}
