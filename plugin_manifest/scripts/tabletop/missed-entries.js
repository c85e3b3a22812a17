/** The entries that came while no page of the GM was there to write them into the tabletop. */

/** @import {LogEntry} from "../../types/contract.js" */
/** @import {TableClient} from "../core/table/table-client.js" */

/** Remembers in this browser which entry was written last. */
export class MissedEntries {
  /** @param {TableClient} client */
  constructor(client) {
    this.client = client;
    this.name = `enfilade.written.${client.link.table}`;
  }

  /** @returns {LogEntry[]} those after the last one; none at a table that this browser has not written before */
  entries() {
    const { replica } = this.client;
    const saved = this.#read();
    if (!replica || saved?.epoch !== replica.epoch) return [];
    return replica.log.filter(({ seq }) => seq > saved.seq);
  }

  /** Remembers that everything so far is written. */
  done() {
    const { replica } = this.client;
    if (!replica) return;
    try {
      localStorage.setItem(this.name, JSON.stringify({ epoch: replica.epoch, seq: replica.seq }));
    } catch {
      // A browser that keeps nothing for this page: the tabletop's places count after a reload.
    }
  }

  /** @returns {{epoch: string, seq: number} | null} */
  #read() {
    try {
      const { epoch, seq } = JSON.parse(localStorage.getItem(this.name) ?? "null") ?? {};
      return typeof epoch === "string" && Number.isInteger(seq) ? { epoch, seq } : null;
    } catch {
      return null;
    }
  }
}
