/** The relay in Foundry: the GM's bridge page hosts, players' pages are its guests; both use the module's socket. */

import { guarded, onHook } from "../boundary.js";
import { MODULE } from "../settings.js";
import { bridgeHolder } from "../sync/bridge-holder.js";
import { Channel } from "../../tabletop/relay/channel.js";
import { RelayGuest } from "../../tabletop/relay/guest.js";
import { RelayHost } from "../../tabletop/relay/host.js";
import { PlayerSeats } from "./player-seats.js";

/** @import {TableConnection, ConnectionHandlers, Link} from "../../../types/page.js" */
/** @import {TableClient} from "../../core/table/table-client.js" */
/** @import {Envelope} from "../../tabletop/relay/channel.js" */

const SOCKET = `module.${MODULE}`;
/** The first Foundry version that sends a module's message to one user alone. */
const FIRST_WITH_RECIPIENTS = 13;

/** This page's part in the relay. */
export class Relay {
  /** @type {RelayGuest | null} */
  #guest = null;
  /** @type {RelayHost | null} */
  #host = null;
  /** @type {PlayerSeats | null} */
  #seats = null;
  /** The GM whose page has said last that it relays. @type {string | null} */
  #announced = null;

  /** @param {(link: Link) => (handlers: ConnectionHandlers) => TableConnection} connectTo */
  constructor(connectTo) {
    const transport = {
      me: game.user.id,
      hasRecipients: game.release.generation >= FIRST_WITH_RECIPIENTS,
      emit: (/** @type {Envelope} */ envelope) =>
        game.socket.emit(SOCKET, envelope, { recipients: [envelope.to] }),
    };
    this.channel = new Channel(
      transport,
      (message, sender) => this.#receive(message, sender),
      (sender) => sender === this.#hostId() && this.#guest?.open(), // the server sends again what was lost
    );
    this.connectTo = connectTo;
    game.socket.on(
      SOCKET,
      guarded("socket", (envelope, sender) => this.#isActive() && this.channel.receive(envelope, sender)),
    );
    onHook("userConnected", (user, isActive) => !isActive && this.#userLeft(user));
    // A page that loads while another takes over may miss that it says so; the lease in its user's flags comes later.
    onHook("updateUser", () => this.#guest?.hostChanged());
    onHook("updateActor", (_, changes) => "ownership" in changes && this.renewSeats());
  }

  /**
   * Starts to serve players for a client, or stops.
   * @param {TableClient | null} client
   */
  serve(client) {
    this.#host?.closeAll();
    const tokenIds = () => new Set(client?.replica?.scene.tokens.map(({ id }) => id));
    const seats = (this.#seats = client && new PlayerSeats(client.link, tokenIds));
    this.#host =
      seats &&
      new RelayHost(this.channel, async (user, handlersOf) => {
        const { link, seat } = await seats.linkFor(user);
        return { connection: this.connectTo(link)(handlersOf(seat)), seat };
      });
    const players = client ? game.users.filter(({ isGM, active }) => !isGM && active) : [];
    for (const { id } of players) this.channel.send(id, { relay: "here" });
  }

  /** Gives the players' seats the tokens that they own by now: tokens come, and scenes and owners change. */
  async renewSeats() {
    for (const user of this.#host?.users ?? []) await this.#seats?.renew(user);
  }

  /** Connects a player through the GM's page. @param {ConnectionHandlers} handlers @returns {TableConnection} */
  open(handlers) {
    const others = () => {
      const host = this.#hostId();
      return game.users.filter(({ id, isGM, active }) => isGM && active && id !== host).map(({ id }) => id);
    };
    this.#guest = new RelayGuest(this.channel, this.#hostId, handlers, others);
    return this.#guest;
  }

  /** Returns the user whose page relays: the one that said so, else the one that the world names. */
  #hostId = () => {
    if (isConnectedGm(this.#announced)) return this.#announced;
    return (bridgeHolder() ?? game.users.activeGM)?.id ?? null;
  };

  #isActive = () => this.#host !== null || this.#guest !== null;

  /** @param {any} message @param {string} sender */
  #receive(message, sender) {
    if (this.#host) this.#host.receive(message, sender);
    else if (message?.relay === "here" && isConnectedGm(sender)) {
      this.#announced = sender;
      this.#guest?.open();
    } else if (message?.relay === "host" && isConnectedGm(sender)) {
      this.#announced = sender; // the answer to "where": a page that has asked this host already goes on
      this.#guest?.hostChanged();
    } else this.#guest?.receive(message, sender);
  }

  /** @param {Foundry.User} user */
  #userLeft({ id, isGM }) {
    this.channel.forget(id);
    this.#host?.close(id);
    if (isGM) this.#guest?.hostLeft(id);
  }
}

/** @param {string | null} id */
function isConnectedGm(id) {
  const user = id === null ? null : game.users.get(id);
  return Boolean(user?.isGM && user.active);
}
