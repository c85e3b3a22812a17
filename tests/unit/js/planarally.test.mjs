import assert from "node:assert/strict";
import { test } from "node:test";
import { Frames } from "../../../plugin_manifest/scripts/planarally/frames.js";

/** A page whose frames come one by one; `isMoving` says whether the map has moved since the last. */
function page() {
  const seen = { frames: [], drawn: 0, isMoving: false, hands: new EventTarget() };
  const draw = () => {
    seen.drawn += 1;
    return seen.isMoving;
  };
  const frames = new Frames(draw, (frame) => seen.frames.push(frame), seen.hands);
  const pass = (count) => {
    for (let i = 0; i < count && seen.frames.length; i += 1) seen.frames.shift()();
  };
  return { seen, frames, pass };
}

test("an overlay follows the map frame by frame, and asks for none once it rests", () => {
  const { seen, frames, pass } = page();
  assert.equal(seen.frames.length, 0);
  frames.wake();
  frames.wake();
  seen.isMoving = true;
  pass(100);
  assert.deepEqual([seen.drawn, seen.frames.length], [100, 1]);
  seen.isMoving = false;
  pass(100);
  assert.equal(seen.frames.length, 0);
  assert.ok(seen.drawn < 140);
});

test("a hand on the map wakes it while something is shown, and nothing does while nothing is", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const { seen, frames, pass } = page();
  const press = () => seen.hands.dispatchEvent(new Event("wheel"));
  press();
  context.mock.timers.tick(1_000);
  assert.deepEqual([seen.frames.length, seen.drawn], [0, 0]);
  frames.watch(true);
  press();
  assert.equal(seen.frames.length, 1);
  pass(100);
  seen.isMoving = true; // by another hand than this page's
  context.mock.timers.tick(100);
  assert.equal(seen.frames.length, 1);
  seen.isMoving = false;
  pass(100);
  frames.watch(false);
  const { drawn } = seen;
  press();
  context.mock.timers.tick(1_000);
  assert.deepEqual([seen.frames.length, seen.drawn], [0, drawn]);
});
