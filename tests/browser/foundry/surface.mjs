// What the module declares of Foundry, read from its ambient type file: each interface's members, and which
// of them only some versions have.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FILE = new URL("../../../plugin_manifest/scripts/foundry/foundry.d.ts", import.meta.url);
const HEAD = /^ {2}(?:interface|class) (\w+)(?:<\w+>)?(?: extends (\w+))?/;
const MEMBER = /^ {4}(?:static |protected |readonly )*(\w+)(\?)?[(:<]/;

/** @returns {Record<string, Record<string, "always" | "sometimes">>} members by interface, inherited ones too */
export function declaredSurface(text = readFileSync(fileURLToPath(FILE), "utf8")) {
  const surface = {};
  let members = null;
  for (const line of text.split("\n")) {
    const head = line.match(HEAD);
    if (head) members = surface[head[1]] = { ...surface[head[2]] };
    else if (line === "  }") members = null;
    const member = members && line.match(MEMBER);
    if (member) members[member[1]] = member[2] ? "sometimes" : "always";
  }
  return surface;
}
