/** Frames while the map moves. A page at rest asks for none. */

/** The map rests once so many frames were the same as the one before. */
const STILL_FRAMES = 30;
/** A view that moves by itself, such as one that the GM sends, is noticed after so many milliseconds. */
const LOOK_MS = 100;
/** The events of a person who moves the map. */
const HANDS = ["pointerdown", "wheel", "keydown"];

/** Draws frame after frame while something changes. */
export class Frames {
  #still = STILL_FRAMES;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #looks;
  #isAsked = false;

  /**
   * @param {() => boolean} draw draws what has changed, and returns whether something has
   * @param {(frame: () => void) => unknown} ask asks for a frame
   * @param {EventTarget} hands what a person's events come to
   */
  constructor(draw, ask = (frame) => requestAnimationFrame(frame), hands = window) {
    this.draw = draw;
    this.ask = ask;
    for (const event of HANDS)
      hands.addEventListener(event, () => this.#looks !== undefined && this.wake(), {
        capture: true,
        passive: true,
      });
  }

  /** Draws from the next frame on, until nothing changes. */
  wake() {
    this.#still = 0;
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.ask(() => this.#frame());
  }

  /** Watches for what moves the map, or stops: with nothing over it, nothing has to follow. @param {boolean} isOn */
  watch(isOn) {
    if (isOn === (this.#looks !== undefined)) return;
    clearInterval(this.#looks);
    this.#looks = isOn ? setInterval(() => this.#look(), LOOK_MS) : undefined;
  }

  #look() {
    if (!this.#isAsked && this.draw()) this.wake();
  }

  #frame() {
    this.#isAsked = false;
    this.#still = this.draw() ? 0 : this.#still + 1;
    if (this.#still >= STILL_FRAMES) return;
    this.#isAsked = true;
    this.ask(() => this.#frame());
  }
}
