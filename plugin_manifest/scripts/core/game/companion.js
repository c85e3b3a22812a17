/** Games that only show: the tabletop's own system rolls and applies, and the table tells what the board tells. */

/** @import {Replica} from "../../../types/contract.js" */

const MOVES = new Set(["move", "move_group"]);

/**
 * Return whether a table only shows: its game has no acts but moves, or it is played as the assistant of the system.
 * @param {Replica | null | undefined} replica
 */
export function isCompanion(replica) {
  if (!replica) return false;
  const { ruleset, scene } = replica;
  const isAssistant = Object.entries(scene.house_rules).some(
    ([key, value]) => key.endsWith(".play") && value === "assistant",
  );
  return isAssistant || ruleset.acts.every(({ kind }) => MOVES.has(kind));
}
