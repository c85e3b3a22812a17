/** The parts of a connected page of a tabletop: the client, the seat that draws, and for a GM the bridge. */

import { io } from "../../vendor/socket.io.esm.min.js";
import { Connection, randomHex } from "../core/table/connection.js";
import { TableClient } from "../core/table/table-client.js";
import { localize } from "../core/ui/i18n.js";
import { SceneBridge, isFromTabletop } from "./bridge.js";
import { MissedEntries } from "./missed-entries.js";
import { TabletopSeat } from "./seat.js";
import { TabletopWriter } from "./writer.js";

/** @import {LogEntry} from "../../types/contract.js" */
/** @import {ConnectionState, Link} from "../../types/page.js" */
/** @import {Tabletop} from "./tabletop.js" */

/** Connects a tabletop to a table, until it is closed. */
export class LivePage {
  /** @type {ConnectionState} */
  state = "connecting";
  /** @type {() => void} */
  #unwatch;

  /**
   * @param {Link} link
   * @param {Tabletop} tabletop
   * @param {{draws?: boolean, bridges?: boolean, onState?: (state: ConnectionState, sentence: string) => void}} [options]
   */
  constructor(link, tabletop, { draws = true, bridges = true, onState = () => {} } = {}) {
    this.tabletop = tabletop;
    this.client = new TableClient(link, (handlers) => new Connection({ open: io, ...link, ...handlers }));
    this.seat = new TabletopSeat(this.client, tabletop, { draws });
    this.writer = new TabletopWriter(this.client, tabletop, (name, reason) =>
      this.#tellNotWritten(name, reason),
    );
    this.bridge = bridges ? new SceneBridge(this.client, tabletop, randomHex(), this.writer) : null;
    this.client.on("connection", (state, sentence) => {
      if (state !== this.state) onState(state, sentence);
      this.state = state;
    });
    if (this.bridge) this.#write(this.bridge);
    this.#unwatch = tabletop.watch({
      changed: () => {
        this.seat.changed();
        this.bridge?.changed();
      },
      selection: (ids) => this.seat.select(ids),
      hover: (id) => this.seat.point(id),
    });
  }

  close() {
    this.#unwatch();
    this.bridge?.close();
    this.seat.close();
    this.client.close();
  }

  /** @param {SceneBridge} bridge */
  #write(bridge) {
    const missed = new MissedEntries(this.client);
    const take = (/** @type {LogEntry[]} */ entries) => {
      if (bridge.lease === null) return;
      const foreign = entries.filter((entry) => !isFromTabletop(entry));
      this.writer.writeEntries(foreign).then(() => missed.done());
    };
    this.client.on("entries", take);
    this.client.on("snapshot", () => take(missed.entries()));
    bridge.on("lease", (isHeld) => isHeld && take(missed.entries()));
    bridge.on("synced", (unfit) => {
      const names = unfit.map(({ name }) => name).join(", ");
      if (names) this.tabletop.notify(localize("bridge.unfit", { names }), "error");
    });
    bridge.on("refused", (token, { sentence }) => {
      const name = bridge.scene?.tokens.find(({ id }) => id === token)?.name ?? "";
      this.tabletop.notify(localize("bridge.refused", { name, sentence }), "error");
      this.writer.write({ tokens: new Set([token]), doors: new Set() }).then(() => bridge.recheck(token));
    });
    let failed = /** @type {string | null} */ (null);
    bridge.on("failed", (sentence) => {
      if (sentence && sentence !== failed)
        this.tabletop.notify(localize("bridge.failed", { sentence }), "error");
      failed = sentence;
    });
  }

  /** @param {string} name @param {string} reason */
  #tellNotWritten(name, reason) {
    this.tabletop.notify(localize("Tabletop.NotWritten", { name, reason }), "error");
  }
}
