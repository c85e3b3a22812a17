/** A table as a client knows it: a snapshot, then entries folded in one after another without a gap. */

import { withBodies } from "./bodies.js";
import { fold } from "./fold.js";

/** @import {Entries, LogEntry, Replica, Snapshot} from "../../types/contract.js" */

/**
 * A replica that starts at a snapshot.
 * @param {number} seq the last entry the snapshot holds
 * @param {Snapshot} snapshot
 * @returns {Replica}
 */
export function fromSnapshot(seq, snapshot) {
  const { scene, bodies, regions } = snapshot;
  return { ...snapshot, scene: withBodies(scene, bodies, regions), seq };
}

/**
 * The replica after new entries; entries it has already are passed over. Null where it can no longer
 * follow (a gap, an event about something it does not know, another ruleset): then ask for a snapshot.
 * @param {Replica} replica
 * @param {Entries} update
 * @returns {Replica | null}
 */
export function withEntries(replica, { entries, choice, regions: told, bodies, bars, webhook }) {
  const fresh = entries.filter((entry) => entry.seq > replica.seq);
  if (fresh.some((entry, i) => entry.seq !== replica.seq + 1 + i)) return null;
  const scene = foldedScene(replica, fresh);
  if (scene === null || scene.ruleset !== replica.ruleset.key) return null;
  const regions = told ?? replica.regions;
  return {
    ...replica,
    seq: replica.seq + fresh.length,
    scene: withBodies(scene, bodies, regions),
    regions,
    bodies,
    bars,
    choice,
    webhook,
    log: fresh.length ? [...replica.log, ...fresh] : replica.log,
  };
}

/**
 * The numbers of the entries that later entries took back.
 * @param {LogEntry[]} log
 * @returns {Set<number>}
 */
export function undoneEntries(log) {
  return new Set(log.flatMap((entry) => entry.undoes ?? []));
}

/**
 * @param {Replica} replica
 * @param {LogEntry[]} entries
 */
function foldedScene(replica, entries) {
  try {
    return entries.flatMap((entry) => entry.events).reduce(fold, replica.scene);
  } catch (problem) {
    if (problem instanceof RangeError) return null;
    throw problem;
  }
}
