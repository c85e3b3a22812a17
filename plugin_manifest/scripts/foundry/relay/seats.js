/**
 * Players' own seats, which the GM's page asks of the server for those who come by the relay. Their keys stay in
 * this browser.
 */

import { localize } from "../../core/ui/i18n.js";
import { relaySeats, saveRelaySeats } from "../preferences.js";

/** @import {Link} from "../../../types/page.js" */

const INVITATION_HOURS = 1;

/** The seats of one table's players. */
export class Seats {
  /** @param {Link} link the GM's own @param {() => Set<string>} tokens the ids of those that the table knows */
  constructor(link, tokens) {
    this.link = link;
    this.tokens = tokens;
  }

  /**
   * A user's seat, made where there is none yet; the tokens that are the user's in Foundry are at the table too.
   * @param {string} id
   * @returns {Promise<Link>} rejected where the server gives none
   */
  async of(id) {
    const user = game.users.get(id);
    if (!user || user.isGM) throw new Error(localize("Relay.NoSeat"));
    const kept = relaySeats()[`${this.link.table} ${id}`];
    const seat = kept && (await this.#isGood(kept)) ? kept : await this.#made(user);
    await this.#approve(seat.seat, user);
    return { ...this.link, key: seat.key };
  }

  /** @param {{key: string}} kept @returns {Promise<boolean>} whether the server still knows the key */
  async #isGood({ key }) {
    return (await fetch(this.#address("seat"), { headers: { Authorization: `Bearer ${key}` } })).ok;
  }

  /** @param {Foundry.User} user */
  async #made({ id, name }) {
    const { secret } = await this.#post("invitations", { role: "player", hours: INVITATION_HOURS });
    const { seat, key } = await this.#post("seats", { invitation: secret, name });
    await saveRelaySeats({ ...relaySeats(), [`${this.link.table} ${id}`]: { seat, key } });
    return { seat, key };
  }

  /** @param {string} seat @param {Foundry.User} user */
  async #approve(seat, user) {
    const own = canvas.scene?.tokens.filter((token) => token.testUserPermission(user, "OWNER")) ?? [];
    const known = this.tokens();
    const tokens = own.map(({ id }) => id).filter((id) => known.has(id));
    await this.#post(`seats/${encodeURIComponent(seat)}/approve`, { tokens });
  }

  /** @param {string} path */
  #address(path) {
    return `${this.link.url}/api/tables/${encodeURIComponent(this.link.table)}/${path}`;
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  async #post(path, body) {
    const headers = { Authorization: `Bearer ${this.link.key}`, "Content-Type": "application/json" };
    const answer = await fetch(this.#address(path), { method: "POST", headers, body: JSON.stringify(body) });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(said.error?.sentence ?? localize("Relay.NoSeat"));
    return said;
  }
}
