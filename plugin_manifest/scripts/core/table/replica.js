/** A table as a client knows it: a snapshot, then entries folded in one after another without a gap. */

import { withFootprints } from "../draw/footprints.js";
import { fold } from "./fold.js";
import { canonicalJson, bytesToHex, sha256 } from "../dice/hashing.js";

/** @import {Entries, LogEntry, Replica, Scene, Snapshot} from "../../../types/contract.js" */

const utf8 = new TextEncoder();

/**
 * A replica that starts at a snapshot.
 * @param {number} seq the last entry the snapshot holds
 * @param {Snapshot} snapshot
 * @param {string} [epoch] what that number belongs to
 * @returns {Replica}
 */
export function fromSnapshot(seq, snapshot, epoch = "") {
  const { scene, bodies, regions } = snapshot;
  return { ...snapshot, scene: withFootprints(scene, bodies, regions), seq, epoch };
}

/**
 * The hash by which the table and its copies are compared: SHA-256 of the scene's one JSON text.
 * @param {Scene} scene
 */
export function stateHash(scene) {
  const tokens = scene.tokens.map(({ body: _, ...token }) => token); // bodies are put there by the page
  return bytesToHex(sha256(utf8.encode(canonicalJson({ ...scene, tokens }))));
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
    scene: withFootprints(scene, bodies, regions),
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
