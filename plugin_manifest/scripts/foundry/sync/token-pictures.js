/**
 * The pictures of Foundry's tokens at the table. The GM's browser loads each, scales it down and uploads it, so that
 * the table's server requests nothing from anywhere, and pages load pictures from that server only.
 */

import { uploadPicture } from "../../core/ui/picture-upload.js";

/** @import {Link} from "../../../types/page.js" */
/** @import {Source} from "../read/scene.js" */

/** A scene has so many different pictures, at most; more are left out. */
const MOST_PICTURES = 100;
/** Foundry's picture of a token without one: the table draws its own. */
const DEFAULT_PICTURE = /mystery-man\.svg$/;
const VIDEO = /\.(webm|mp4|m4v|ogv|ogg)$/i;
const PAUSE_MS = 150;

/** Uploads the pictures of tokens, each once. */
export class TokenPictures {
  /** The address at the table of each picture, by its address in Foundry; "" if it cannot be had. @type {Map<string, string>} */
  #addresses = new Map();
  /** Tokens whose picture changed while this page was open. @type {Set<string>} */
  #changed = new Set();
  /** The picture of each token that was uploaded for it, so that it is sent once. @type {Map<string, string>} */
  #sent = new Map();

  /** @param {Link} link of the GM @param {(source: string) => Promise<HTMLImageElement>} [load] */
  constructor(link, load = loadPicture) {
    this.link = link;
    this.load = load;
  }

  /** Notes that a token got another picture. @param {string} token */
  change(token) {
    this.#changed.add(token);
  }

  /** Returns the address at the table of a token's picture; "" if it is not there. @param {Source} token */
  addressOf(token) {
    return this.#addresses.get(sourceOf(token)) ?? "";
  }

  /**
   * Uploads the pictures that the table lacks.
   * @param {Source[]} tokens
   * @param {(token: string) => string} imageAt returns the picture of a token at the table; "" without one
   * @returns {Promise<string[]>} the tokens whose picture has come to the server now
   */
  async upload(tokens, imageAt) {
    /** @type {string[]} */
    const ready = [];
    for (const token of tokens) {
      const [source, image] = [sourceOf(token), imageAt(token._id)];
      const isWanted = source && (image === "" || this.#changed.has(token._id));
      if (!isWanted || this.#sent.get(token._id) === source) continue;
      if (!this.#addresses.has(source) && this.#addresses.size < MOST_PICTURES)
        this.#addresses.set(source, await this.#upload(source));
      this.#changed.delete(token._id);
      this.#sent.set(token._id, source);
      if (this.#addresses.get(source)) ready.push(token._id);
    }
    return ready;
  }

  /** @param {string} source @returns {Promise<string>} */
  async #upload(source) {
    try {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS)); // the server limits requests
      return (await uploadPicture(this.link, await this.load(source))).image ?? "";
    } catch {
      return ""; // gone, no picture, or of a site that forbids other pages to read it
    }
  }
}

/** Returns the address in Foundry of a token's picture; "" if the table has no use for it. @param {Source} token */
export function sourceOf({ texture }) {
  const source = texture?.src;
  if (typeof source !== "string" || !source) return "";
  const path = source.split(/[?#]/)[0];
  return DEFAULT_PICTURE.test(path) || VIDEO.test(path) ? "" : source;
}

/** @param {string} source relative to Foundry's page, or the address of a site */
async function loadPicture(source) {
  const picture = new Image();
  picture.crossOrigin = "anonymous"; // a picture of another site is read only with that site's leave
  const { protocol, href } = new URL(source, document.baseURI);
  if (protocol !== "http:" && protocol !== "https:") throw new TypeError(`No picture has ${protocol}`);
  picture.src = href;
  await picture.decode();
  if (!picture.naturalWidth) throw new TypeError("The picture has no size");
  return picture;
}
