/** The portraits of the map's tokens, drawn a few at a time: the map shows plain shapes until they are ready. */

import { portraitCanvas } from "../../core/portraits/portrait.js";

/** @import {Scene, Token} from "../../../types/contract.js" */
/** @import {TokenPictures} from "./token-pictures.js" */

/** @typedef {{key: string, canvas: HTMLCanvasElement}} Portrait */

/** So long portraits are drawn without letting the browser do anything else, in milliseconds. */
const SLICE_MS = 6;

/** The portraits by what they show. */
export class TokenPortraits {
  /** @type {Map<string, Portrait>} */
  #known = new Map();
  /** @type {Map<string, () => Portrait>} those to be drawn */
  #wanted = new Map();

  /** @param {TokenPictures} pictures @param {() => void} onDraw is called after all that were wanted are drawn */
  constructor(pictures, onDraw) {
    this.pictures = pictures;
    this.onDraw = onDraw;
  }

  /** Return a token's portrait; null while it is being drawn. @param {Token} token @param {Scene} scene @returns {Portrait | null} */
  get(token, { sides }) {
    const picture = this.pictures.get(token.image);
    const side = sides.findIndex(({ id }) => id === token.side);
    const isDown = "downed" in token.conditions;
    const sideName = sides[side]?.name ?? "";
    const key = `${side} ${sideName} ${isDown} ${picture ? token.image : token.name + JSON.stringify(token.profile)}`;
    const known = this.#known.get(key);
    if (known) return known;
    if (!this.#wanted.size) setTimeout(() => this.#drawSome());
    this.#wanted.set(key, () => portraitCanvas(token, { side, sideName, isDown, picture }));
    return null;
  }

  #drawSome() {
    const end = performance.now() + SLICE_MS;
    for (const [key, draw] of this.#wanted) {
      this.#known.set(key, draw());
      this.#wanted.delete(key);
      if (performance.now() > end) break;
    }
    if (this.#wanted.size) setTimeout(() => this.#drawSome());
    else this.onDraw();
  }
}
