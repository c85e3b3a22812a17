/**
 * A unit's portrait in the frame of its side: drawn on a canvas for the map, or as an SVG for the page. The frame has
 * the side's shape and color; a shape repeats what the color says.
 */

import { css, sideStyle } from "../draw/palette.js";
import { regularPolygon } from "../map/geometry.js";
import { faceShapes } from "./faces.js";
import { featuresOf } from "./features.js";
import { shieldShapes, weaponShapes } from "./gear.js";
import { darker, drawShapes, filled, lined, placed, svgShapes } from "./shapes.js";

/** @import {Token} from "../../../types/contract.js" */
/** @import {Features} from "./features.js" */
/** @import {Shape} from "./shapes.js" */

/** The side of a portrait's canvas in pixels. */
export const PORTRAIT_PX = 176;
/** The face is larger than its box, so that the frame cuts the shoulders. */
const FACE = { x: 50 - 50 * 1.36, y: 57 - 50 * 1.36, scale: 1.36, turn: 0 };
const SVG = "http://www.w3.org/2000/svg";

/** Return what stands in the frame, in a box of 100 by 100. @param {Features} features @returns {Shape[]} */
export const portraitShapes = (features) => [
  ...weaponShapes(features),
  ...placed(faceShapes(features), FACE),
  ...shieldShapes(features),
];

/**
 * Return the path of a side's frame around the middle of the box.
 * @param {number} side its index in the scene
 * @param {number} radius
 */
export function framePath(side, radius) {
  const { corners, turn } = sideStyle(side);
  if (!corners)
    return `M${50 - radius} 50a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
  const reach = corners === 4 && turn ? radius * 1.33 : radius * 1.08;
  const points = regularPolygon([50, 50], reach, corners, turn);
  return roundedPath(points, radius * 0.3);
}

/** Return a polygon's path with rounded corners. @param {number[]} points x, y, x, y, ... @param {number} radius */
function roundedPath(points, radius) {
  const count = points.length / 2;
  const at = (/** @type {number} */ i) => [
    points[((i + count) % count) * 2],
    points[((i + count) % count) * 2 + 1],
  ];
  const toward = (/** @type {number[]} */ [x, y], /** @type {number[]} */ [a, b]) => {
    const part = Math.min(0.5, radius / (Math.hypot(a - x, b - y) || 1));
    return `${(x + (a - x) * part).toFixed(2)} ${(y + (b - y) * part).toFixed(2)}`;
  };
  const corners = Array.from(
    { length: count },
    (_, i) =>
      `${i ? "L" : "M"}${toward(at(i), at(i - 1))}Q${at(i)
        .map((value) => value.toFixed(2))
        .join(" ")} ${toward(at(i), at(i + 1))}`,
  );
  return `${corners.join("")}z`;
}

/**
 * Return the rings and the ground of a frame, below and above what stands in it.
 * @param {number} side
 * @returns {{below: Shape[], clip: string, above: Shape[]}}
 */
function frame(side) {
  const color = css(sideStyle(side).color);
  return {
    below: [
      filled(framePath(side, 47.5), "#0d0b0a"),
      filled(framePath(side, 46), color),
      lined(framePath(side, 45.4), "#ffffff59", 1.2),
      filled(framePath(side, 40.5), "#0f0d0c"),
      filled(framePath(side, 39.5), darker(color, 0.55)),
    ],
    clip: framePath(side, 39.5),
    above: [lined(framePath(side, 38), "#00000059", 4)],
  };
}

/** The canvases of portraits, so that units that look alike share one. @type {Map<string, {key: string, canvas: HTMLCanvasElement}>} */
const drawn = new Map();

/**
 * Draw a unit in its frame.
 * @param {Pick<Token, "name" | "profile" | "image">} token
 * @param {{side: number, sideName: string, isDown: boolean, picture: HTMLCanvasElement | null}} look `picture` instead of a drawn face
 * @returns {{key: string, canvas: HTMLCanvasElement}} the key is equal for equal canvases
 */
export function portraitCanvas(token, { side, sideName, isDown, picture }) {
  const features = picture ? null : featuresOf(token, sideName);
  const key = `portrait ${side} ${isDown} ${picture ? token.image : JSON.stringify(features)}`;
  const known = drawn.get(key);
  if (known) return known;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = PORTRAIT_PX;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(PORTRAIT_PX / 100, PORTRAIT_PX / 100);
  const { below, clip, above } = frame(side);
  drawShapes(pen, below);
  pen.save();
  pen.clip(new Path2D(clip));
  if (picture) pen.drawImage(picture, 9, 9, 82, 82);
  else drawShapes(pen, portraitShapes(/** @type {Features} */ (features)));
  pen.restore();
  drawShapes(pen, above);
  if (isDown) fade(pen, side);
  const found = { key, canvas };
  drawn.set(key, found);
  return found;
}

/** Take the color from what is drawn, and darken it. @param {CanvasRenderingContext2D} pen @param {number} side */
function fade(pen, side) {
  const whole = new Path2D(framePath(side, 47.5));
  pen.globalCompositeOperation = "saturation";
  pen.fillStyle = "#808080";
  pen.fill(whole);
  pen.globalCompositeOperation = "source-atop";
  pen.fillStyle = "rgba(20,18,16,.42)";
  pen.fill(whole);
}

let clips = 0;

/**
 * Build a unit's portrait as an SVG of 100 by 100.
 * @param {Pick<Token, "name" | "profile" | "image">} token
 * @param {number} side
 * @param {string} sideName
 * @returns {SVGSVGElement}
 */
export function portraitSvg(token, side, sideName) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", "portrait");
  svg.setAttribute("aria-hidden", "true");
  const { below, clip, above } = frame(side);
  const id = `portrait-clip-${(clips += 1)}`;
  const clipPath = document.createElementNS(SVG, "clipPath");
  clipPath.id = id;
  clipPath.append(...svgShapes([{ d: clip }]));
  const inside = document.createElementNS(SVG, "g");
  inside.setAttribute("clip-path", `url(#${id})`);
  if (token.image.startsWith("/api/")) {
    const picture = document.createElementNS(SVG, "image");
    for (const [name, value] of Object.entries({ href: token.image, x: 9, y: 9, width: 82, height: 82 }))
      picture.setAttribute(name, String(value));
    inside.append(picture);
  } else inside.append(...svgShapes(portraitShapes(featuresOf(token, sideName))));
  svg.append(clipPath, ...svgShapes(below), inside, ...svgShapes(above));
  return svg;
}
