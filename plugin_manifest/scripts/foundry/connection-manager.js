/** Connects this page to its table: directly, or through the GM's page; with a bridge on a GM's page. */

import { io } from "../../vendor/socket.io.esm.min.js";
import { Connection, randomHex } from "../core/table/connection.js";
import { TableClient } from "../core/table/table-client.js";
import { profileFields } from "../core/ui/schema-form.js";
import { problemsOf } from "./applications/connect-view.js";
import { guarded } from "./boundary.js";
import { noteProtocol } from "./diagnosis-text.js";
import { notifyBridge, notifyConnection } from "./notifications.js";
import {
  doorState,
  hitPointsOf,
  profilesOfActors,
  readLiveScene,
  readLiveTokens,
} from "./read/live-scene.js";
import { keepLevel } from "./read/table-scene.js";
import { serverAddress, usesRelay } from "./settings.js";
import { saveSeat, savedSeat } from "./user-store.js";
import { Relay } from "./socket/relay.js";
import { Bridge } from "./sync/bridge.js";
import { announceLease } from "./sync/bridge-holder.js";
import { FoundryTabletop } from "./tabletop.js";

/** @import {TableConnection, ConnectionHandlers, Link} from "../../types/page.js" */

/** Events that may bring tokens. */
const NEW_TOKENS = new Set(["token_placed", "scene_set"]);

/** @typedef {(manager: ConnectionManager) => void} ConnectListener */

/** @param {Link} link @returns {(handlers: ConnectionHandlers) => TableConnection} */
const connectTo = (link) => (handlers) =>
  new Connection({
    ...{ open: io, ...link, ...handlers },
    onUpdate: (update) => {
      noteProtocol(`received ${update.kind}`);
      handlers.onUpdate(update);
    },
    onState: (state, sentence) => {
      noteProtocol(`connection ${state}`);
      handlers.onState(state, sentence);
    },
  });

/** Holds the page's client and bridge; `connect` replaces both. Other modules reach it as the module's `api`. */
export class ConnectionManager {
  /** @type {TableClient | null} */
  client = null;
  /** @type {Bridge | null} */
  bridge = null;
  /** @type {Relay | null} */
  relay = null;
  /** @type {import("./seat-ui.js").SeatUi | null} */
  seatUi = null;
  tabletop = new FoundryTabletop();
  #page = randomHex();
  /** @type {ConnectListener[]} */
  #listeners = [];

  /**
   * Calls a listener with each new client, before the client receives anything, and when there is none any more.
   * @param {ConnectListener} listener
   */
  onConnect(listener) {
    this.#listeners.push(listener);
  }

  /** Connects with this browser's own seat; without one, a player connects through the GM's page. */
  connect() {
    this.disconnect();
    this.relay ??= new Relay(connectTo);
    const seat = savedSeat();
    if (seat) this.client = this.#directClient({ ...seat, url: serverAddress() });
    else if (!game.user.isGM && usesRelay()) this.client = this.#relayedClient(this.relay);
    if (this.client) this.#notify(this.client);
    if (this.client && seat && game.user.isGM) this.bridge = this.#createBridge(this.client);
    for (const listener of this.#listeners) listener(this);
  }

  /** Forgets this browser's own seat: the page leaves the table, and a player's goes on through the GM's page. */
  async leave() {
    await saveSeat(null);
    this.connect();
  }

  /** @param {TableClient} client */
  #notify(client) {
    const { link } = client;
    notifyConnection(client, async () => (link.url ? problemsOf(link) : [])); // the relay has no address
  }

  /** Closes the client and the bridge. */
  disconnect() {
    this.bridge?.close();
    this.client?.close();
    this.bridge = this.client = null;
  }

  /** @param {Link} link */
  #directClient(link) {
    return new TableClient(link, connectTo(link));
  }

  /** @param {Relay} relay */
  #relayedClient(relay) {
    const link = { url: "", table: "", key: "" };
    return new TableClient(link, (handlers) =>
      relay.open({
        ...handlers,
        onUpdate: (update) => {
          link.table = update.table; // only the GM's page knows it before
          handlers.onUpdate(update);
        },
      }),
    );
  }

  /** @param {TableClient} client */
  #createBridge(client) {
    const rules = () => {
      const { ruleset } = client.replica ?? {};
      return ruleset ? { key: ruleset.key, fields: profileFields(ruleset.profile_schema) } : null;
    };
    const scene = () => guarded("scene", readLiveScene)(rules()) ?? null;
    const tokens = (/** @type {Set<string>} */ ids) => guarded("scene", readLiveTokens)(ids, rules()) ?? null;
    const profilesOf = (/** @type {Set<string>} */ actors) =>
      guarded("scene", profilesOfActors)(actors, rules()) ?? {};
    const world = { scene, tokens, profilesOf, doorState, hitPoints: hitPointsOf };
    const bridge = new Bridge(client, world, this.#page, () => this.tabletop.canBridge());
    announceLease(bridge);
    notifyBridge(bridge);
    bridge.on("synced", guarded("scene", keepLevel));
    const renewSeats = guarded("socket", () => this.relay?.renewSeats());
    client.on("entries", (entries) => {
      if (entries.some(({ events }) => events.some(({ type }) => NEW_TOKENS.has(type)))) renewSeats();
    });
    bridge.on("lease", (isHeld) => this.relay?.serve(isHeld && usesRelay() ? client : null));
    return bridge;
  }
}

/** The page's only connection manager. */
export const manager = new ConnectionManager();
