// What the module declares of Foundry, read from its ambient type file: each interface's members, the generations that
// have them, and the public source of that knowledge.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FILE = new URL("../../../plugin_manifest/scripts/foundry/foundry.d.ts", import.meta.url);
const HEAD = /^ {2}(?:interface|class) (\w+)(?:<\w+>)?(?: extends (\w+))?/;
const MEMBER = /^ {4}(?:static |protected |readonly )*(\w+)(\?)?[(:<]/;
const SOURCE = /@source (.+?)(?: \*\/)?$/;
/** The generations and the source of one member, behind it. */
const OWN = /\/\/ (1[2-4])-(1[2-4]): (.+)$/;
const ALL = [12, 14];

/**
 * Returns the declared members in order.
 * @returns {{owner: string, base: string, name: string, isOptional: boolean, generations: number[], source: string}[]}
 */
export function declaredMembers(text = readFileSync(fileURLToPath(FILE), "utf8")) {
  const rows = [];
  let source = "";
  let owner = null;
  for (const line of text.split("\n")) {
    source = owner ? source : (line.match(SOURCE)?.[1] ?? source);
    const head = line.match(HEAD);
    if (head) owner = { name: head[1], base: head[2] ?? "", source };
    const member = owner && line.match(MEMBER);
    if (member) rows.push(row(owner, member, line.match(OWN)));
    if (line === "  }") [owner, source] = [null, ""];
  }
  return rows;
}

function row(owner, [, name, optional], own) {
  const generations = own ? [Number(own[1]), Number(own[2])] : ALL;
  const source = own?.[3] ?? owner.source;
  return { owner: owner.name, base: owner.base, name, isOptional: Boolean(optional), generations, source };
}

/**
 * Returns the members by interface, inherited ones too, as one generation has them: "absent" members are declared for
 * other generations only.
 * @param {number} generation
 * @returns {Record<string, Record<string, "always" | "sometimes" | "absent">>}
 */
export function declaredSurface(generation, text = undefined) {
  const surface = {};
  for (const { owner, base, name, isOptional, generations } of declaredMembers(text)) {
    const members = (surface[owner] ??= { ...surface[base] });
    const isThere = generation >= generations[0] && generation <= generations[1];
    members[name] = isThere ? (isOptional ? "sometimes" : "always") : "absent";
  }
  return surface;
}
