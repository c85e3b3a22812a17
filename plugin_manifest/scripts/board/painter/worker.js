/**
 * The map painter's own thread. It is told the scene and the tiles that are wanted, the most urgent first, and answers
 * with each as soon as it is painted. Between two tiles it takes the newest wishes.
 */

import { planMap } from "./plan.js";
import { paintTile, tileKey } from "./tile.js";

/** @import {Plan, PaintedScene} from "./plan.js" */
/** @import {TileSpec} from "./tile.js" */

/** A wanted tile; `has` is the key of what the page shows there, "" for nothing. */
/** @typedef {TileSpec & {has: string}} Wish */
/** @typedef {{scene?: {version: number, value: PaintedScene}, wishes?: Wish[]}} ToPainter */
/** @typedef {{version: number, spec: TileSpec, key: string, picture: ImageBitmap | null}} FromPainter `picture` is null if the page has it */

/** @type {Plan | null} */
let plan = null;
let version = 0;
/** @type {Wish[]} */
let wishes = [];
let isBusy = false;

/** Messages to itself, because timers wait for some milliseconds. */
const turns = new MessageChannel();
turns.port1.onmessage = () => paintNext();

self.onmessage = (/** @type {MessageEvent<ToPainter>} */ { data }) => {
  if (data.scene) {
    plan = planMap(data.scene.value);
    version = data.scene.version;
  }
  if (data.wishes) wishes = data.wishes;
  if (isBusy || !wishes.length) return;
  isBusy = true;
  turns.port2.postMessage(null);
};

function paintNext() {
  const wish = wishes.shift();
  isBusy = wishes.length > 0;
  if (wish && plan) answer(plan, wish);
  if (isBusy) turns.port2.postMessage(null);
}

/** @param {Plan} map @param {Wish} wish */
function answer(map, { has, ...spec }) {
  const key = tileKey(map, spec);
  const picture = key === has ? null : paintTile(map, spec).transferToImageBitmap();
  /** @type {FromPainter} */
  const message = { version, spec, key, picture };
  self.postMessage(message, { transfer: picture ? [picture] : [] });
}
