/**
 * An attack on the map for two seconds: a line from attacker to target, the dice, the hit, and the loss. All of it is
 * one SVG over the map and a small plate below the target; style sheets move it, so that the map is not drawn again.
 */

import { CELL, tokenCenter } from "../../core/map/geometry.js";
import { tokenRadius } from "../../core/draw/token-size.js";
import { dieFace } from "../../core/ui/die-face.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { toView } from "../page/camera.js";
import { coveredEdges, hasColumn, layoutOf } from "../page/free-area.js";
import { sideColor } from "../page/side-color.js";
import { shape } from "../page/token-art.js";
import { winningFaces } from "./blows.js";

/** @import {Cell, Scene, Token} from "../../../types/contract.js" */
/** @import {Camera} from "../../../types/page.js" */
/** @import {Insets} from "../page/free-area.js" */
/** @import {Blow} from "./blows.js" */

/** A plate shows no more blows, and a blow no more dice. */
const [MOST_ROWS, MOST_DICE] = [6, 8];
const [EDGE_PX, LOG_LINE_PX] = [8, 56];

/** Build the drawing of some blows, in 64ths of a cell. @param {Blow[]} blows @param {Scene} scene @returns {SVGElement} */
export function blowLines(blows, scene) {
  const svg = shape("svg", { class: "moment", "aria-hidden": "true" });
  const world = shape("g", { class: "moment-world" });
  for (const blow of blows) world.append(...drawnBlow(blow, scene));
  svg.append(world);
  return svg;
}

/** @param {Blow} blow @param {Scene} scene @returns {SVGElement[]} */
function drawnBlow({ token, target, lost, isDown }, { grid }) {
  const [from, to] = [token, target].map((one) => tokenCenter(grid, one, /** @type {Cell} */ (one.at)));
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const [near, far] = [tokenRadius(token), Math.max(tokenRadius(token), length - tokenRadius(target))];
  const at = (/** @type {number} */ along, /** @type {number} */ aside) =>
    `${(from[0] + dx * along - dy * aside).toFixed(1)} ${(from[1] + dy * along + dx * aside).toFixed(1)}`;
  const line = shape("path", {
    class: "moment-line",
    d: `M${at(near, 0)}L${at(far - 12, 6)}L${at(far - 12, -6)}z`,
  });
  const head = shape("path", {
    class: "moment-head",
    d: `M${at(far - 18, 13)}L${at(far, 0)}L${at(far - 18, -13)}L${at(far - 13, 0)}z`,
  });
  const place = `translate(${to[0]} ${to[1]})`;
  const burst = shape("g", { transform: place });
  burst.append(lost > 0 ? burstShape(tokenRadius(target), isDown) : missShape(tokenRadius(target)));
  const loss = shape("g", { transform: `translate(${to[0]} ${to[1] - tokenRadius(target) - 10})` });
  const text = shape("text", { class: "moment-loss", "text-anchor": "middle" });
  text.textContent = lost > 0 ? `−${lost}` : "";
  loss.append(text);
  return [line, head, burst, loss];
}

/** @param {number} radius @param {boolean} isDown a larger one for a fall @returns {SVGElement} */
function burstShape(radius, isDown) {
  const rays = 22;
  const ring = (/** @type {number} */ scale) =>
    Array.from({ length: rays }, (_, i) => {
      const [angle, far] = [(i / rays) * 2 * Math.PI, i % 2 ? 1.15 : 1.5 + ((i * 7) % 5) * 0.09];
      const size = radius * far * scale * (isDown ? 1.2 : 1);
      return `${(Math.cos(angle) * size).toFixed(1)} ${(Math.sin(angle) * size).toFixed(1)}`;
    }).join("L");
  // The token stays to be seen in the middle.
  const hole = `M${-radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
  const around = (/** @type {number} */ scale) => ({ d: `M${ring(scale)}z${hole}`, "fill-rule": "evenodd" });
  const burst = shape("g", { class: "moment-burst" });
  burst.append(
    shape("path", { ...around(1), fill: "#ffdf9a", stroke: "#7c160b", "stroke-width": 3 }),
    shape("path", { ...around(0.84), fill: "#e2552c" }),
  );
  return burst;
}

/** @param {number} radius @returns {SVGElement} */
const missShape = (radius) =>
  shape("circle", {
    class: "moment-miss",
    r: radius * 1.25,
    fill: "none",
    stroke: "#fff6e0",
    "stroke-width": 4,
  });

/** Build the plate of some blows of one entry. @param {Blow[]} blows @param {Scene} scene */
export function blowPlate(blows, scene) {
  const rows = blows.slice(0, MOST_ROWS).map((blow) => plateRow(blow, scene));
  const more = blows.length - MOST_ROWS;
  return el(
    "div",
    { class: "moment-plate", "aria-hidden": "true" },
    ...rows,
    more > 0 ? el("p", { class: "moment-more" }, localize("Moment.More", { count: more })) : null,
  );
}

/** @param {Blow} blow @param {Scene} scene */
function plateRow(blow, scene) {
  const wins = winningFaces(blow);
  const faces = blow.rolls.flatMap((roll) => roll.faces.map((face) => ({ die: roll.die, face })));
  return el(
    "div",
    { class: "moment-row" },
    el("p", { class: "moment-names" }, name(blow.token, scene), " → ", name(blow.target, scene)),
    wins
      ? el(
          "div",
          { class: "moment-odds" },
          ...wins.map((isWin, i) => dieFace(i + 1, isWin ? "is-win" : "is-loss")),
        )
      : null,
    !wins && blow.chance !== null ? oddsBar(blow.chance) : null,
    el(
      "div",
      { class: "moment-dice" },
      ...faces.slice(0, MOST_DICE).map(({ face }) => dieFace(face, "is-rolled")),
      el("strong", { class: blow.lost > 0 ? "is-hit" : "is-miss" }, blow.result),
    ),
  );
}

/** @param {Token} token @param {Scene} scene */
function name(token, { sides }) {
  const element = el("b", {}, token.name);
  element.style.setProperty("--side", sideColor(sides.findIndex(({ id }) => id === token.side)));
  return element;
}

/** @param {number} chance */
function oddsBar(chance) {
  const bar = el("div", { class: "moment-bar" }, el("span", {}, `${Math.round(chance * 100)} %`));
  bar.style.setProperty("--chance", `${chance * 100}%`);
  return bar;
}

/**
 * Move the drawing and the plate to where the camera shows them.
 * @param {{lines: SVGElement, plate: HTMLElement}} parts
 * @param {Blow[]} blows
 * @param {Scene} scene
 * @param {Camera} camera
 */
export function placeMoment({ lines, plate }, blows, { grid }, camera) {
  const { left, top, scale } = camera;
  lines.firstElementChild?.setAttribute("transform", `translate(${left} ${top}) scale(${scale})`);
  const spots = blows.map(({ target }) => {
    const [x, y] = toView(camera, tokenCenter(grid, target, /** @type {Cell} */ (target.at)));
    return { x, y, reach: (tokenRadius(target) + CELL * 0.25) * scale };
  });
  const view = /** @type {Cell} */ ([window.innerWidth, window.innerHeight]);
  const [x, y] = plateCorner(spots, [plate.offsetWidth, plate.offsetHeight], view, freeInsets(view));
  Object.assign(plate.style, { left: `${x}px`, top: `${y}px` });
}

/** The part that panels cover; a phone held sideways has the log's last line below as well. @param {Cell} view @returns {Insets} */
function freeInsets(view) {
  const edges = coveredEdges(view, hasColumn());
  return layoutOf(view) === "sideways" ? { ...edges, bottom: edges.bottom + LOG_LINE_PX } : edges;
}

/**
 * Return the corner of a plate: below the lowest of some places, above or beside all of them where there is too little room
 * below, else as low as it can be; never under a panel or outside the page.
 * @param {{x: number, y: number, reach: number}[]} spots in the view, with what each takes around its middle
 * @param {Cell} size of the plate
 * @param {Cell} view
 * @param {Insets} covered
 * @returns {Cell}
 */
export function plateCorner(spots, [width, height], view, covered) {
  const lowest = spots.reduce((low, spot) => (spot.y + spot.reach > low.y + low.reach ? spot : low));
  const highest = Math.min(...spots.map(({ y, reach }) => y - reach));
  const least = covered.left + EDGE_PX;
  const left = Math.max(least, Math.min(lowest.x - width / 2, view[0] - covered.right - width - EDGE_PX));
  const end = view[1] - covered.bottom - height;
  const below = lowest.y + lowest.reach;
  if (below <= end) return [left, below];
  const [above, lowestTop] = [highest - height, Math.max(covered.top, end)];
  if (above >= covered.top) return [left, above];
  const beside = Math.max(covered.top, Math.min((highest + below - height) / 2, end));
  const right = Math.max(...spots.map(({ x, reach }) => x + reach));
  if (right + width + EDGE_PX <= view[0] - covered.right) return [right, beside];
  const farLeft = Math.min(...spots.map(({ x, reach }) => x - reach)) - width;
  return farLeft >= least ? [farLeft, beside] : [left, lowestTop];
}
