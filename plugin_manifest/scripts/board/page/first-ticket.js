/**
 * The seat that the page's address names, and the ticket for its first connection. This is a program of its own
 * (`vendor/first-ticket.js`), which the browser runs as soon as it has these few lines: the server answers while the page's
 * large program is still being read.
 */

import { readLink, requestTicket } from "../../core/table/credentials.js";
import { knownTable } from "../start/my-tables.js";

/** @import {Ticket} from "../../core/table/credentials.js" */

const known = readLink(location.hash) ?? knownTable(location.hash);

/** The table and the key of the page's address; null if it names none that this browser knows. */
export const seat = known && { table: known.table, key: known.key };

/** The ticket of the seat; null for one that waits for the GM, or if the server does not answer. @type {Promise<Ticket | null>} */
export const ticket = seat
  ? requestTicket((...request) => fetch(...request), location.origin, seat).catch(() => null)
  : Promise.resolve(null);
