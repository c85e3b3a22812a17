/**
 * What the module remembers. The server's address is the world's and everybody's; a seat's key is in this
 * browser alone (scope client), because everything of the world reaches every player's page.
 */

export const MODULE = "enfilade";

/**
 * Registers every setting; to be called in Foundry's `init`.
 * @param {() => void} onServer called when the server's address has changed
 */
export function registerSettings(onServer) {
  const usual = "http://127.0.0.1:8090";
  register("server", { scope: "world", config: true, type: String, default: usual, onChange: onServer });
  register("hitPoints", { scope: "world", config: true, type: String, default: "" });
  register("seats", { scope: "client", config: false, type: Object, default: {} });
}

/** @returns {string} the server's address, without a slash at its end */
export function serverAddress() {
  return game.settings.get(MODULE, "server").replace(/\/+$/, "");
}

/** @returns {string} the path to hit points that the GM has set, or nothing */
export function hitPointsPath() {
  return game.settings.get(MODULE, "hitPoints");
}

/**
 * This browser's seat in this world.
 * @returns {{table: string, key: string} | null}
 */
export function savedSeat() {
  return game.settings.get(MODULE, "seats")[game.world.id] ?? null;
}

/**
 * Keeps this browser's seat in this world; null forgets it.
 * @param {{table: string, key: string} | null} seat
 */
export async function saveSeat(seat) {
  const { [game.world.id]: _, ...others } = game.settings.get(MODULE, "seats");
  await game.settings.set(MODULE, "seats", seat ? { ...others, [game.world.id]: seat } : others);
}

/** @param {string} key @param {Omit<Foundry.SettingConfig, "name" | "hint">} config */
function register(key, config) {
  const words = config.config
    ? { name: `ENFILADE.settings.${key}.name`, hint: `ENFILADE.settings.${key}.hint` }
    : {};
  game.settings.register(MODULE, key, { ...words, ...config });
}
