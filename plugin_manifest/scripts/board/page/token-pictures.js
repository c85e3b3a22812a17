/** Pictures of units: loaded for the board and cut to a circle; and those that the GM chooses as files. */

import { localize } from "../../core/ui/i18n.js";
import { square, uploadPicture } from "../../core/ui/picture-upload.js";

/** @import {Link, Notices} from "../../../types/page.js" */

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
 * Scale a picture down and store it at the table.
 * @param {Link} link of the GM
 * @param {Notices} notices
 * @param {File} file
 * @returns {Promise<string | null>} its address; null if it is no picture, or refused
 */
export async function sendPicture(link, notices, file) {
  const picture = new Image();
  picture.src = URL.createObjectURL(file);
  try {
    await picture.decode();
    const answer = await uploadPicture(link, picture);
    if (answer.image) return answer.image;
    notices.error(answer.error?.sentence ?? localize("Picture.Failed", { name: file.name }));
  } catch {
    notices.error(localize("Picture.Failed", { name: file.name }));
  } finally {
    URL.revokeObjectURL(picture.src);
  }
  return null;
}
