// Document changes as plain data, for the world and for every page.

const EMBEDDED = {
  Token: ["Scene", "tokens"],
  Wall: ["Scene", "walls"],
  Region: ["Scene", "regions"],
  MeasuredTemplate: ["Scene", "templates"],
  Level: ["Scene", "levels"],
  Combatant: ["Combat", "combatants"],
  Item: ["Actor", "items"],
  ActiveEffect: ["Actor", "effects"],
  // The changes that an unlinked token has of its actor, by the token's ID.
  ActorDelta: ["Scene", "tokens"],
};
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Returns a new document ID: 16 letters and digits. */
export function freshId() {
  return Array.from({ length: 16 }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join("");
}

/** Returns the list of documents of a type; `parent` is the ID of the document that embeds them. */
export function listOf(state, type, parent) {
  const [outer, field] = EMBEDDED[type] ?? [];
  if (!outer) return state[type];
  const holder = state[outer].find((one) => one._id === parent);
  holder[field] ??= [];
  return holder[field];
}

/** Applies a change: `rows` are sources to create, changes with their `_id`, or IDs to delete. */
export function applied(state, { action, type, parent, rows }) {
  const list = listOf(state, type, parent);
  if (action === "create") list.push(...rows);
  else if (action === "delete") list.splice(0, list.length, ...list.filter((one) => !rows.includes(one._id)));
  else if (type === "Scene" && rows.some(({ active }) => active))
    for (const one of list) merge(one, rows.find(({ _id }) => _id === one._id) ?? { active: false });
  else if (type === "ActorDelta")
    for (const { _id: id, ...row } of rows)
      merge((list.find(({ _id }) => _id === id).delta ??= {}), expanded(row));
  else for (const row of rows) merge(list.find((one) => one._id === row._id) ?? {}, expanded(row));
}

/** Expands dotted keys into nested objects. */
export function expanded(changes) {
  const whole = {};
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split(".");
    const last = keys.pop();
    const at = keys.reduce((here, key) => (here[key] ??= {}), whole);
    at[last] = isPlain(value) ? merge(at[last] ?? {}, expanded(value)) : value;
  }
  return whole;
}

/** Merges changes into a source; a key with -= removes a field, as in versions 12 and 13. */
export function merge(source, changes) {
  for (const [key, value] of Object.entries(changes)) {
    if (key.startsWith("-=")) delete source[key.slice(2)];
    else if (isPlain(value) && isPlain(source[key])) merge(source[key], value);
    else source[key] = value;
  }
  return source;
}

export function isPlain(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
