/** Who comes to a table, over HTTP: what an invited person asks, and what the game master answers. */

import { requestJson } from "./credentials.js";

/** @import {Invitation} from "../../../types/contract.js" */
/** @import {Link} from "../../../types/page.js" */

/** One table's seats, as whoever holds `link.key` may ask about them. */
export class Seats {
  /**
   * @param {Link} link
   * @param {typeof fetch} [ask]
   */
  constructor(link, ask = (...request) => fetch(...request)) {
    this.link = link;
    this.ask = ask;
  }

  /**
   * Comes by an invitation.
   * @param {string} invitation its secret
   * @param {string} name
   * @returns {Promise<{seat: string, key: string, seated: boolean}>} rejected with RequestError
   */
  join(invitation, name) {
    return this.#send("POST", "seats", { invitation, name });
  }

  /** @returns {Promise<{seat: string, name: string, seated: boolean}>} this key's own seat; rejected with RequestError */
  own() {
    return this.#send("GET", "seat");
  }

  /** @param {"player" | "spectator"} role @returns {Promise<Invitation>} with its secret, told once */
  invite(role) {
    return this.#send("POST", "invitations", { role });
  }

  /** @param {string} invitation takes it back, with everybody who came by it */
  withdraw(invitation) {
    return this.#send("DELETE", `invitations/${invitation}`);
  }

  /** @param {string} seat @param {string[]} tokens lets somebody in who waits, and gives them tokens */
  approve(seat, tokens) {
    return this.#send("POST", `seats/${seat}/approve`, { tokens });
  }

  /** @param {string} seat refuses one who waits, or takes a seat away */
  dismiss(seat) {
    return this.#send("DELETE", `seats/${seat}`);
  }

  /** @param {string} method @param {string} path @param {object} [body] */
  #send(method, path, body) {
    const { url, table, key } = this.link;
    const headers = {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(body ? { "Content-Type": "application/json" } : {}),
    };
    return requestJson(this.ask, `${url}/api/tables/${encodeURIComponent(table)}/${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }
}
