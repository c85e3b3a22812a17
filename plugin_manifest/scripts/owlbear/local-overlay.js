/**
 * The overlay as local items, which only this client sees. All layers that changed go to the host in one message that
 * adds and one that deletes; while one is under way the newer state waits, so that nothing is drawn that is outdated.
 */

import { LAYERS } from "../core/game/layers.js";
import { WriteRefused } from "../tabletop/refusals.js";
import { OBR, OWN, ask, buildLabel, buildPath, buildText } from "./host.js";

/** @import {Drawn} from "./overlay-paths.js" */

const MARK = `${OWN}/overlay`;
const [BATCH_MS, RETRY_MS] = [30, 1_000];
/** The order of the layers; what is not listed lies on top. */
const ORDER = LAYERS.map(({ key }) => /** @type {string} */ (key));

/** Keeps the local items in step with what is to be shown. */
export class LocalOverlay {
  /** The items that each layer is to show. @type {Map<string, any[]>} */
  #wanted = new Map();
  /** The items that each layer has. @type {Map<string, any[]>} */
  #shown = new Map();
  /** The content of each layer as text: what it has already is not drawn again. @type {Map<string, string>} */
  #drawn = new Map();
  /** Items that are to go. @type {string[]} */
  #stale = [];
  #isDue = false;
  #isBusy = false;
  #failures = 0;

  /** Removes what an earlier page of this extension has left. */
  async clear() {
    const items = await ask(() => OBR.scene.local.getItems()).catch(() => []);
    const left = items.filter(({ metadata }) => MARK in metadata).map(({ id }) => id);
    this.#shown.clear();
    if (left.length) await ask(() => OBR.scene.local.deleteItems(left)).catch(() => {});
  }

  /** Forgets all items: the scene that had them is gone. */
  forget() {
    this.#shown.clear();
    this.#wanted.clear();
    this.#drawn.clear();
    this.#stale = [];
  }

  /** @param {string} layer @param {Drawn} drawn */
  show(layer, drawn) {
    const known = JSON.stringify(drawn);
    if (this.#drawn.get(layer) === known) return;
    this.#drawn.set(layer, known);
    const at = ORDER.indexOf(layer);
    const place = (at < 0 ? ORDER.length : at) * 1000;
    const finish = (/** @type {any} */ builder, /** @type {number} */ i) =>
      builder
        .layer("DRAWING")
        .locked(true)
        .disableHit(true)
        .disableAutoZIndex(true)
        .zIndex(place + i)
        .metadata({ [MARK]: layer })
        .build();
    const paths = drawn.paths.map(({ commands, style }, i) =>
      finish(
        buildPath()
          .commands(/** @type {any} */ (commands))
          .fillRule("nonzero")
          .style({ ...style, strokeDash: [] }),
        i,
      ),
    );
    const texts = drawn.texts.map(({ at: position, text, size, color }, i) =>
      finish(
        buildText()
          .textType("PLAIN")
          .plainText(text)
          .fontSize(size)
          .fontWeight(600)
          .textAlign("CENTER")
          .textAlignVertical("MIDDLE")
          .fillColor(color)
          .strokeColor("#14171c")
          .strokeWidth(size / 8)
          .width(size * 8)
          .height(size * 2)
          .position({ x: position.x - size * 4, y: position.y - size }),
        paths.length + i,
      ),
    );
    this.#set(layer, [...paths, ...texts]);
  }

  /** Shows lines beside a place; no lines remove them. @param {string} layer @param {{x: number, y: number}} at @param {string[]} lines */
  label(layer, at, lines) {
    const known = lines.length ? JSON.stringify([at, lines]) : "";
    if ((this.#drawn.get(layer) ?? "") === known) return;
    this.#drawn.set(layer, known);
    const item = buildLabel()
      .plainText(lines.join("\n"))
      .position(at)
      .layer("TEXT")
      .locked(true)
      .disableHit(true)
      .maxViewScale(1)
      .minViewScale(1)
      .metadata({ [MARK]: layer })
      .build();
    this.#set(layer, lines.length ? [item] : []);
  }

  /** @param {string} layer @param {any[]} items */
  #set(layer, items) {
    if (!items.length && !this.#shown.has(layer) && !this.#wanted.has(layer)) return;
    this.#wanted.set(layer, items);
    this.#schedule(BATCH_MS);
  }

  /** @param {number} ms */
  #schedule(ms) {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      if (!this.#isBusy) this.#send();
    }, ms);
  }

  async #send() {
    const now = this.#wanted;
    if (!now.size && !this.#stale.length) return;
    this.#wanted = new Map();
    this.#isBusy = true;
    const added = [...now.values()].flat();
    try {
      if (added.length) await ask(() => OBR.scene.local.addItems(added));
      this.#stale.push(...[...now.keys()].flatMap((layer) => this.#shown.get(layer) ?? []));
      for (const [layer, items] of now)
        this.#shown.set(
          layer,
          items.map(({ id }) => id),
        );
      now.clear(); // shown: what fails from here on is only the removal of the old
      const gone = this.#stale;
      if (gone.length) await ask(() => OBR.scene.local.deleteItems(gone));
      this.#stale = [];
      this.#failures = 0;
    } catch (problem) {
      this.#failures += 1;
      // What was asked for meanwhile is newer.
      for (const [layer, items] of now) if (!this.#wanted.has(layer)) this.#wanted.set(layer, items);
      if (!(problem instanceof WriteRefused) || problem.retryMs === null) {
        this.#wanted.clear();
        this.#drawn.clear();
        this.#stale = [];
      }
    }
    this.#isBusy = false;
    if (this.#wanted.size || this.#stale.length)
      this.#schedule(this.#failures ? RETRY_MS * 2 ** Math.min(5, this.#failures - 1) : BATCH_MS);
  }
}
