/** The games of the server as cards: the ready-made battle of each, painted, with its units. */

import { CELL, boardSize, tokenCenter } from "../../core/map/geometry.js";
import { tokenRadius } from "../../core/draw/token-size.js";
import { portraitSvg } from "../../core/portraits/portrait.js";
import { button } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { paintedPart } from "../painter/map-picture.js";
import { startPainter } from "../painter/map-tiles.js";

/** @import {Cell, Scene, Token} from "../../../types/contract.js" */

/** @typedef {{key: string, title: string, summary: string}} Game */
/** @typedef {{play: (game: string) => void, empty: (game: string) => void}} CardActions */

const SVG = "http://www.w3.org/2000/svg";
/** Of a large crowd a card shows the units at its middle: so many cells from side to side. */
const SHOWN_CELLS = 9;
/** The height of the crowd's middle in the picture, as a share. */
const UPPER = 0.3;
/** Portraits are drawn larger than their bases, as on the board. */
const PORTRAIT_SCALE = 1.6;

/**
 * Build a card for each game. The pictures come later, one after the other.
 * @param {Game[]} games
 * @param {CardActions} actions
 */
export function gameCards(games, actions) {
  const cards = games.map((game) => ({ game, ...gameCard(game, actions) }));
  void (async () => {
    const painter = startPainter();
    for (const { game, picture, title } of cards) await showBattle(game, picture, title, painter);
    painter?.terminate();
  })();
  return el("ul", { class: "plain-list game-cards" }, ...cards.map(({ card }) => card));
}

/** @param {Game} game @param {CardActions} actions */
function gameCard({ key, title, summary }, { play, empty }) {
  const picture = el("div", { class: "game-picture", "aria-hidden": "true" });
  const start = button(`play-${key}`, localize("Start.Play"), () => play(key), {
    class: "primary",
    "aria-label": localize("Start.PlayGame", { game: title }),
  });
  const bare = button(`empty-${key}`, localize("Start.Empty"), () => empty(key), {
    "aria-label": localize("Start.EmptyGame", { game: title }),
  });
  const card = el(
    "li",
    { class: "game-card" },
    picture,
    el(
      "div",
      { class: "game-text" },
      el("h3", {}, title),
      el("p", {}, summary),
      el("div", { class: "buttons" }, start, bare),
    ),
  );
  return { card, picture, title: start };
}

/**
 * Show a game's battle in its card. Without one, or where the browser cannot paint, the card stays plain.
 * @param {Game} game
 * @param {HTMLElement} host
 * @param {HTMLElement} start the button that is named after the battle
 * @param {Worker | null} painter
 */
async function showBattle({ key }, host, start, painter) {
  try {
    const answer = await fetch(`/api/games/${encodeURIComponent(key)}/battle`);
    if (!answer.ok) return;
    /** @type {Scene} */
    const scene = await answer.json();
    start.textContent = localize("Start.PlayBattle", { battle: scene.name });
    const box = shownBox(scene);
    const svg = battleSvg(scene, box);
    host.append(svg);
    if (!painter) return;
    const isDay = document.documentElement.dataset.theme === "light";
    const [left, top, width, height] = box;
    const [x, y, cells, rows] = [left / CELL, top / CELL, width / CELL, height / CELL];
    // The picture fills the card, so its shorter side is cut.
    const pixels = Math.max(host.clientWidth / cells, host.clientHeight / rows) * window.devicePixelRatio;
    const part = { left: x, top: y, right: x + cells, bottom: y + rows };
    const href = await paintedPart(painter, scene, isDay, part, pixels);
    if (href)
      svg.prepend(shape("image", { href, x: left, y: top, width, height, preserveAspectRatio: "none" }));
  } catch {
    // the server has gone, or a browser without workers: the card has its words
  }
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
function shape(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** @typedef {[number, number, number, number]} ShownBox the part of the board that a card shows, in 64ths of a cell: left, top, width, height */

/** Return the units of a scene that stand on its board, and their centers. @param {Scene} scene */
function placedUnits({ grid, tokens }) {
  const units = tokens.filter(({ at }) => at);
  return { units, centers: units.map((token) => tokenCenter(grid, token, /** @type {Cell} */ (token.at))) };
}

/** Draw the units near the middle of a battle. @param {Scene} scene @param {ShownBox} box */
function battleSvg(scene, box) {
  const { units, centers } = placedUnits(scene);
  const svg = shape("svg", { viewBox: box.join(" ") });
  svg.setAttribute("preserveAspectRatio", ["xMidYMid", "slice"].join(" "));
  units.forEach((token, i) => {
    const side = scene.sides.findIndex(({ id }) => id === token.side);
    svg.append(unitAt(token, centers[i], side, scene.sides[side]?.name ?? ""));
  });
  return svg;
}

/** @param {Token} token @param {Cell} center @param {number} side @param {string} sideName */
function unitAt(token, [x, y], side, sideName) {
  const picture = portraitSvg(token, side, sideName);
  const radius = tokenRadius(token) * PORTRAIT_SCALE;
  const box = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
  for (const [name, value] of Object.entries(box)) picture.setAttribute(name, String(value));
  return picture;
}

/** Return the part of a board around the unit with the most others near it. @param {Scene} scene @returns {ShownBox} */
function shownBox(scene) {
  const { centers } = placedUnits(scene);
  const [width, height] = boardSize(scene.grid);
  const side = SHOWN_CELLS * CELL;
  const shown = [Math.min(side, width), Math.min(side * 0.75, height)];
  const near = (/** @type {Cell} */ [x, y]) =>
    centers.filter(([a, b]) => Math.abs(a - x) <= shown[0] / 2 && Math.abs(b - y) <= shown[1] / 2);
  const crowd = centers.map(near).reduce((most, one) => (one.length > most.length ? one : most), []);
  const middle = crowd.length
    ? [0, 1].map((axis) => crowd.reduce((sum, point) => sum + point[axis], 0) / crowd.length)
    : [width / 2, height / 2];
  // The words of the card lie over its lower half: the crowd stands in the upper one.
  const above = [shown[0] / 2, shown[1] * UPPER];
  const corner = [0, 1].map((axis) => Math.max(0, middle[axis] - above[axis]));
  return [corner[0], corner[1], shown[0], shown[1]];
}
