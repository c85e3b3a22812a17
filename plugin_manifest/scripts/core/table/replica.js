/**
 * A client's replica of a table: a snapshot, and the entries folded into it one after another without a gap.
 */

import { bytesToHex, canonicalJson, sha256, utf8 } from "../dice/hashing.js";
import { withFootprints } from "../map/footprints.js";
import { fold } from "./fold.js";

/** @import {Entries, LogEntry, Replica, Scene, Snapshot} from "../../../types/contract.js" */

/**
 * The latest entries that a replica keeps at least, as many as a snapshot has: what a page knows does not depend on how
 * long it is open. Older ones are read from the table again.
 */
export const LOG_KEPT = 200;

/**
 * Return a replica that starts at a snapshot.
 * @param {number} seq the snapshot's last entry
 * @param {Snapshot} snapshot
 * @param {string} [epoch] numbers count within an epoch
 * @returns {Replica}
 */
export function fromSnapshot(seq, snapshot, epoch = "") {
  const { scene, bodies, regions } = snapshot;
  return { ...snapshot, scene: withFootprints(scene, bodies, regions), seq, epoch };
}

/**
 * Return the hash by which the server compares replicas: SHA-256 of the scene's canonical JSON.
 * @param {Scene} scene
 */
export function stateHash(scene) {
  const tokens = scene.tokens.map(({ body: _, ...token }) => token); // the page adds `body`; the server has none
  return bytesToHex(sha256(utf8.encode(canonicalJson({ ...scene, tokens }))));
}

/**
 * Return the replica after new entries; entries that it already has are skipped.
 * @param {Replica} replica
 * @param {Entries} update
 * @returns {Replica | null} null if they cannot be applied (a gap, an unknown id, another ruleset): request a snapshot
 */
export function withEntries(replica, { entries, choice, regions: newRegions, ...update }) {
  const fresh = entries.filter((entry) => entry.seq > replica.seq);
  if (fresh.some((entry, i) => entry.seq !== replica.seq + 1 + i)) return null;
  const scene = foldEntries(replica.scene, fresh);
  if (scene === null || scene.ruleset !== replica.ruleset.key) return null;
  const regions = newRegions ?? replica.regions;
  return {
    ...replica,
    seq: replica.seq + fresh.length,
    scene: withFootprints(scene, update.bodies, regions),
    regions,
    bodies: update.bodies,
    bars: update.bars,
    turn: update.turn,
    choice,
    webhook: update.webhook,
    history: update.history,
    log: fresh.length ? latest([...replica.log, ...fresh], fresh.length) : replica.log,
  };
}

/** Leave the oldest entries out, seldom and many at once. @param {LogEntry[]} log @param {number} fresh how many are new */
const latest = (log, fresh) =>
  log.length > Math.max(2 * LOG_KEPT, fresh) ? log.slice(-Math.max(LOG_KEPT, fresh)) : log;

/**
 * @param {Scene} scene
 * @param {LogEntry[]} entries
 * @returns {Scene | null} null if an event names an unknown id
 */
function foldEntries(scene, entries) {
  try {
    return entries.flatMap((entry) => entry.events).reduce(fold, scene);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Return the numbers of the undone entries. The undo of an undo makes the first entry stand again.
 * @param {LogEntry[]} log
 * @returns {Set<number>}
 */
export function undoneEntries(log) {
  const undoes = new Map(log.map(({ seq, undoes: other }) => [seq, other]));
  /** @type {Set<number>} */
  const undone = new Set();
  for (const { undoes: taken } of log) {
    if (!taken) continue;
    undone.add(taken);
    const first = undoes.get(taken);
    if (first) undone.delete(first);
  }
  return undone;
}
