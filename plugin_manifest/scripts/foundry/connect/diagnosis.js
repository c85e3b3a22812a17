/** Why a server may not be reached from this page, in words: what browsers themselves do not say. */

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)|\.local$/;

/**
 * What came of asking a server.
 * @typedef {object} Attempt
 * @property {string} page the address of Foundry's page
 * @property {string} server the address that was tried
 * @property {boolean} isAnswered whether anything answered a plain request at all
 * @property {Greeting | null} greeting what the server said of itself; null where it is no server of ours
 * @property {string | null} permission to reach the own network ("granted", "denied", "prompt"), where the browser says
 */

/** @typedef {{version: string, origin: string, is_allowed: boolean}} Greeting */
/** @typedef {[key: string, values?: Record<string, string>]} Sentence */

/**
 * The sentences that may help, the likeliest first; none where the server lets this page in.
 * @param {Attempt} attempt
 * @param {string} own the module's version
 * @returns {Sentence[]}
 */
export function diagnosis(attempt, own) {
  const there = urlOf(attempt.server);
  if (!there || !/^https?:$/.test(there.protocol)) return [["Connect.Why.Address"]];
  if (attempt.greeting) return byGreeting(attempt.greeting, own, urlOf(attempt.page)?.origin ?? "");
  if (attempt.isAnswered) return [["Connect.Why.NotOurs"]];
  return [...byBrowser(attempt, there), ["Connect.Why.Down"]];
}

/** @param {Greeting} greeting @param {string} own @param {string} page @returns {Sentence[]} */
function byGreeting({ version, origin, is_allowed: isAllowed }, own, page) {
  const older = olderOf(version, own);
  if (older) return [[`Connect.Why.Old.${older}`, { server: version, module: own }]];
  return isAllowed ? [] : [["Connect.Why.Origin", { origin: origin || page }]];
}

/** @param {Attempt} attempt @param {URL} there @returns {Sentence[]} what browsers forbid pages */
function byBrowser({ page, permission }, there) {
  const here = urlOf(page);
  const isSecure = here?.protocol === "https:";
  const isNear = LOOPBACK.test(there.hostname) || PRIVATE.test(there.hostname);
  const isFar = here !== null && !LOOPBACK.test(here.hostname) && !PRIVATE.test(here.hostname);
  const isMixed = isSecure && there.protocol === "http:" && !LOOPBACK.test(there.hostname);
  const secure = permission === "denied" ? "Connect.Why.LocalDenied" : "Connect.Why.LocalAsk";
  return [
    ...(isMixed ? [/** @type {Sentence} */ (["Connect.Why.Mixed"])] : []),
    ...(isNear && isFar ? [/** @type {Sentence} */ ([isSecure ? secure : "Connect.Why.LocalPlain"])] : []),
  ];
}

/** @param {string} address @returns {URL | null} */
function urlOf(address) {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/**
 * Which of the two is the older, where one does not speak as the other does: 0.1 and 0.2, or 1 and 2.
 * @param {string} server @param {string} module
 * @returns {"Server" | "Module" | null}
 */
function olderOf(server, module) {
  const [a, b] = [server, module].map((text) => text.split(".").map(Number));
  if (a[0] !== b[0]) return a[0] < b[0] ? "Server" : "Module";
  if (a[0] !== 0 || a[1] === b[1]) return null;
  return a[1] < b[1] ? "Server" : "Module";
}
