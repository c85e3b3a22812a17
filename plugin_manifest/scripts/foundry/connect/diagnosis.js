/** Why a server may not be reached from this page, in words: what browsers themselves do not say. */

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)|\.local$/;

/**
 * @typedef {object} Attempt
 * @property {string} page the address of Foundry's page
 * @property {string} server the address that was tried
 * @property {boolean} isAnswered whether the server answered a plain request at all
 * @property {string} [version] the server's, where it said so
 */

/**
 * The keys of the sentences that may help, the likeliest first.
 * @param {Attempt} attempt
 * @param {string} own the module's version
 * @returns {string[]}
 */
export function diagnosis({ page, server, isAnswered, version = "" }, own) {
  const [here, there] = [urlOf(page), urlOf(server)];
  if (!there || !/^https?:$/.test(there.protocol)) return ["Connect.Why.Address"];
  if (isAnswered) return [version && isOther(version, own) ? "Connect.Why.Version" : "Connect.Why.Origin"];
  const isSecure = here?.protocol === "https:";
  const isNear = LOOPBACK.test(there.hostname) || PRIVATE.test(there.hostname);
  const isFar = here !== null && !LOOPBACK.test(here.hostname) && !PRIVATE.test(here.hostname);
  return [
    ...(isSecure && there.protocol === "http:" && !LOOPBACK.test(there.hostname)
      ? ["Connect.Why.Mixed"]
      : []),
    ...(isNear && isFar ? [isSecure ? "Connect.Why.LocalAsk" : "Connect.Why.LocalPlain"] : []),
    "Connect.Why.Down",
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

/** @param {string} version @param {string} own whether one does not speak as the other does: 0.1 and 0.2, or 1 and 2 */
function isOther(version, own) {
  const [a, b] = [version, own].map((text) => text.split("."));
  return a[0] !== b[0] || (a[0] === "0" && a[1] !== b[1]);
}
