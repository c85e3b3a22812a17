/** Pictures of units: loaded for the board, cut to a circle, and scaled down before they are sent to the table. */

import { localize } from "../../core/ui/i18n.js";

/** @import {Link, Notices} from "../../../types/page.js" */

const SIZE_PX = 256;
const QUALITY = 0.85;

/** The pictures of this page by their address. */
export class TokenPictures {
  /** @type {Map<string, HTMLCanvasElement | null>} null while a picture loads, or if it does not */
  #known = new Map();

  /** @param {() => void} onLoad is called after a picture has arrived */
  constructor(onLoad) {
    this.onLoad = onLoad;
  }

  /** Return a picture cut to a circle; null before it has arrived. @param {string} address */
  get(address) {
    if (!address.startsWith("/api/")) return null;
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    this.#known.set(address, null);
    const picture = new Image();
    picture.onload = () => {
      this.#known.set(address, square(picture, true));
      this.onLoad();
    };
    picture.src = address;
    return null;
  }
}

/**
 * Draw the middle square of a picture at the size of a unit's picture.
 * @param {HTMLImageElement} picture
 * @param {boolean} isRound
 */
function square(picture, isRound) {
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
 * Scale a picture down and store it at the table.
 * @param {Link} link of the GM
 * @param {Notices} notices
 * @param {File} file
 * @returns {Promise<string | null>} its address; null if it is no picture, or refused
 */
export async function sendPicture({ table, key }, notices, file) {
  const picture = new Image();
  picture.src = URL.createObjectURL(file);
  try {
    await picture.decode();
    const canvas = square(picture, false);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/webp", QUALITY));
    const path = `/api/tables/${encodeURIComponent(table)}/pictures`;
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await (await fetch(path, { method: "POST", body: blob, headers })).json();
    if (answer.image) return answer.image;
    notices.error(answer.error.sentence);
  } catch {
    notices.error(localize("Picture.Failed", { name: file.name }));
  } finally {
    URL.revokeObjectURL(picture.src);
  }
  return null;
}
