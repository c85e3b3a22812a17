/* global PIXI */
// The base class of canvas layers, as each generation has it.

import { isStrict } from "./strict.js";

/** The base class of canvas layers. */
export class CanvasLayer extends PIXI.Container {
  /** Returns the base class of a generation: 14 assigns `zIndex`, so a subclass with only a getter fails. */
  static of(generation) {
    if (generation < 14 || !isStrict("z-index")) return CanvasLayer;
    return class extends CanvasLayer {
      constructor() {
        super();
        this.zIndex = 0;
      }
    };
  }

  async draw() {
    await this.tearDown();
    await this._draw({});
    return this;
  }

  async tearDown() {
    await this._tearDown({});
    return this;
  }

  /** Abstract: a subclass that calls it makes the whole canvas fail. */
  async _draw() {
    if (isStrict("abstract-draw"))
      throw new Error(`The ${this.constructor.name} subclass of CanvasLayer must define the _draw method`);
  }

  async _tearDown() {
    for (const child of this.removeChildren()) child.destroy({ children: true });
  }
}
