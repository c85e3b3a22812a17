/** Notices when the page comes back: the lid is opened, the network is there again, or the tab is shown after a while. */

const BEAT_MS = 2000;
/** A pause so long while the page is visible means that the computer slept. */
const SLEPT_MS = 8000;
/** A page hidden for less time has lost nothing. */
const HIDDEN_MS = 10_000;

/**
 * Call back each time the page comes back.
 * @param {() => void} onWakeUp
 * @returns {() => void} ends the watch
 */
export function watchWakeUp(onWakeUp) {
  if (typeof document === "undefined") return () => {}; // outside a browser
  let last = Date.now();
  let hiddenAt = 0;
  const beat = setInterval(() => {
    const slept = Date.now() - last;
    last = Date.now();
    if (slept > SLEPT_MS && !document.hidden) onWakeUp();
  }, BEAT_MS);
  const show = () => {
    const hiddenFor = hiddenAt ? Date.now() - hiddenAt : 0;
    hiddenAt = document.hidden ? Date.now() : 0;
    last = Date.now();
    if (hiddenFor > HIDDEN_MS) onWakeUp();
  };
  const back = (/** @type {PageTransitionEvent} */ { persisted }) => persisted && onWakeUp();
  document.addEventListener("visibilitychange", show);
  window.addEventListener("online", onWakeUp);
  window.addEventListener("pageshow", back);
  return () => {
    clearInterval(beat);
    document.removeEventListener("visibilitychange", show);
    window.removeEventListener("online", onWakeUp);
    window.removeEventListener("pageshow", back);
  };
}
