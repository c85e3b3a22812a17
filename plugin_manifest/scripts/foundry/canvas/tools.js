/** The module's tools among Foundry's scene controls, in the shape that each version has. */

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} title a key of the words
 * @property {string} icon
 * @property {boolean} [toggle] stays pressed; else it does one thing
 * @property {boolean} [active]
 * @property {(isActive: boolean) => void} does
 */

const ORDER = 100;

/**
 * Adds tools to the token controls.
 * @param {Foundry.SceneControls} controls 12: an array of groups; 13 and later: a record
 * @param {Tool[]} tools
 */
export function addTools(controls, tools) {
  if (Array.isArray(controls)) {
    const group = controls.find(({ name }) => name === "token");
    group?.tools.push(...tools.map(asIn12));
  } else
    tools.forEach((tool, i) => {
      controls.tokens.tools[tool.name] = asIn13(tool, ORDER + i);
    });
}

/** @param {Tool} tool @returns {Foundry.ControlTool} */
const asIn12 = ({ does, ...tool }) => ({ ...tool, ...kindOf(tool), onClick: does });

/** @param {Tool} tool @param {number} order @returns {Foundry.ControlTool} */
const asIn13 = ({ does, ...tool }, order) => ({
  ...tool,
  ...kindOf(tool),
  order,
  onChange: (_, isActive) => does(isActive),
});

/** @param {Pick<Tool, "toggle">} tool */
const kindOf = ({ toggle = false }) => ({ toggle, button: !toggle });
