/**
 * Links to a table, and the credentials to connect with: for each connection a ticket fetched with the seat's key over
 * HTTP (valid once, for a minute). The key itself never goes over the socket.
 */

/** @import {Problem} from "../../../types/contract.js" */

/** A request that the server refused; `problem` is its error in the contract's form. */
export class RequestError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.sentence);
    this.name = "RequestError";
    this.problem = problem;
  }
}

/**
 * @typedef {{table: string, ticket: string, process?: string}} Ticket opens one connection within a minute; in a
 * cluster to the named process
 */

/**
 * The time in which the server answers a request for a ticket, and one that is sent again at once: the browser may have
 * used a connection that died without a word.
 */
const TICKET_TIMEOUT_MS = 2000;
const SECOND_TIMEOUT_MS = 4000;

/**
 * Request a ticket with a seat's key.
 * @param {typeof fetch} fetcher
 * @param {string} url the server's origin
 * @param {{table: string, key: string}} seat
 * @returns {Promise<Ticket>} rejected with RequestError if the server refuses; with another error if it does not answer
 */
export async function requestTicket(fetcher, url, { table, key }) {
  const path = `/api/tables/${encodeURIComponent(table)}/tickets`;
  const headers = { Authorization: `Bearer ${key}` };
  const ask = (/** @type {number} */ limit) =>
    requestJson(fetcher, `${url}${path}`, { method: "POST", headers, signal: AbortSignal.timeout(limit) });
  const { ticket, process } = await ask(TICKET_TIMEOUT_MS).catch((error) => {
    if (error?.name !== "TimeoutError") throw error;
    return ask(SECOND_TIMEOUT_MS);
  });
  return { table, ticket, process };
}

/** The time in which a ticket is used: less than the minute that it is valid. */
export const TICKET_MS = 45_000;

/** The credentials of one seat at one table. */
export class Credentials {
  /** @type {{ticket: Ticket, until: number} | null} for the next connection */
  #prepared = null;

  /**
   * @param {object} options
   * @param {typeof fetch} options.fetcher
   * @param {string} options.url the server's origin
   * @param {string} options.table
   * @param {string} options.key
   * @param {Ticket | null} [options.ticket] for the first connection, if there is one already
   */
  constructor({ fetcher, url, table, key, ticket = null }) {
    this.fetcher = fetcher;
    this.url = url;
    this.table = table;
    this.key = key;
    if (ticket) this.#keep(ticket);
  }

  /**
   * Return the credentials for the next connection.
   * @returns {Promise<{table: string, ticket: string}>} rejected with RequestError
   */
  async next() {
    const { ticket } = this.#validTicket() ?? (await this.#requestTicket());
    this.#prepared = null;
    return { table: this.table, ticket };
  }

  /** The process of a cluster to connect to, as the ticket for the next connection names it; empty without one. */
  get process() {
    return this.#validTicket()?.process ?? "";
  }

  #validTicket() {
    return this.#prepared && Date.now() < this.#prepared.until ? this.#prepared.ticket : null;
  }

  /**
   * Request a ticket before the next connection. Socket.IO asks for credentials only once a process answers; by this
   * request a proxy notices one that does not, and sends the connection to another.
   * @param {number} [longestAge] the age in ms up to which a ticket that was prepared before is kept
   */
  async prepare(longestAge = 0) {
    const age = TICKET_MS - ((this.#prepared?.until ?? 0) - Date.now());
    if (age >= longestAge) this.#keep(await this.#requestTicket());
  }

  /** @param {Ticket} ticket for the next connection */
  #keep(ticket) {
    this.#prepared = { ticket, until: Date.now() + TICKET_MS };
  }

  #requestTicket() {
    return requestTicket(this.fetcher, this.url, { table: this.table, key: this.key });
  }
}

/**
 * Send an HTTP request and return the answer's JSON, null if it has no content.
 * @param {typeof fetch} fetcher
 * @param {string} url
 * @param {RequestInit} request
 * @returns {Promise<any>} rejected with RequestError if the server refuses
 */
export async function requestJson(fetcher, url, request) {
  const answer = await fetcher(url, request);
  if (answer.status === 204) return null;
  const body = await answer.json();
  if (!answer.ok) throw new RequestError(body.error);
  return body;
}

/**
 * Read a seat's link. Table and key stand after the #, which browsers do not send, so no server logs them.
 * @param {string} fragment like "#table=ID&key=KEY"
 * @returns {{table: string, key: string} | null} null if a part is missing
 */
export function readLink(fragment) {
  const [table, key] = readParameters(fragment, "table", "key");
  return table && key ? { table, key } : null;
}

/**
 * Read an invitation link.
 * @param {string} fragment like "#table=ID&join=SECRET"
 * @returns {{table: string, invitation: string} | null} null if a part is missing
 */
export function readInvitation(fragment) {
  const [table, invitation] = readParameters(fragment, "table", "join");
  return table && invitation ? { table, invitation } : null;
}

/** @param {string} fragment @param {...string} names */
function readParameters(fragment, ...names) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  return names.map((name) => parameters.get(name));
}
