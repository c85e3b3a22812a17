/**
 * The module's API for macros and other modules: `game.modules.get("enfilade").api`. It offers what this user's seat
 * may know and do, and never a key.
 */

import { coverOf, edgeOf } from "./rolls/answers.js";

/** @import {LogEntry, Reach, Target, Verdict} from "../../types/contract.js" */
/** @import {ConnectionManager} from "./connection-manager.js" */
/** @import {CoverAnswer, EdgeAnswer} from "./rolls/answers.js" */

/**
 * @typedef {object} EnfiladeApi
 * @property {(token: string) => Promise<Reach | null>} reach selects a token and returns its reach
 * @property {(token: string, target: string) => Promise<Verdict | null>} verdict sight, cover and the acts at a target
 * @property {(token: string, target: string) => Promise<Odds[]>} odds of each act at a target
 * @property {(token: string, target: string, kind?: string) => Promise<boolean>} attack with the likeliest legal act,
 *   or one of a kind; false if none is legal or the table refuses
 * @property {(count?: number) => LogEntry[]} log the last entries, the newest last
 * @property {(attacker: Named, target: Named) => CoverAnswer | null} cover of a target, at once, by what was read last
 * @property {(attacker: Named, target: Named, item?: {name: string} | string) => EdgeAnswer | null} advantage of an
 *   attack with its reasons, at once, by what was read last
 */

/** @typedef {string | {id: string}} Named a token, its document or its ID */

/** @typedef {{kind: string, label: string, legal: boolean, why: string, chance: [number, number]}} Odds */

const DEFAULT_ENTRIES = 20;
/** A call waits so long for what the table sends, and looks so often. */
const [PATIENCE_MS, STEP_MS] = [2000, 20];

/**
 * Returns the API of this page. Its functions give null, an empty list or false without a table.
 * @param {ConnectionManager} manager
 * @returns {Readonly<EnfiladeApi>}
 */
export function createApi(manager) {
  const session = () => manager.seatUi?.context.session;
  const isKnown = (/** @type {string} */ token) =>
    manager.client?.replica?.scene.tokens.some(({ id }) => id === token) ?? false;
  const verdict = async (/** @type {string} */ token, /** @type {string} */ target) =>
    isKnown(token) && isKnown(target) ? ((await session()?.requestVerdict(token, target)) ?? null) : null;
  const idOf = (/** @type {Named} */ named) => (typeof named === "string" ? named : String(named?.id));
  const known = (/** @type {Named} */ attacker, /** @type {Named} */ target) =>
    manager.seatUi?.context.verdicts.of(idOf(attacker), idOf(target)) ?? null;
  return Object.freeze({
    verdict,
    async reach(/** @type {string} */ token) {
      if (!isKnown(token)) return null;
      const state = () => manager.seatUi?.context.store.state;
      const overlay = () => (state()?.overlay?.token === token ? state()?.overlay : null);
      const isAwaited = state()?.selected === token; // then its overlay may still be on its way
      await session()?.select(token);
      if (isAwaited) await waitUntil(() => Boolean(overlay()));
      return overlay()?.reach ?? null;
    },
    async odds(/** @type {string} */ token, /** @type {string} */ target) {
      const { acts = [] } = (await verdict(token, target)) ?? {};
      return acts.map(({ act, label, legal, why, chance }) => ({
        ...{ kind: act.kind, label, legal, why },
        chance: /** @type {[number, number]} */ ([...chance]),
      }));
    },
    async attack(/** @type {string} */ token, /** @type {string} */ target, /** @type {string} */ kind = "") {
      const { acts = [], seq = 0 } = (await verdict(token, target)) ?? {};
      // This page must know the table's entry first: an act on an older state would be refused.
      await waitUntil(() => (manager.client?.replica?.seq ?? 0) >= seq);
      const best = bestAct(acts, kind);
      return best ? ((await manager.seatUi?.context.commands.act(best.act)) ?? false) : false;
    },
    cover: (attacker, target) => coverOf(known(attacker, target)),
    advantage: (attacker, target, item = "") =>
      edgeOf(known(attacker, target), typeof item === "string" ? item : String(item?.name ?? "")),
    log: (count = DEFAULT_ENTRIES) =>
      structuredClone(manager.client?.replica?.log.slice(count > 0 ? -count : Infinity) ?? []),
  });
}

/** Waits a moment for a condition; gives up without an error. @param {() => boolean} isMet */
async function waitUntil(isMet) {
  for (let waited = 0; waited < PATIENCE_MS && !isMet(); waited += STEP_MS)
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
}

/** @param {readonly Target[]} acts @param {string} kind "" for any @returns {Target | undefined} */
function bestAct(acts, kind) {
  const chance = (/** @type {Target} */ target) => target.chance[0] / target.chance[1];
  return acts
    .filter(({ act, legal }) => legal && (!kind || act.kind === kind))
    .reduce(
      (best, one) => (best && chance(best) >= chance(one) ? best : one),
      /** @type {any} */ (undefined),
    );
}
