/** The relay in Foundry: whose page serves, whose asks, and the module's channel between them. */

import { MODULE } from "../settings.js";
import { RelayLine } from "./guest.js";
import { RelayHost } from "./host.js";
import { Post } from "./post.js";
import { Seats } from "./seats.js";

/** @import {TableConnection, ConnectionHandlers, Link} from "../../../types/page.js" */
/** @import {TableClient} from "../../core/table/table-client.js" */
/** @import {Envelope} from "./post.js" */

const CHANNEL = `module.${MODULE}`;
/** From this version on Foundry sends a module's message to one user alone. */
const KNOWS_RECIPIENTS = 13;

/** This page's part in the relay: the GM's page that speaks for the world serves, players' pages ask. */
export class Relaying {
  /** @type {RelayLine | null} */
  #line = null;
  /** @type {RelayHost | null} */
  #host = null;

  /** @param {(link: Link) => (ends: ConnectionHandlers) => TableConnection} lineTo */
  constructor(lineTo) {
    const carrier = {
      me: game.user.id,
      isAlone: game.release.generation >= KNOWS_RECIPIENTS,
      emit: (/** @type {Envelope} */ envelope) =>
        game.socket.emit(CHANNEL, envelope, { recipients: [envelope.to] }),
    };
    const askAgain = (/** @type {string} */ sender) => sender === hostId() && this.#line?.open();
    this.post = new Post(carrier, (letter, sender) => this.#take(letter, sender), askAgain);
    this.lineTo = lineTo;
    game.socket.on(CHANNEL, (envelope, sender) => this.#isConcerned() && this.post.hear(envelope, sender));
    Hooks.on("userConnected", (user, isHere) => !isHere && this.#gone(user));
  }

  /**
   * Begins to serve players, or ends it, as this page speaks for the world or not.
   * @param {TableClient | null} line
   */
  serve(line) {
    this.#host?.closeAll();
    const known = () => new Set(line?.replica?.scene.tokens.map(({ id }) => id));
    const seats = line && new Seats(line.link, known);
    this.#host =
      seats && new RelayHost(this.post, async (user, ends) => this.lineTo(await seats.of(user))(ends));
    const players = line ? game.users.filter(({ isGM, active }) => !isGM && active) : [];
    for (const { id } of players) this.post.send(id, { relay: "here" });
  }

  /** A player's line by way of the GM's page. @param {ConnectionHandlers} ends @returns {TableConnection} */
  open(ends) {
    this.#line = new RelayLine(this.post, hostId, ends);
    return this.#line;
  }

  #isConcerned = () => this.#host !== null || this.#line !== null;

  /** @param {any} letter @param {string} sender */
  #take(letter, sender) {
    if (this.#host) this.#host.hear(letter, sender);
    else if (letter?.relay === "here" && sender === hostId()) this.#line?.open();
    else this.#line?.hear(letter, sender);
  }

  /** @param {Foundry.User} user */
  #gone({ id, isGM }) {
    this.post.forget(id);
    this.#host?.close(id);
    if (isGM && !hostId()) this.#line?.lose();
  }
}

/** @returns {string | null} the user whose page speaks for the world */
const hostId = () => game.users.activeGM?.id ?? null;
