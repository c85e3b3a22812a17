// Objects that offer the members of their declared interface and throw at any other.

let surface = {};
let rules = null;

/**
 * Sets the declared members by interface, and the strict rules: null for all, else the names of those that count.
 * The mutation run leaves one at a time; rules.mjs names them with their sources.
 */
export function declare(declared, strictRules = null) {
  surface = declared;
  rules = strictRules && new Set(strictRules);
}

/** Tells whether a strict rule counts on this page. */
export const isStrict = (rule) => !rules || rules.has(rule);

/**
 * The object as the module may see it. `fallback` gives members that the object itself lacks.
 * Symbols pass: the host keeps its own affairs under them.
 */
export function strict(name, target, fallback = () => undefined) {
  const members = surface[name];
  if (!members) throw new Error(`The interface ${name} is not declared`);
  return new Proxy(target, {
    get(_, key, self) {
      if (typeof key === "symbol" || key === "then" || key === "constructor")
        return Reflect.get(target, key, self);
      if (!members[key]) throw new Error(`${name}.${key} is not declared in foundry.d.ts`);
      if (members[key] === "absent" && isStrict("generation")) return undefined;
      const value = key in target ? Reflect.get(target, key, self) : fallback(target, key);
      if (value === undefined && members[key] === "always")
        throw new Error(`The stand-in host has no ${name}.${key}`);
      return value;
    },
    set(_, key, value) {
      if (typeof key !== "symbol" && !members[key])
        throw new Error(`${name}.${key} is not declared in foundry.d.ts`);
      target[key] = value;
      return true;
    },
  });
}
