/** The link that lets a seat in: the table and its key stand after the #, so no server log ever holds them. */

/**
 * @param {string} fragment like "#table=ID&join=SECRET"
 * @returns {{table: string, invitation: string} | null} null where a part is missing
 */
export function readInvitation(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const [table, invitation] = [parts.get("table"), parts.get("join")];
  return table && invitation ? { table, invitation } : null;
}

/**
 * @param {string} fragment like "#table=ID&key=KEY"
 * @returns {{table: string, key: string} | null} null where a part is missing
 */
export function readLink(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const [table, key] = [parts.get("table"), parts.get("key")];
  return table && key ? { table, key } : null;
}
