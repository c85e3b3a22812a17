/** The parts of a connected page of a tabletop: the client, the seat that draws, and for a GM the bridge. */

import { io } from "../../vendor/socket.io.esm.min.js";
import { Connection, randomHex } from "../core/table/connection.js";
import { TableClient } from "../core/table/table-client.js";
import { localize } from "../core/ui/i18n.js";
import { SceneBridge, isFromTabletop } from "./bridge.js";
import { MissedEntries } from "./missed-entries.js";
import { PendingWrites } from "./pending-writes.js";
import { TabletopSeat } from "./seat.js";
import { SharedPending } from "./shared-pending.js";
import { WriteDecisions } from "./write-decisions.js";
import { TabletopWriter } from "./writer.js";

/** @import {LogEntry} from "../../types/contract.js" */
/** @import {ConnectionState, Link} from "../../types/page.js" */
/** @import {Tabletop} from "./tabletop.js" */
/** @import {Write} from "./writes.js" */

/** Connects a tabletop to a table, until it is closed. */
export class LivePage {
  /** @type {ConnectionState} */
  state = "connecting";
  /** @type {() => void} */
  #unwatch;
  /** @type {SharedPending} */
  #shared;

  /**
   * @param {Link} link
   * @param {Tabletop} tabletop
   * @param {{draws?: boolean, bridges?: boolean, onState?: (state: ConnectionState, sentence: string) => void}} [options]
   */
  constructor(link, tabletop, { draws = true, bridges = true, onState = () => {} } = {}) {
    this.tabletop = tabletop;
    this.client = new TableClient(link, (handlers) => new Connection({ open: io, ...link, ...handlers }));
    this.seat = new TabletopSeat(this.client, tabletop, { draws });
    this.pending = new PendingWrites({
      onAccept: (writes) => (this.#isBridge() ? this.writer.accept(writes) : this.#shared.accept(writes)),
      onDecline: (writes) => (this.#isBridge() ? this.#decline(writes) : this.#shared.decline()),
    });
    this.decisions = new WriteDecisions(link.table, this.pending);
    const tell = (/** @type {string} */ name, /** @type {string} */ reason) =>
      this.#tellNotWritten(name, reason);
    this.writer = new TabletopWriter(this.client, tabletop, tell, this.decisions);
    this.bridge = bridges ? new SceneBridge(this.client, tabletop, randomHex(), this.writer) : null;
    this.client.on("connection", (state, sentence) => {
      if (state !== this.state) onState(state, sentence);
      this.state = state;
    });
    this.#shared = new SharedPending(link.table, this.pending, this.#isBridge);
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
    this.#shared.close();
    this.bridge?.close();
    this.seat.close();
    this.client.close();
  }

  #isBridge = () => this.bridge !== null && this.bridge.lease !== null;

  /** Has the table take the places of tokens that the GM has left where they are. @param {Write[]} writes */
  #decline(writes) {
    for (const token of this.decisions.decline(writes)) this.bridge?.compare(token);
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
    bridge.on("lease", (isHeld) => {
      if (!isHeld) return;
      this.decisions.held.reload();
      take(missed.entries());
      this.writer.write({ tokens: this.decisions.heldTokens(), doors: new Set() }); // asks again
    });
    let asked = 0;
    this.pending.subscribe(() => {
      const { length } = this.pending.list;
      if (length > asked && bridge.lease !== null) this.tabletop.notify(localize("Tabletop.Asks"), "info");
      asked = length;
    });
    const tellUnfit = (/** @type {string} */ names) =>
      this.tabletop.notify(localize("Tabletop.UnfitTokens", { names }), "error");
    bridge.on("synced", (unfit) => {
      if (unfit.length) tellUnfit(unfit.map(({ name }) => name).join(", "));
    });
    bridge.on("refused", (token, { sentence, fields = {} }) => {
      const name = bridge.scene?.tokens.find(({ id }) => id === token)?.name ?? "";
      if (Object.keys(fields).some((path) => path.startsWith("token.profile"))) tellUnfit(name);
      else this.tabletop.notify(localize("bridge.refused", { name, sentence }), "error");
      this.writer.putBack(token).then(() => bridge.recheck(token));
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
