/**
 * The shapes of portraits: paths with their colors, in a box of 100 by 100. They are drawn on a canvas, or become an
 * SVG in the page.
 */

/**
 * A path in SVG's notation, filled or drawn as a line, and moved if `at` is given.
 * @typedef {{d: string, fill?: string, line?: string, width?: number, alpha?: number, at?: Placement}} Shape
 */

/** @typedef {{x: number, y: number, scale: number, turn: number}} Placement turn in degrees */

/** @param {string} d @param {string} fill @param {number} [alpha] @returns {Shape} */
export const filled = (d, fill, alpha = 1) => ({ d, fill, alpha });

/** @param {string} d @param {string} line @param {number} width @returns {Shape} */
export const lined = (d, line, width) => ({ d, line, width });

/** Return the path of an ellipse. @param {number} x @param {number} y @param {number} rx @param {number} [ry] */
export const ellipse = (x, y, rx, ry = rx) =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;

/** Move shapes together. @param {Shape[]} shapes @param {Placement} at @returns {Shape[]} */
export const placed = (shapes, at) => shapes.map((shape) => ({ ...shape, at }));

/** @param {string} color as #rrggbb @param {(value: number) => number} change @returns {string} */
const changed = (color, change) =>
  `#${[1, 3, 5]
    .map((i) =>
      Math.round(change(parseInt(color.slice(i, i + 2), 16)))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;

/** @param {string} color @param {number} part 0 to 1 */
export const darker = (color, part) => changed(color, (value) => value * (1 - part));

/** @param {string} color @param {number} part 0 to 1 */
export const lighter = (color, part) => changed(color, (value) => value + (255 - value) * part);

/** Draw shapes, in the units of their box. @param {CanvasRenderingContext2D} pen @param {Shape[]} shapes */
export function drawShapes(pen, shapes) {
  for (const { d, fill, line, width = 1, alpha = 1, at } of shapes) {
    pen.save();
    if (at) {
      pen.translate(at.x, at.y);
      pen.rotate((at.turn * Math.PI) / 180);
      pen.scale(at.scale, at.scale);
    }
    pen.globalAlpha *= alpha;
    const path = new Path2D(d);
    if (fill) {
      pen.fillStyle = fill;
      pen.fill(path);
    }
    if (line) {
      Object.assign(pen, { strokeStyle: line, lineWidth: width, lineCap: "round", lineJoin: "round" });
      pen.stroke(path);
    }
    pen.restore();
  }
}

/** Return shapes as elements of an SVG. @param {Shape[]} shapes @returns {SVGElement[]} */
export const svgShapes = (shapes) =>
  shapes.map(({ d, fill = "none", line, width = 1, alpha = 1, at }) => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const turned = at ? `translate(${at.x} ${at.y}) rotate(${at.turn}) scale(${at.scale})` : "";
    const values = {
      d,
      fill,
      ...(line && {
        stroke: line,
        "stroke-width": width,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      }),
      ...(alpha < 1 && { opacity: alpha }),
      ...(turned && { transform: turned }),
    };
    for (const [name, value] of Object.entries(values)) path.setAttribute(name, String(value));
    return path;
  });
