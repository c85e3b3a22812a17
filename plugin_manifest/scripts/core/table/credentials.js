/**
 * What lets a client in: a ticket got with its key over HTTP, good once and for a minute, or the token that
 * its last connection was greeted with. The key itself never goes over the socket.
 */

/** @import {Problem} from "../../../types/contract.js" */

/** A request that the server refused; `problem` is its answer in the contract's form. */
export class RequestError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.sentence);
    this.name = "RequestError";
    this.problem = problem;
  }
}

/** One seat's way in to one table. */
export class Credentials {
  #resume = "";
  /** Whether the connection that is being made was asked for with a token. */
  isResuming = false;

  /**
   * @param {object} parts
   * @param {typeof fetch} parts.ask the browser's `fetch`
   * @param {string} parts.url the server's origin
   * @param {string} parts.table
   * @param {string} parts.key
   */
  constructor({ ask, url, table, key }) {
    this.ask = ask;
    this.url = url;
    this.table = table;
    this.key = key;
  }

  /** @param {string} token the one of the newest greeting, good for the next connection */
  keep(token) {
    this.#resume = token;
  }

  /**
   * What to connect with. A token is given once only: sent twice it would pass for a copy.
   * @returns {Promise<{table: string, resume: string} | {table: string, ticket: string}>} rejected with RequestError
   */
  async present() {
    const [table, resume] = [this.table, this.#resume];
    this.#resume = "";
    this.isResuming = resume !== "";
    return resume ? { table, resume } : { table, ticket: await this.#ticket() };
  }

  async #ticket() {
    const { ticket } = await requestJson(this.ask, `${this.url}/api/tables/${this.table}/tickets`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.key}` },
    });
    return /** @type {string} */ (ticket);
  }
}

/**
 * The server's answer to a request over HTTP, as JSON.
 * @param {typeof fetch} ask
 * @param {string} url
 * @param {RequestInit} request
 * @returns {Promise<any>} rejected with RequestError where the server refuses
 */
export async function requestJson(ask, url, request) {
  const answer = await ask(url, request);
  if (answer.status === 204) return null;
  const body = await answer.json();
  if (!answer.ok) throw new RequestError(body.error);
  return body;
}

/**
 * @param {string} fragment like "#table=ID&join=SECRET"
 * @returns {{table: string, invitation: string} | null} null where a part is missing
 */
export function readInvitation(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const [table, invitation] = [parts.get("table"), parts.get("join")];
  return table && invitation ? { table, invitation } : null;
}

/**
 * @param {string} fragment like "#table=ID&key=KEY"
 * @returns {{table: string, key: string} | null} null where a part is missing
 */
export function readLink(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const [table, key] = [parts.get("table"), parts.get("key")];
  return table && key ? { table, key } : null;
}
