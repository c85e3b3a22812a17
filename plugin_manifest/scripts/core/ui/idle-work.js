/** Work that may come late: a few milliseconds at a time, while the browser has nothing else to do. */

/** So long the browser waits for a slice of the work, in milliseconds. */
const SLICE_MS = 6;
/** The work waits no longer for a page that never rests, such as one that draws all the time. */
const LATEST_MS = 1000;

/** @type {(() => void)[]} */
const waiting = [];

/** Do a piece of work once the page rests, after those that were given before. @param {() => void} work */
export function whenIdle(work) {
  if (!waiting.length) schedule();
  waiting.push(work);
}

/** Safari knows no idle time; a task there lets the frame go first. */
const schedule = () =>
  window.requestIdleCallback
    ? window.requestIdleCallback(doSome, { timeout: LATEST_MS })
    : setTimeout(doSome);

function doSome() {
  const end = performance.now() + SLICE_MS;
  while (waiting.length && performance.now() < end) waiting.shift()?.();
  if (waiting.length) schedule();
}
