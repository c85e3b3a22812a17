/**
 * The places where the extensions of Owlbear Rodeo keep hit points: in the metadata of a token's item. Values are written back
 * only where there are some, in the form that was found.
 */

/** @typedef {Record<string, any>} Metadata */
/** @typedef {{value: number, most: number | null}} HitPoints */
/** @typedef {{read: (metadata: Metadata) => HitPoints | null, write: (metadata: Metadata, value: number) => void}} Tracker */

const BUBBLES = "com.owlbear-rodeo-bubbles-extension/metadata";
const GRIMOIRE = "com.bitperfect-software.hp-tracker/data";
const OWL_TRACKERS = "com.owl-trackers/trackers";
const CLASH = "com.battle-system.clash/clash";
/** Names of trackers that mean hit points. */
const HIT_POINTS = /^(hp|hit ?points?|health|wounds|lp|leben)$/i;

/** @type {Tracker[]} @source C Bubbles-for-Owlbear-Rodeo, owlbear-hp-tracker, owl-trackers; the last is reported only */
const TRACKERS = [
  fields(BUBBLES, "health", "max health"),
  fields(GRIMOIRE, "hp", "maxHp"),
  {
    read: (metadata) => {
      const one = owlTracker(metadata);
      return one && number(one.value) !== null ? { value: Number(one.value), most: number(one.max) } : null;
    },
    write: (metadata, value) => {
      const one = owlTracker(metadata);
      if (one) one.value = value;
    },
  },
  {
    // This one keeps its numbers as text.
    read: (metadata) => hitPoints(metadata[`${CLASH}_currentHP`], metadata[`${CLASH}_maxHP`]),
    write: (metadata, value) => {
      const key = `${CLASH}_currentHP`;
      metadata[key] = typeof metadata[key] === "string" ? String(value) : value;
    },
  },
];

/** @param {string} key @param {string} value @param {string} most @returns {Tracker} */
function fields(key, value, most) {
  return {
    read: (metadata) => hitPoints(metadata[key]?.[value], metadata[key]?.[most]),
    write: (metadata, points) => {
      metadata[key][value] = points;
    },
  };
}

/** @param {Metadata} metadata @returns {Record<string, any> | null} */
function owlTracker(metadata) {
  const all = metadata[OWL_TRACKERS];
  if (!Array.isArray(all)) return null;
  return all.find((one) => typeof one?.name === "string" && HIT_POINTS.test(one.name.trim())) ?? null;
}

/** @param {unknown} value @param {unknown} most @returns {HitPoints | null} */
function hitPoints(value, most) {
  const now = number(value);
  return now === null ? null : { value: now, most: number(most) };
}

/** @param {unknown} value @returns {number | null} */
function number(value) {
  const found = typeof value === "string" && value.trim() ? Number(value) : value;
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

/** Returns a token's hit points; null if no known extension keeps some. @param {Metadata} metadata */
export function readHitPoints(metadata) {
  for (const tracker of TRACKERS) {
    const found = tracker.read(metadata);
    if (found) return found;
  }
  return null;
}

/** Writes hit points to every extension that keeps some. @param {Metadata} metadata is changed @param {number} value */
export function writeHitPoints(metadata, value) {
  for (const tracker of TRACKERS) if (tracker.read(metadata)) tracker.write(metadata, value);
}
