/** This page's part in the game: its line to the table, and the bridge where it speaks for the world. */

import { io } from "../../vendor/socket.io.esm.min.js";
import { Connection, randomHex } from "../core/table/connection.js";
import { TableClient } from "../core/table/table-client.js";
import { Bridge } from "./bridge/bridge.js";
import { doorState, hitPointsOf, liveScene } from "./read/live.js";
import { isRelayed } from "./preferences.js";
import { Relaying } from "./relay/relaying.js";
import { savedSeat, serverAddress } from "./settings.js";
import { tellOfBridge, tellOfLine } from "./telling.js";

/** @import {TableConnection, ConnectionHandlers, Link} from "../../types/page.js" */

/** @typedef {(companion: Companion) => void} Watcher */

/** @param {Link} link @returns {(ends: ConnectionHandlers) => TableConnection} */
const lineTo = (link) => (ends) => new Connection({ open: io, ...link, ...ends });

/** Holds what connects this page; a new line and bridge with every `connect`. */
export class Companion {
  /** @type {TableClient | null} */
  line = null;
  /** @type {Bridge | null} */
  bridge = null;
  /** @type {Relaying | null} */
  relaying = null;
  /** @type {import("./face.js").Face | null} what the person at this page sees of the table */
  face = null;
  #page = randomHex();
  /** @type {Watcher[]} */
  #watchers = [];

  /**
   * Has a watcher called with every new line, before anything comes over it.
   * @param {Watcher} watcher
   */
  watch(watcher) {
    this.#watchers.push(watcher);
  }

  /** Takes up the line to the table of this world, where this browser has a seat at one. */
  connect() {
    this.disconnect();
    this.relaying ??= new Relaying(lineTo);
    const seat = savedSeat();
    if (seat) this.line = this.#straight({ ...seat, url: serverAddress() });
    else if (!game.user.isGM && isRelayed()) this.line = this.#relayed(this.relaying);
    if (!this.line) return;
    tellOfLine(this.line);
    if (seat && game.user.isGM) this.bridge = this.#bridge(this.line);
    for (const watcher of this.#watchers) watcher(this);
  }

  /** @param {Link} link */
  #straight(link) {
    return new TableClient(link, lineTo(link));
  }

  /** By way of the GM's page, which says which table it is. @param {Relaying} relaying */
  #relayed(relaying) {
    const link = { url: "", table: "", key: "" };
    return new TableClient(link, (ends) =>
      relaying.open({
        ...ends,
        onUpdate: (update) => {
          link.table = update.table;
          ends.onUpdate(update);
        },
      }),
    );
  }

  /** Hangs up. */
  disconnect() {
    this.bridge?.close();
    this.line?.close();
    this.bridge = this.line = null;
  }

  /** @param {TableClient} line */
  #bridge(line) {
    const isMine = () => game.users.activeGM?.isSelf ?? false;
    const bridge = new Bridge(
      line,
      { isMine, scene: liveScene, doorState, hitPoints: hitPointsOf },
      this.#page,
    );
    tellOfBridge(bridge);
    bridge.on("held", (isHeld) => this.relaying?.serve(isHeld && isRelayed() ? line : null));
    return bridge;
  }
}

/** The one of this page. */
export const companion = new Companion();
