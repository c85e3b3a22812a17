/** Follows the tabletop and the table's scene on this page: sends the scene when it changes, and draws on the map of that scene alone. */

import { TableStrip } from "./applications/table-strip.js";
import { guarded, onHook } from "./boundary.js";
import { placeName } from "./read/table-scene.js";

/** @import {ConnectionManager} from "./connection-manager.js" */

/** Compares where the table is with where it was, after all that may change it. */
export class TableWatch {
  #strip = new TableStrip();
  #last = "";

  /** @param {ConnectionManager} manager */
  constructor(manager) {
    this.manager = manager;
    manager.onConnect(() => {
      this.#last = placeName();
      this.#strip.show(manager.client !== null);
    });
  }

  /** Follows the tabletop for as long as the page is open. */
  register() {
    const { manager } = this;
    manager.tabletop.watch({
      changed: this.check,
      selection: () => manager.seatUi?.select(),
      hover: (id) => manager.seatUi?.hover(id),
    });
    onHook("canvasReady", () => this.#redraw());
  }

  /** Tells the bridge and the page's own UI if the table is in another scene or level than before. */
  check = guarded("scene", () => {
    const name = placeName();
    if (name !== this.#last) {
      this.#last = name;
      if (name) this.manager.bridge?.outbox.addScene();
      this.#redraw();
    }
    this.#strip.show(this.manager.client !== null);
  });

  #redraw() {
    this.manager.seatUi?.repaint();
    this.manager.seatUi?.select();
  }
}
