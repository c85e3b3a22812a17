/** A unit profile in its token's flags, where Foundry keeps it with the token. */

import { MODULE } from "../settings.js";

/**
 * A token with the profile that is kept with it.
 * @param {string} id
 * @returns {{id: string, name: string, profile: Record<string, unknown>} | null} null where it is not this user's
 */
function unitOf(id) {
  const token = canvas.scene?.tokens.get(id);
  return token?.isOwner ? { id, name: token.name, profile: token.getFlag(MODULE, "profile") ?? {} } : null;
}

/** @param {string} id @param {Record<string, unknown>} profile whole: what it lacks is no longer so */
async function keepProfile(id, profile) {
  const token = canvas.scene?.tokens.get(id);
  if (!token) return;
  if (token.getFlag(MODULE, "profile")) await token.unsetFlag(MODULE, "profile"); // flags are merged, not replaced
  await token.setFlag(MODULE, "profile", profile);
}

export const flags = { unitOf, keepProfile };
