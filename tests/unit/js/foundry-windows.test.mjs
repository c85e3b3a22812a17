import assert from "node:assert/strict";
import { test } from "node:test";
import { freePlace } from "../../../plugin_manifest/scripts/foundry/applications/window-place.js";

/** The measures of a window as a browser returns them: not as properties of its own. */
const rectangle = (fields) => Object.create(fields);
const SIZE = { width: 380, height: 300 };
const VIEW = { width: 1280, height: 860 };

const overlap = (a, b) =>
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height;

/** Opens windows one after the other. */
function opened(count, view = VIEW, size = SIZE) {
  const boxes = [];
  for (let i = 0; i < count; i += 1)
    boxes.push({ ...freePlace(rectangle(size), boxes.map(rectangle), view), ...size });
  return boxes;
}

test("windows open beside each other as long as the screen has room", () => {
  const boxes = opened(4);
  for (const [i, box] of boxes.entries())
    for (const other of boxes.slice(i + 1)) assert.ok(!overlap(box, other), JSON.stringify([box, other]));
  assert.equal(boxes[0].top, boxes[1].top, "the second is beside the first, which may grow downwards");
});

test("windows stay on the screen, beside Foundry's tools and sidebar", () => {
  for (const { left, top } of opened(2)) {
    assert.ok(left >= 100 && left + SIZE.width <= VIEW.width - 300);
    assert.ok(top >= 0 && top + SIZE.height <= VIEW.height);
  }
  const small = { width: 480, height: 360 };
  for (const { left, top } of opened(5, small))
    assert.ok(left >= 0 && top >= 0 && left + SIZE.width <= small.width && top + SIZE.height <= small.height);
});

test("on a full screen no window opens exactly on another", () => {
  const places = opened(8).map(({ left, top }) => `${left} ${top}`);
  assert.equal(new Set(places).size, 8, String(places));
});

test("a window comes back where it was, unless another is there now", () => {
  const before = { left: 300, top: 400 };
  assert.deepEqual(freePlace(SIZE, [], VIEW, before), before);
  const other = { ...before, ...SIZE };
  assert.ok(!overlap({ ...freePlace(SIZE, [other], VIEW, before), ...SIZE }, other));
});
