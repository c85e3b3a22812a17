/** The map painter's furniture and goods, from above: boxes, barrels, tables, carts, stalls, wells, beds, rugs. */

import { blobPath, mix } from "./pen.js";
import { between, noiseAt, randomFrom } from "./random.js";

/** @import {Pen, Point} from "./pen.js" */

/** @typedef {[number, number, number, number]} Rect left, top, width, height in cells */

/** A lid of planks. @param {Pen} pen @param {Rect} rect @param {string} tone @param {boolean} [isAcross] whether the planks run across */
export function paintBox(pen, [x, y, width, height], tone, isAcross = false) {
  const { context } = pen;
  pen.shadowed(0.09, 0.13, 0.16, "rgba(0,0,0,.75)", () => {
    context.fillStyle = mix(tone, "#140d07", 0.6);
    context.fillRect(x, y, width, height);
  });
  context.fillStyle = mix(tone, "#f7d9a4", 0.18);
  context.fillRect(x + 0.02, y + 0.02, width - 0.05, height - 0.06);
  context.fillStyle = tone;
  context.fillRect(x + 0.05, y + 0.05, width - 0.1, height - 0.12);
  if (!pen.isFine) return;
  const [long, step] = [isAcross ? width : height, 0.24];
  for (let far = step; far < long - 0.06; far += step) {
    const ends = /** @type {Point[]} */ (
      isAcross
        ? [
            [x + far, y + 0.06],
            [x + far, y + height - 0.08],
          ]
        : [
            [x + 0.06, y + far],
            [x + width - 0.06, y + far],
          ]
    );
    pen.line(ends, "rgba(30,15,5,.55)", 0.022);
  }
}

/** @param {Pen} pen @param {Point} at its left upper corner @param {number} size */
export function paintCrate(pen, [x, y], size) {
  paintBox(pen, [x, y, size, size], "#8a6236");
  if (!pen.isFine) return;
  const { context } = pen;
  Object.assign(context, { strokeStyle: "#5d3d1c", lineWidth: 0.08 });
  context.strokeRect(x + 0.07, y + 0.07, size - 0.14, size - 0.16);
  pen.line(
    [
      [x + 0.12, y + 0.1],
      [x + size - 0.12, y + size - 0.14],
    ],
    "#6a4520",
    0.08,
  );
}

/** @param {Pen} pen @param {Point} at @param {number} radius */
export function paintBarrel(pen, [x, y], radius) {
  const { context } = pen;
  pen.shadowed(0.08, 0.12, 0.14, "rgba(0,0,0,.75)", () => pen.disc([x, y], radius, "#38220f"));
  pen.disc([x, y], radius * 0.94, "#7d5327");
  Object.assign(context, { strokeStyle: "#4a4a4c", lineWidth: radius * 0.16 });
  context.beginPath();
  context.arc(x, y, radius * 0.86, 0, 2 * Math.PI);
  context.stroke();
  Object.assign(context, { strokeStyle: "rgba(255,240,210,.45)", lineWidth: radius * 0.06 });
  context.beginPath();
  context.arc(x, y, radius * 0.9, 2.8, 5);
  context.stroke();
  if (!pen.isFine) return;
  for (let i = -2; i < 3; i += 1) {
    const half = Math.sqrt(Math.max(0, 0.55 - (i * 0.22) ** 2)) * radius;
    pen.line(
      [
        [x + i * radius * 0.28, y - half],
        [x + i * radius * 0.28, y + half],
      ],
      "rgba(30,14,4,.6)",
      0.02,
    );
  }
}

/** A round table with stools and mugs. @param {Pen} pen @param {Point} at @param {number} radius @param {number} seats */
export function paintTable(pen, [x, y], radius, seats) {
  const { context } = pen;
  const random = randomFrom(noiseAt(x * 64, y * 64, 51) * 2 ** 31);
  for (let i = 0; i < seats; i += 1) {
    const angle = (i / seats) * 2 * Math.PI + 0.5;
    const at = /** @type {Point} */ ([
      x + Math.cos(angle) * (radius + 0.24),
      y + Math.sin(angle) * (radius + 0.24),
    ]);
    pen.shadowed(0.05, 0.08, 0.1, "rgba(0,0,0,.7)", () => pen.disc(at, 0.15, "#4c2f16"));
    pen.disc([at[0] - 0.01, at[1] - 0.015], 0.12, "#80552c");
  }
  pen.shadowed(0.1, 0.16, 0.2, "rgba(0,0,0,.8)", () => pen.disc([x, y], radius, "#341f0d"));
  pen.disc([x, y], radius * 0.96, "#b07c46");
  pen.disc([x + 0.015, y + 0.02], radius * 0.9, "#8f6033");
  if (!pen.isFine) return;
  context.beginPath();
  context.arc(x, y, radius * 0.9, 0, 2 * Math.PI);
  pen.clipped(() => {
    for (let i = -3; i < 4; i += 1)
      pen.line(
        [
          [x - radius, y + i * radius * 0.27],
          [x + radius, y + i * radius * 0.27],
        ],
        "rgba(35,17,5,.5)",
        0.022,
      );
  });
  for (let i = 0; i < 3; i += 1)
    paintMug(pen, [x + between(random, -0.5, 0.5) * radius, y + between(random, -0.5, 0.5) * radius]);
}

/** @param {Pen} pen @param {Point} at */
function paintMug(pen, [x, y]) {
  pen.disc([x + 0.03, y + 0.04], 0.075, "rgba(0,0,0,.5)");
  pen.disc([x, y], 0.07, "#6b7076");
  pen.disc([x, y], 0.048, "#e5c06a");
}

/** A rug: flat, so that everyone sees that it blocks nothing. @param {Pen} pen @param {Rect} rect @param {string} tone */
export function paintRug(pen, [x, y, width, height], tone) {
  const { context } = pen;
  pen.shadowed(0.02, 0.03, 0.06, "rgba(0,0,0,.6)", () => {
    context.fillStyle = tone;
    context.fillRect(x, y, width, height);
  });
  Object.assign(context, { strokeStyle: "#d6b46e", lineWidth: 0.05 });
  context.strokeRect(x + 0.12, y + 0.12, width - 0.24, height - 0.24);
  context.lineWidth = 0.02;
  context.strokeRect(x + 0.22, y + 0.22, width - 0.44, height - 0.44);
  context.fillStyle = mix(tone, "#d6b46e", 0.35);
  for (let far = 0.5; far < width - 0.3; far += 0.5) {
    const middle = y + height / 2;
    pen.path([
      [x + far, middle - 0.2],
      [x + far + 0.16, middle],
      [x + far, middle + 0.2],
      [x + far - 0.16, middle],
    ]);
    context.fill();
  }
  if (!pen.isFine) return;
  for (let far = 0; far < height; far += 0.08)
    for (const end of [x - 0.06, x + width])
      pen.line(
        [
          [end, y + far],
          [end + 0.06, y + far],
        ],
        mix(tone, "#e8d9b0", 0.6),
        0.02,
      );
}

/** @param {Pen} pen @param {Rect} rect @param {string} blanket */
export function paintBed(pen, [x, y, width, height], blanket) {
  const { context } = pen;
  paintBox(pen, [x, y, width, height], "#6b4320");
  context.fillStyle = "#e8dfca";
  context.beginPath();
  context.roundRect(x + 0.12, y + 0.12, width - 0.24, 0.4, 0.08);
  context.fill();
  context.fillStyle = blanket;
  context.beginPath();
  context.roundRect(x + 0.08, y + 0.58, width - 0.16, height - 0.72, 0.06);
  context.fill();
  context.fillStyle = "rgba(255,255,255,.18)";
  context.fillRect(x + 0.08, y + 0.58, width - 0.16, 0.14);
}

/** @param {Pen} pen @param {Rect} rect */
export function paintHearth(pen, [x, y, width, height]) {
  const { context } = pen;
  paintBox(pen, [x, y, width, height], "#5d5850");
  context.fillStyle = "#6f695e";
  context.fillRect(x + 0.06, y + 0.06, width - 0.12, height - 0.12);
  context.fillStyle = "#120a06";
  context.beginPath();
  context.roundRect(x + 0.2, y + 0.2, width - 0.4, height - 0.4, 0.1);
  context.fill();
}

/** @param {Pen} pen @param {Point} at @param {number} radius */
export function paintFire(pen, [x, y], radius) {
  const { context } = pen;
  const random = randomFrom(noiseAt(x * 64, y * 64, 52) * 2 ** 31);
  for (let i = 0; i < 5; i += 1) {
    const [dx, dy] = [Math.cos(i * 1.3) * radius, Math.sin(i * 1.3) * radius];
    pen.line(
      [
        [x - dx, y - dy],
        [x + dx, y + dy],
      ],
      "#2b1608",
      radius * 0.3,
    );
  }
  for (const [size, color] of /** @type {[number, string][]} */ ([
    [1.1, "rgba(255,90,20,.75)"],
    [0.8, "rgba(255,160,40,.9)"],
    [0.45, "#fff0b0"],
  ])) {
    context.fillStyle = color;
    blobPath(context, random, [x, y], [radius * size, radius * size], 0.35, 9);
    context.fill();
  }
}

/** A market stall under a striped cloth. @param {Pen} pen @param {Rect} rect @param {string} stripe */
export function paintStall(pen, [x, y, width, height], stripe) {
  const { context } = pen;
  paintBox(pen, [x, y, width, height], "#eadfc6");
  const count = Math.max(3, Math.round(width / 0.25));
  for (let i = 0; i < count; i += 1) {
    context.fillStyle = i % 2 ? stripe : "#eadfc6";
    context.fillRect(x + (width * i) / count, y, width / count, height);
  }
  const light = context.createLinearGradient(0, y, 0, y + height);
  for (const [far, color] of /** @type {[number, string][]} */ ([
    [0, "rgba(255,255,255,.18)"],
    [0.48, "rgba(255,255,255,.05)"],
    [0.52, "rgba(0,0,0,.28)"],
    [1, "rgba(0,0,0,.45)"],
  ]))
    light.addColorStop(far, color);
  context.fillStyle = light;
  context.fillRect(x, y, width, height);
}

/** @param {Pen} pen @param {Point} at @param {number} radius */
export function paintWell(pen, [x, y], radius) {
  const { context } = pen;
  pen.shadowed(0.12, 0.18, 0.2, "rgba(0,0,0,.8)", () => pen.disc([x, y], radius, "#4c4840"));
  context.lineCap = "butt";
  for (let i = 0; i < 12; i += 1) {
    Object.assign(context, { strokeStyle: i % 2 ? "#938c7d" : "#a9a190", lineWidth: radius * 0.32 });
    context.beginPath();
    context.arc(x, y, radius * 0.8, i * 0.5236 + 0.04, i * 0.5236 + 0.48);
    context.stroke();
  }
  context.lineCap = "round";
  pen.disc([x, y], radius * 0.62, "#0d2028");
  pen.disc([x - 0.06, y - 0.06], radius * 0.25, "rgba(140,200,210,.35)");
  pen.line(
    [
      [x - radius * 1.1, y],
      [x + radius * 1.1, y],
    ],
    "#6b4522",
    0.1,
  );
}

/** A cart with hay. @param {Pen} pen @param {Rect} rect */
export function paintHay(pen, [x, y, width, height]) {
  const { context } = pen;
  const random = randomFrom(noiseAt(x * 64, y * 64, 53) * 2 ** 31);
  paintBox(pen, [x, y, width, height], "#6e4b27");
  const [cx, cy, rx, ry] = [x + width / 2, y + height / 2, width * 0.42, height * 0.42];
  context.fillStyle = "#b08d3f";
  blobPath(context, random, [cx, cy], [rx, ry], 0.12, 16);
  context.fill();
  if (!pen.isFine) return;
  for (let i = 0; i < 60 * width * height; i += 1) {
    const [angle, far] = [random() * 2 * Math.PI, Math.sqrt(random())];
    const at = /** @type {Point} */ ([cx + Math.cos(angle) * far * rx, cy + Math.sin(angle) * far * ry]);
    const to = /** @type {Point} */ ([
      at[0] + between(random, -0.14, 0.14),
      at[1] + between(random, -0.14, 0.14),
    ]);
    pen.line([at, to], ["#e0c26c", "#8b6c2a", "#f0da92", "#c3a04c"][Math.floor(random() * 4)], 0.02);
  }
}

/** A fence along a line. @param {Pen} pen @param {Point} from @param {Point} to */
export function paintFence(pen, from, to) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const posts = Math.max(1, Math.round(length / 0.8));
  pen.shadowed(0.08, 0.12, 0.08, "rgba(0,0,0,.7)", () => pen.line([from, to], "#5e4225", 0.09));
  pen.line([from, to], "#9b7444", 0.03);
  for (let i = 0; i <= posts; i += 1) {
    const at = /** @type {Point} */ (
      [0, 1].map((axis) => from[axis] + ((to[axis] - from[axis]) * i) / posts)
    );
    paintBox(pen, [at[0] - 0.1, at[1] - 0.1, 0.2, 0.2], "#7d5a32");
  }
}
