/** The picture under the board: loaded when the map names another, scaled to the board, and cut off at its border. */

import { boardSize } from "../../core/map/geometry.js";

/** @import {Scene} from "../../../types/contract.js" */
/** @import {Container} from "pixi.js" */

/** Shows a scene's picture at the bottom of a container. */
export class Background {
  /** The address of the picture that is shown or on its way. */
  #address = "";

  /**
   * @param {Container} world
   * @param {any} renderer PIXI's
   * @param {() => void} onShow is called when a picture has come
   */
  constructor(world, renderer, onShow) {
    this.renderer = renderer;
    this.onShow = onShow;
    this.sprite = new PIXI.Sprite();
    this.mask = new PIXI.Graphics();
    this.sprite.mask = this.mask;
    world.addChild(this.sprite, this.mask);
  }

  /** Show a scene's picture, or none. @param {Scene} scene */
  show(scene) {
    const { background: address, grid } = scene;
    this.#address = address;
    this.sprite.visible = false;
    if (!address) return;
    const [width, height] = boardSize(grid);
    const picture = new Image();
    picture.onload = () => {
      if (address !== this.#address) return; // another map came meanwhile
      this.sprite.texture = PIXI.Texture.from(this.#drawable(picture));
      this.sprite.texture.baseTexture.mipmap = PIXI.MIPMAP_MODES.ON;
      // The part of the picture that the address names fills the board; the rest would lie beside it.
      const [left, top, across, down] = pictureArea(address) ?? [
        0,
        0,
        picture.naturalWidth,
        picture.naturalHeight,
      ];
      const [x, y] = [width / across, height / down];
      this.sprite.position.set(-left * x, -top * y);
      Object.assign(this.sprite, {
        width: picture.naturalWidth * x,
        height: picture.naturalHeight * y,
        visible: true,
      });
      this.mask.clear().beginFill(0).drawRect(0, 0, width, height).endFill();
      this.onShow();
    };
    picture.src = address;
  }

  /** Return a picture that the graphics card can hold: a larger one is scaled down. @param {HTMLImageElement} picture */
  #drawable(picture) {
    const { gl } = this.renderer;
    const most = gl?.getParameter(gl.MAX_TEXTURE_SIZE) ?? 4096;
    const scale = most / Math.max(picture.naturalWidth, picture.naturalHeight);
    if (scale >= 1) return picture;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.naturalWidth * scale, picture.naturalHeight * scale];
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas;
  }
}

/**
 * Return the part of a picture that its address names (W3C Media Fragments): left, top, width and height in pixels. A
 * board that begins beside its picture has a negative left or top.
 * @param {string} address
 * @returns {number[] | null}
 */
function pictureArea(address) {
  const found = address
    .match(/#xywh=pixel:(-?\d+),(-?\d+),(\d+),(\d+)$/)
    ?.slice(1)
    .map(Number);
  return found && found[2] > 0 && found[3] > 0 ? found : null;
}
