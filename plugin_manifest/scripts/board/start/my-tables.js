/** The tables that this browser has opened, kept in its storage with their links. */

const KEY = "enfilade.tables";
const MAX_TABLES = 30;

/** @typedef {{table: string, key: string, name: string, game: string, role: string}} KnownTable */

/** Return the tables, the last opened first. @returns {KnownTable[]} */
export function myTables() {
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(known) ? known.filter(({ table, key }) => table && key) : [];
  } catch {
    return []; // the browser denies its storage, or another page wrote something else
  }
}

/**
 * Return the table of a link without a key, such as one to a moment, if this browser has it.
 * @param {string} fragment like "#table=ID&at=7"
 * @returns {KnownTable | null}
 */
export function knownTable(fragment) {
  const table = new URLSearchParams(fragment.replace(/^#/, "")).get("table");
  const found = myTables().find((known) => known.table === table);
  return found && !fragment.includes("join=") ? found : null;
}

/** Note a table as the last opened. @param {KnownTable} table */
export function rememberTable(table) {
  const others = myTables().filter((other) => other.table !== table.table || other.key !== table.key);
  save([table, ...others].slice(0, MAX_TABLES));
}

/** Forget a table; the table itself stays. @param {KnownTable} table */
export function forgetTable({ table, key }) {
  save(myTables().filter((other) => other.table !== table || other.key !== key));
}

/** @param {KnownTable[]} tables */
function save(tables) {
  try {
    localStorage.setItem(KEY, JSON.stringify(tables));
  } catch {
    // without storage the links in bookmarks still work
  }
}

/** Return the address of a table. @param {{table: string, key: string}} seat */
export const addressOf = ({ table, key }) => `/board/#table=${table}&key=${key}`;
