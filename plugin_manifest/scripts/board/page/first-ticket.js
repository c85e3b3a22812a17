/**
 * The seat that the page's address names, and the ticket for its first connection. This is a program of its own
 * (`vendor/first-ticket.js`), which the browser runs as soon as it has these few lines: the server answers while the page's
 * large program is still being read.
 */

import { TICKET_MS, readLink, requestTicket } from "../../core/table/credentials.js";
import { knownTable } from "../start/my-tables.js";

/** @import {Ticket} from "../../core/table/credentials.js" */

const known = readLink(location.hash) ?? knownTable(location.hash);

/** The table and the key of the page's address; null if it names none that this browser knows. */
export const seat = known && { table: known.table, key: known.key };

const requested = seat && requestTicket((...request) => fetch(...request), location.origin, seat);
const answered = requested?.then(
  (ticket) => ({ ticket, at: performance.now() }),
  () => null,
);

/**
 * Return the ticket; null for a seat that waits for the GM, without an answer from the server, and if the program took so
 * long to load that the ticket is no longer valid.
 * @returns {Promise<Ticket | null>}
 */
export async function firstTicket() {
  const answer = await answered;
  return answer && performance.now() - answer.at < TICKET_MS ? answer.ticket : null;
}
