// Prints the members of Foundry that the module touches, with their generations and public sources, as Markdown:
// `make foundry-facts` writes it to docs/foundry-api.md. Fails if a member has no source.

import { declaredMembers } from "./surface.mjs";
import { RULES } from "./rules.mjs";

const HEAD = `# What the module uses of Foundry

Printed from the module's declarations (\`plugin_manifest/scripts/foundry/foundry.d.ts\`) by \`make foundry-facts\`. The module
uses no member that is missing here: the stand-in of Foundry in the browser tests throws at any other.
D12, D13 and D14 are the public API references of those generations at foundryvtt.com/api. I# is an issue of
foundryvtt/foundryvtt. C is the code of a public module or system.

The module has not yet run on a licensed Foundry; [a self-check](foundry-selfcheck.md) takes two minutes.
`;

/** Returns the page. */
export function factsPage() {
  const rows = declaredMembers();
  const without = rows.filter(({ source }) => !source).map(({ owner, name }) => `${owner}.${name}`);
  if (without.length) throw new Error(`No public source: ${without.join(", ")}`);
  const span = ([first, last]) => (first === last ? `${first}` : `${first} to ${last}`);
  const groups = new Map();
  for (const { owner, name, generations, source } of rows) {
    const key = `${owner}|${span(generations)}|${source}`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const lines = [...groups].map(([key, members]) => {
    const [owner, generations, source] = key.split("|");
    return `| ${owner} | ${members.map((name) => `\`${name}\``).join(" ")} | ${generations} | ${source} |`;
  });
  const rules = RULES.map(({ name, says, source }) => `| \`${name}\` | ${says} | ${source} |`);
  return [
    HEAD,
    "| Interface | Members | Generations | Source |\n| --- | --- | --- | --- |",
    ...lines,
    "\n## Strict rules of the stand-in\n\nThe module of before these rules fails each of them: `make foundry-mutants`.\n",
    "| Rule | What Foundry does | Source |\n| --- | --- | --- |",
    ...rules,
    "",
  ].join("\n");
}

if (import.meta.url === `file://${process.argv[1]}`) process.stdout.write(factsPage());
