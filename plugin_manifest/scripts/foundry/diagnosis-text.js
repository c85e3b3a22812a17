/** The diagnosis that a user copies for a bug report: versions, scene, settings without keys, protocol lines. */

import { MODULE, publicSettings } from "./settings.js";

const MAX_LINES = 50;
/** @type {string[]} */
const lines = [];

/** Remembers a line of the protocol: the kind of a message, never its content. @param {string} line */
export function noteProtocol(line) {
  lines.push(`${new Date().toISOString().slice(11, 23)} ${line}`);
  if (lines.length > MAX_LINES) lines.shift();
}

/**
 * Returns the diagnosis. A value that cannot be read is left out.
 * @param {string[]} [problems]
 * @returns {string}
 */
export function diagnosisText(problems = []) {
  const facts = {
    module: () => game.modules.get(MODULE)?.version,
    foundry: () => `${game.version} (generation ${game.release.generation})`,
    system: () => game.system.id,
    user: () => (game.user.isGM ? "GM" : "player"),
    browser: () => navigator.userAgent,
    scene: () => sceneKind(),
    settings: () => JSON.stringify(publicSettings()),
  };
  const known = Object.entries(facts).map(([name, read]) => `${name}: ${valueOr(read, "unknown")}`);
  return [...known, ...problems, "protocol:", ...lines].join("\n");
}

function sceneKind() {
  if (!canvas.ready || !canvas.scene) return "none";
  const { grid, tokens, walls, regions, levels } = canvas.scene;
  const { type, size, distance, units } = grid;
  const counts = { tokens: tokens.size, walls: walls.size, regions: regions.size, levels: levels?.size };
  return JSON.stringify({ type, size, distance, units, ...counts });
}

/** @param {() => unknown} read @param {string} otherwise */
function valueOr(read, otherwise) {
  try {
    return read() ?? otherwise;
  } catch (problem) {
    return `${otherwise} (${problem})`;
  }
}
