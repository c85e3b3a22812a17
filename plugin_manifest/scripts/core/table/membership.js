/** A table's members over HTTP: players join with an invitation, the GM invites, approves and removes them. */

import { requestJson } from "./credentials.js";

/** @import {NewInvitation} from "../../../types/contract.js" */
/** @import {Link} from "../../../types/page.js" */

/**
 * Requests about one table's members, with the rights of `link.key`. All are rejected with RequestError if
 * refused.
 */
export class Membership {
  /**
   * @param {Link} link
   * @param {typeof fetch} [fetcher]
   */
  constructor(link, fetcher = (...request) => fetch(...request)) {
    this.link = link;
    this.fetcher = fetcher;
  }

  /**
   * Request a seat.
   * @param {string} invitation its secret
   * @param {string} name
   * @returns {Promise<{seat: string, key: string, seated: boolean}>}
   */
  join(invitation, name) {
    return this.#request("POST", "seats", { invitation, name });
  }

  /** Return this key's own seat. @returns {Promise<{seat: string, name: string, seated: boolean}>} */
  own() {
    return this.#request("GET", "seat");
  }

  /**
   * @param {"player" | "spectator"} role
   * @returns {Promise<NewInvitation>} with its secret, which the server returns only once
   */
  invite(role) {
    return this.#request("POST", "invitations", { role });
  }

  /** Revoke an invitation and remove every member who joined with it. @param {string} invitation */
  revokeInvitation(invitation) {
    return this.#request("DELETE", `invitations/${invitation}`);
  }

  /** Approve a waiting player and assign tokens. @param {string} seat @param {string[]} tokens */
  approve(seat, tokens) {
    return this.#request("POST", `seats/${seat}/approve`, { tokens });
  }

  /**
   * Replace the key of the GM's or the spectators' link.
   * @param {"gm" | "spectator"} role
   * @returns {Promise<{role: string, key: string}>} the new key, which the server returns only once
   */
  replaceKey(role) {
    return this.#request("POST", "keys", { role });
  }

  /** Remove a member, or decline a waiting one. @param {string} seat */
  removeSeat(seat) {
    return this.#request("DELETE", `seats/${seat}`);
  }

  /** @param {string} method @param {string} path @param {object} [body] */
  #request(method, path, body) {
    const { url, table, key } = this.link;
    const headers = {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(body ? { "Content-Type": "application/json" } : {}),
    };
    return requestJson(this.fetcher, `${url}/api/tables/${encodeURIComponent(table)}/${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }
}
