/** This page's part in the game: its line to the table, and the bridge where it speaks for the world. */

import { io } from "../../vendor/socket.io.esm.min.js";
import { Connection, freshBytes } from "../core/connection.js";
import { TableLine } from "../core/table-line.js";
import { Bridge } from "./bridge/bridge.js";
import { doorState, liveScene } from "./read/live.js";
import { savedSeat, serverAddress } from "./settings.js";
import { tellOfBridge, tellOfLine } from "./telling.js";

/** @typedef {(companion: Companion) => void} Watcher */

/** Holds what connects this page; a new line and bridge with every `connect`. */
export class Companion {
  /** @type {TableLine | null} */
  line = null;
  /** @type {Bridge | null} */
  bridge = null;
  #page = freshBytes();
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
    const seat = savedSeat();
    if (!seat) return;
    const link = { ...seat, url: serverAddress() };
    this.line = new TableLine(link, (ends) => new Connection({ open: io, ...link, ...ends }));
    tellOfLine(this.line);
    if (game.user.isGM) this.bridge = this.#bridge(this.line);
    for (const watcher of this.#watchers) watcher(this);
  }

  /** Hangs up. */
  disconnect() {
    this.bridge?.close();
    this.line?.close();
    this.bridge = this.line = null;
  }

  /** @param {TableLine} line */
  #bridge(line) {
    const isMine = () => game.users.activeGM?.isSelf ?? false;
    const bridge = new Bridge(line, { isMine, scene: liveScene, doorState }, this.#page);
    tellOfBridge(bridge);
    return bridge;
  }
}

/** The one of this page. */
export const companion = new Companion();
