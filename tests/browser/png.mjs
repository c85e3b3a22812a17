// PNG pictures for tests, encoded by hand: a map of squares with lines, and a plain picture.

import { deflateSync } from "node:zlib";

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = CRC[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return Buffer.concat([length, body, check]);
}

/** Returns a PNG whose pixels have the colors [red, green, blue] that `colorAt(x, y)` gives. */
export function png(width, height, colorAt) {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows.set(colorAt(x, y), y * (1 + 3 * width) + 1 + 3 * x);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns a file for `setInputFiles`: a map with dark lines every `cell` pixels, from `left` and `top` on. */
export function mapPicture({ width = 700, height = 520, cell = 50, left = 13, top = 7 } = {}) {
  const isLine = (x, y) => (x - left) % cell === 0 || (y - top) % cell === 0;
  const buffer = png(width, height, (x, y) => (isLine(x, y) ? [40, 40, 40] : [150, 170 + (x % 40), 120]));
  return { name: "old mill.png", mimeType: "image/png", buffer };
}

/** Returns a file with a plain picture for a unit. */
export const unitPicture = (color = [200, 30, 60]) => ({
  name: "hero.png",
  mimeType: "image/png",
  buffer: png(300, 400, () => color),
});
