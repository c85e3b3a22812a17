/** Pictures of units: cut to a square, scaled down in the browser, and stored at the table. */

/** @import {Link} from "../../../types/page.js" */

/** The side of a unit's picture. */
const SIZE_PX = 256;
const QUALITY = 0.85;

/**
 * Draw the middle square of a picture at the size of a unit's picture.
 * @param {HTMLImageElement} picture
 * @param {boolean} isRound
 */
export function square(picture, isRound) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE_PX;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  if (isRound) {
    pen.beginPath();
    pen.arc(SIZE_PX / 2, SIZE_PX / 2, SIZE_PX / 2, 0, 2 * Math.PI);
    pen.clip();
  }
  const side = Math.min(picture.naturalWidth, picture.naturalHeight);
  const [x, y] = [(picture.naturalWidth - side) / 2, (picture.naturalHeight - side) / 2];
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, x, y, side, side, 0, 0, SIZE_PX, SIZE_PX);
  return canvas;
}

/**
 * Scale a loaded picture down and store it at the table.
 * @param {Link} link of the GM
 * @param {HTMLImageElement} picture
 * @returns {Promise<{image?: string, error?: {sentence: string}}>} its address, or why the table refuses it. Rejected
 *   if it is a picture of another site that the browser does not let this page read
 */
export async function uploadPicture({ url, table, key }, picture) {
  const drawn = square(picture, false);
  const blob = await new Promise((resolve) => drawn.toBlob(resolve, "image/webp", QUALITY));
  const address = `${url}/api/tables/${encodeURIComponent(table)}/pictures`;
  const headers = { Authorization: `Bearer ${key}` };
  return (await fetch(address, { method: "POST", body: blob, headers })).json();
}
