/**
 * Seats that the GM's page requests from the server for relayed players. Their keys stay in the GM's browser; the world
 * keeps which seat is whose, so that a player has the same one through every GM's page.
 */

import { randomHex } from "../../core/table/connection.js";
import { localize } from "../../core/ui/i18n.js";
import { tableScene } from "../read/table-scene.js";
import { playerSeats, savePlayerSeats } from "../settings.js";
import { relaySeats, saveRelaySeats } from "../user-store.js";

/** @import {Link} from "../../../types/page.js" */

const INVITATION_HOURS = 1;

/** The players' seats at one table. */
export class PlayerSeats {
  /** Each user's seat and the tokens that it has. @type {Map<string, string>} */
  #approved = new Map();
  /** The last seat and link of each user, which may be on their way. @type {Map<string, Promise<{link: Link, seat: string}>>} */
  #given = new Map();

  /** @param {Link} link the GM's own @param {() => Set<string>} tokenIds the tokens that the table knows */
  constructor(link, tokenIds) {
    this.link = link;
    this.tokenIds = tokenIds;
  }

  /**
   * Returns a user's seat and its link; creates the seat if there is none. A user's own tokens in Foundry become
   * the seat's tokens. A page may ask twice at once: the second question waits, and gets the same seat.
   * @param {string} id
   * @returns {Promise<{link: Link, seat: string}>} rejected if the server gives no seat
   */
  linkFor(id) {
    const give = () => this.#give(id);
    const given = (this.#given.get(id) ?? Promise.resolve()).then(give, give);
    this.#given.set(id, given);
    return given;
  }

  /** @param {string} id @returns {Promise<{link: Link, seat: string}>} */
  async #give(id) {
    const user = game.users.get(id);
    if (!user || user.isGM) throw new Error(localize("Relay.NoSeat"));
    const { seat, key } =
      (await this.#savedSeat(user)) ?? (await this.#replaceKey(user)) ?? (await this.#create(user));
    await this.#approve(seat, user);
    return { link: { ...this.link, key }, seat };
  }

  /** @param {{id: string}} user @returns {string} its name in the settings */
  #nameOf = ({ id }) => `${this.link.table} ${id}`;

  /**
   * Returns the seat whose key this browser has; null without one, or if the key is replaced or the seat removed.
   * @param {Foundry.User} user
   */
  async #savedSeat(user) {
    const [saved, known] = [relaySeats()[this.#nameOf(user)], playerSeats()[this.#nameOf(user)]];
    // A key of another number was replaced by another GM's page: the server need not be asked.
    if (!saved || (known && known.number !== saved.number) || !(await this.#isValid(saved))) return null;
    return known ? saved : this.#save(user, saved);
  }

  /** Gets a key of the seat that a user has through another GM's page. @param {Foundry.User} user */
  async #replaceKey(user) {
    const seat = playerSeats()[this.#nameOf(user)]?.seat;
    if (!seat) return null;
    const address = this.#address(`seats/${encodeURIComponent(seat)}/key`);
    const headers = { Authorization: `Bearer ${this.link.key}` };
    const response = await fetch(address, { method: "POST", headers });
    return response.ok ? this.#save(user, { seat, key: (await response.json()).key }) : null; // else it was removed
  }

  /** @param {Foundry.User} user @param {{seat: string, key: string}} own */
  async #save(user, { seat, key }) {
    const number = randomHex();
    await saveRelaySeats({ ...relaySeats(), [this.#nameOf(user)]: { seat, key, number } });
    await savePlayerSeats({ ...playerSeats(), [this.#nameOf(user)]: { seat, number } });
    return { seat, key };
  }

  /** @param {{key: string}} saved @returns {Promise<boolean>} whether the server still knows the key */
  async #isValid({ key }) {
    return (await fetch(this.#address("seat"), { headers: { Authorization: `Bearer ${key}` } })).ok;
  }

  /** @param {Foundry.User} user */
  async #create(user) {
    const { secret } = await this.#post("invitations", { role: "player", hours: INVITATION_HOURS });
    const { seat, key } = await this.#post("seats", { invitation: secret, name: user.name });
    return this.#save(user, { seat, key });
  }

  /** Gives a user's seat the tokens that the user owns by now. @param {string} id */
  async renew(id) {
    const user = game.users.get(id);
    const saved = user && relaySeats()[this.#nameOf(user)];
    if (saved && this.#approved.has(id)) await this.#approve(saved.seat, user);
  }

  /** @param {string} seat @param {Foundry.User} user */
  async #approve(seat, user) {
    const own = tableScene()?.tokens.filter((token) => token.testUserPermission(user, "OWNER")) ?? [];
    const known = this.tokenIds();
    const tokens = own.map(({ id }) => id).filter((id) => known.has(id));
    const version = [seat, ...tokens.toSorted()].join(" ");
    if (this.#approved.get(user.id) === version) return;
    this.#approved.set(user.id, version);
    await this.#post(`seats/${encodeURIComponent(seat)}/approve`, { tokens }).catch((problem) => {
      this.#approved.delete(user.id);
      throw problem;
    });
  }

  /** @param {string} path */
  #address(path) {
    return `${this.link.url}/api/tables/${encodeURIComponent(this.link.table)}/${path}`;
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  async #post(path, body) {
    const headers = { Authorization: `Bearer ${this.link.key}`, "Content-Type": "application/json" };
    const response = await fetch(this.#address(path), {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error?.sentence ?? localize("Relay.NoSeat"));
    return answer;
  }
}
