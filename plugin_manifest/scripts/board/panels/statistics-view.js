/**
 * Statistics as elements, as in the log panel and in the exported page, and as Markdown. The plots are SVG. Each side has
 * its color, its dashes and its shape, and every number of a plot stands in words beside it.
 */

import { SIDES, css, sideStyle } from "../../core/draw/palette.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { shape } from "../page/token-art.js";

/** @import {AttackRecord, BattleStatistics, Scene, Totals} from "../../../types/contract.js" */

const [WIDTH, HEIGHT, EDGE] = [320, 120, 6];
const BAR = { width: 120, height: 14 };
/** A line for each side, in the order of the palette. */
const DASHES = ["", "7 3", "2 3", "10 3 2 3", "5 5", "1 4"];
/** Chances from here on are no luck worth a word. */
const USUAL = 0.25;

/** @typedef {Pick<Scene, "sides" | "tokens">} Parties */

/**
 * @param {BattleStatistics} found
 * @param {Parties} scene
 * @returns {HTMLElement[]}
 */
export function statisticsView(found, scene) {
  if (!found.attacks.length && !found.units.length) return [el("p", {}, localize("Statistics.None"))];
  const indexOf = (/** @type {string} */ side) => scene.sides.findIndex(({ id }) => id === side);
  const sides = found.sides.filter(({ attacks, taken, lost }) => attacks || taken || lost);
  return [
    ...sides.map((side) => sideCard(side, indexOf(side.id))),
    ...(found.attacks.some(({ expected }) => expected !== null)
      ? [luckPlot(found.attacks, sides, indexOf)]
      : []),
    unitTable(found.units, indexOf),
    el("p", { class: "quiet" }, localize("Statistics.Explain")),
  ];
}

/** @param {Totals} side @param {number} index */
function sideCard(side, index) {
  return el(
    "section",
    { class: "statistics-side" },
    el("h3", {}, sideSign(index), ` ${side.name}`),
    side.known
      ? el(
          "div",
          { class: "statistics-bars" },
          bullet(localize("Statistics.Hits"), side.known_hits, side.expected_hits, side.known, index),
          bullet(
            localize("Statistics.Damage"),
            side.known_damage,
            side.expected_damage,
            Math.max(side.known_damage, side.expected_damage, 1),
            index,
          ),
        )
      : null,
    el("p", {}, sideSentence(side)),
  );
}

/** Return the sentence about a side's luck and losses. @param {Totals} side */
function sideSentence(side) {
  const parts = [
    side.known
      ? localize("Statistics.OfAttacks", {
          hits: side.known_hits,
          attacks: side.known,
          expected: number(side.expected_hits),
          luck: luckText(side),
        })
      : "",
    localize("Statistics.DealtTaken", { dealt: side.dealt, taken: side.taken }),
    side.downed || side.lost ? localize("Statistics.Downed", { downed: side.downed, lost: side.lost }) : "",
  ];
  return parts.filter(Boolean).join(" ");
}

/** Return in words how unusual the number of hits is. @param {Totals} totals */
function luckText({ at_least: atLeast, at_most: atMost }) {
  if (atLeast < USUAL && atLeast < atMost) return localize("Statistics.Lucky", { chance: share(atLeast) });
  if (atMost < USUAL) return localize("Statistics.Unlucky", { chance: share(atMost) });
  return localize("Statistics.Usual");
}

/** @param {number} chance */
function share(chance) {
  if (chance < 0.01) return localize("Statistics.FewerThan", { percent: 1 });
  return localize("Statistics.Percent", { percent: Math.round(chance * 100) });
}

/** @param {number} value */
export const number = (value) => String(Math.round(value * 10) / 10);

/**
 * Draw a bar with what came, and a mark where it was to be expected.
 * @param {string} label
 * @param {number} value
 * @param {number} expected
 * @param {number} most the full width
 * @param {number} index of the side
 */
function bullet(label, value, expected, most, index) {
  const text = localize("Statistics.Bar", { label, value, expected: number(expected) });
  const scale = (/** @type {number} */ part) => (BAR.width * Math.min(part, most)) / most;
  const mark = scale(expected);
  const svg = drawing(BAR.width + 4, BAR.height + 6, text);
  svg.append(
    shape("rect", { x: 0, y: 3, width: BAR.width, height: BAR.height, class: "plot-ground" }),
    shape("rect", {
      x: 0,
      y: 5,
      width: scale(value),
      height: BAR.height - 4,
      fill: css(sideStyle(index).color),
      class: "plot-bar",
    }),
    shape("path", { d: `M${mark} 0V${BAR.height + 6}`, class: "plot-mark" }),
  );
  return el("p", { class: "statistics-bar" }, svg, el("span", {}, text));
}

/**
 * Draw for each side, attack by attack, by how much its damage is above or below what was to be expected.
 * @param {AttackRecord[]} attacks
 * @param {Totals[]} sides
 * @param {(side: string) => number} indexOf
 */
function luckPlot(attacks, sides, indexOf) {
  const lines = sides.map((side) => ({ side, points: luckLine(attacks, side.id) }));
  const all = lines.flatMap(({ points }) => points.map(([, luck]) => luck));
  const most = Math.max(1, ...all.map(Math.abs));
  const x = (/** @type {number} */ place) =>
    EDGE + ((WIDTH - 2 * EDGE) * place) / Math.max(1, attacks.length);
  const y = (/** @type {number} */ luck) => HEIGHT / 2 - ((HEIGHT / 2 - EDGE) * luck) / most;
  const ends = lines.map(({ side, points }) => `${side.name} ${signed(points.at(-1)?.[1] ?? 0)}`).join(", ");
  const svg = drawing(WIDTH, HEIGHT, localize("Statistics.LuckLine", { ends }));
  svg.append(shape("path", { d: `M${EDGE} ${y(0)}H${WIDTH - EDGE}`, class: "plot-zero" }));
  for (const { side, points } of lines) {
    const index = indexOf(side.id);
    const d = points.map(([place, luck], i) => `${i ? "L" : "M"}${x(place)} ${y(luck)}`).join("");
    const [endPlace, endLuck] = points.at(-1) ?? [0, 0];
    svg.append(
      shape("path", { d, class: "plot-under" }),
      shape("path", {
        d,
        class: "plot-line",
        stroke: css(sideStyle(index).color),
        "stroke-dasharray": DASHES[Math.max(0, index) % SIDES.length],
      }),
      signShape(index, x(endPlace), y(endLuck), 5),
    );
  }
  return el(
    "figure",
    { class: "statistics-luck" },
    svg,
    el(
      "figcaption",
      {},
      localize("Statistics.LuckCaption"),
      " ",
      ...lines.flatMap(({ side, points }) => [
        sideSign(indexOf(side.id)),
        ` ${side.name} ${signed(points.at(-1)?.[1] ?? 0)} `,
      ]),
    ),
  );
}

/**
 * Return the luck of a side after each of its attacks: the attack's place among all, and damage minus expected damage.
 * @param {AttackRecord[]} attacks
 * @param {string} side
 * @returns {[number, number][]}
 */
function luckLine(attacks, side) {
  /** @type {[number, number][]} */
  const points = [[0, 0]];
  attacks.forEach((attack, i) => {
    if (attack.side !== side || attack.expected === null) return;
    const luck = points[points.length - 1][1];
    points.push([i + 1, luck], [i + 1, luck + attack.damage - attack.expected]);
  });
  const last = points[points.length - 1];
  points.push([attacks.length, last[1]]);
  return points;
}

/** @param {number} value */
const signed = (value) => {
  const text = number(Math.abs(value));
  return text === "0" ? "±0" : value < 0 ? `−${text}` : `+${text}`;
};

/** @param {Totals[]} units @param {(side: string) => number} indexOf */
function unitTable(units, indexOf) {
  const heads = ["Unit", "Hits", "Damage", "Dealt", "Taken"];
  const rows = [...units]
    .sort((a, b) => b.dealt - a.dealt || b.known_damage - a.known_damage || (a.name < b.name ? -1 : 1))
    .map((unit) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, sideSign(indexOf(unit.side)), ` ${unit.name}`),
        ...cellsOf(unit).map((text) => el("td", {}, text)),
      ),
    );
  return el(
    "table",
    { class: "statistics-units" },
    el("caption", {}, localize("Statistics.Units")),
    el(
      "thead",
      {},
      el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, localize(`Statistics.${head}`)))),
    ),
    el("tbody", {}, ...rows),
  );
}

/** Return the numbers of a unit: hits, damage, dealt, taken. @param {Totals} unit */
function cellsOf(unit) {
  const hits = unit.known
    ? localize("Statistics.Cell", {
        value: `${unit.known_hits}/${unit.known}`,
        expected: number(unit.expected_hits),
      })
    : `${unit.hits}/${unit.attacks}`;
  const damage = unit.known
    ? localize("Statistics.Cell", { value: unit.known_damage, expected: number(unit.expected_damage) })
    : "";
  return [unit.attacks ? hits : "", damage, String(unit.dealt), String(unit.taken)];
}

/** @param {number} index of the side; its sign on the board */
function sideSign(index) {
  const svg = drawing(14, 14, "");
  svg.setAttribute("class", "side-sign");
  svg.append(signShape(index, 7, 7, 5.5));
  return svg;
}

/** @param {number} index @param {number} x @param {number} y @param {number} radius */
function signShape(index, x, y, radius) {
  const { color, corners, turn } = sideStyle(index);
  const look = { fill: css(color), class: "plot-sign" };
  if (!corners) return shape("circle", { cx: x, cy: y, r: radius, ...look });
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = ((turn + (360 * i) / corners) * Math.PI) / 180;
    return `${x + radius * Math.cos(angle)},${y + radius * Math.sin(angle)}`;
  });
  return shape("polygon", { points: points.join(" "), ...look });
}

/** @param {number} width @param {number} height @param {string} label what it shows; "" hides it from screen readers */
function drawing(width, height, label) {
  /** @type {Record<string, string>} */
  const hidden = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, ...hidden });
}

/**
 * Return statistics as Markdown: a sentence for each side, and a table of the units.
 * @param {BattleStatistics} found
 * @param {(text: string) => string} escape
 */
export function statisticsMarkdown(found, escape) {
  if (!found.attacks.length && !found.units.length) return [];
  const heads = ["Unit", "Hits", "Damage", "Dealt", "Taken"].map((head) => localize(`Statistics.${head}`));
  const row = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [
    `## ${localize("Statistics.Title")}`,
    "",
    ...found.sides.map((side) => `- **${escape(side.name)}**: ${escape(sideSentence(side))}`),
    "",
    row(heads),
    row(heads.map(() => "---")),
    ...found.units.map((unit) => row([escape(unit.name).replaceAll("|", "\\|"), ...cellsOf(unit)])),
    "",
    localize("Statistics.Explain"),
    "",
  ];
}
