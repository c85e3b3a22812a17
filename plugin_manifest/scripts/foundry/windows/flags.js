/** A unit profile in its token's flags, where Foundry keeps it with the token. */

import { MODULE } from "../settings.js";

/** @param {string} id @returns {boolean} whether this user may write to the token of that id */
const canKeep = (id) => canvas.scene?.tokens.get(id)?.isOwner ?? false;

/** @param {string} id @param {Record<string, unknown>} profile whole: what it lacks is no longer so */
async function keepProfile(id, profile) {
  const token = canvas.scene?.tokens.get(id);
  if (!token) return;
  if (token.getFlag(MODULE, "profile")) await token.unsetFlag(MODULE, "profile"); // flags are merged, not replaced
  await token.setFlag(MODULE, "profile", profile);
}

export const flags = { canKeep, keepProfile };
