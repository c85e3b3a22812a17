/**
 * Owlbear Rodeo's SDK, and what its host refuses. No other file imports it: it needs a browser's window as it loads.
 */

import OBR, { buildLabel, buildPath, buildText } from "@owlbear-rodeo/sdk";
import { WriteRefused } from "../tabletop/refusals.js";

export { OBR, buildLabel, buildPath, buildText };

/** The prefix of this extension's keys in metadata, its menus and its tools. */
export const OWN = "dev.enfilade";
/** The key of the item that a profile belongs to. */
export const PROFILE_KEY = `${OWN}/profile`;
/** The key of a defeated token. */
export const OUT_KEY = `${OWN}/out`;
/** The key of a scene's own ID and settings. */
export const SCENE_KEY = `${OWN}/scene`;

/** The host asks for patience by this name. @source C desain/owlbear-utils (rate limits) */
const RATE_LIMIT = "RateLimitHit";
const RETRY_MS = 500;

/**
 * Calls the host. Its refusals are plain objects, no errors.
 * @template T
 * @param {() => Promise<T>} call
 * @returns {Promise<T>} rejected with WriteRefused
 */
export async function ask(call) {
  try {
    return await call();
  } catch (problem) {
    const { name, message } = /** @type {any} */ (problem)?.error ?? {};
    if (name === RATE_LIMIT) throw new WriteRefused(String(message ?? name), RETRY_MS);
    if (problem instanceof Error) throw new WriteRefused(problem.message, RETRY_MS); // no answer within five seconds
    throw new WriteRefused(String(message ?? name ?? ""));
  }
}
