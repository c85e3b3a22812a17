/**
 * A bar to scrub through a battle: a slider, back, play or pause, forward, the speed. The arrow keys, Page Up and Page Down,
 * Home, End and the space bar do the same. The caller draws the board.
 */

import { button, selectField } from "./controls.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @import {Moment} from "../game/past.js" */

/** Steps a second. */
const SPEEDS = [1, 2, 5, 10, 30, 60];
const LEAP = 10;
/** A page that cannot draw each entry in time leaves some out; one that was further behind goes on from where it is. */
const MOST_BEHIND_MS = 1_000;

/**
 * Shows one moment after another. While it plays, each moment is shown once `prepare` has what the caller draws with it.
 */
export class TimeBar {
  #number = 0;
  #isPlaying = false;
  #due = 0;
  #wanted = 0;

  /**
   * @param {HTMLElement} host
   * @param {{last: number, moment: (number: number) => Promise<Moment>, peek: (number: number) => Moment | null, onShow: (moment: Moment) => void, onFail: (error: unknown) => void, prepare?: (moment: Moment) => unknown, onClose?: () => void, tools?: HTMLElement[]}} options
   *   `onFail` takes the error of a moment that cannot be read; the bar stays where it is
   */
  constructor(host, { last, moment, peek, onShow, onFail, prepare, onClose, tools = [] }) {
    this.last = last;
    this.moment = moment;
    this.peek = peek;
    this.onShow = onShow;
    this.onFail = onFail;
    this.prepare = prepare;
    this.onClose = onClose;
    this.slider = el("input", {
      id: "past-slider",
      type: "range",
      min: "0",
      max: String(last),
      step: "1",
      "aria-label": localize("Past.Moment"),
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.text = el("p", { id: "past-text", role: "status" });
    this.count = el("span", { id: "past-count" });
    this.playButton = button("past-play", "▶", () => this.toggle());
    this.speed = selectField(
      "past-speed",
      SPEEDS.map((speed) => [String(speed), localize("Past.Speed", { speed })]),
      "2",
      { "aria-label": localize("Past.SpeedLabel") },
    );
    const step = (/** @type {string} */ id, /** @type {string} */ sign, /** @type {() => void} */ run) => {
      const name = localize(`Past.${id}`);
      return button(`past-${id.toLowerCase()}`, sign, run, { "aria-label": name, title: name });
    };
    this.element = el(
      "section",
      { class: "past", tabIndex: -1, "aria-label": localize("Past.Title") },
      this.text,
      this.slider,
      el(
        "div",
        { class: "past-buttons" },
        step("First", "|◀", () => this.go(0)),
        step("Back", "◀", () => this.go(this.#number - 1)),
        this.playButton,
        step("Forward", "▸", () => this.go(this.#number + 1)),
        step("Last", "▶|", () => this.go(this.last)),
        this.count,
        this.speed,
        ...tools,
        onClose ? step("Close", "×", () => this.close()) : "",
      ),
    );
    this.element.addEventListener("keydown", (event) => this.key(event));
    host.replaceChildren(this.element);
    this.#showButton();
  }

  get number() {
    return this.#number;
  }

  /** Take new entries into the slider. @param {number} last */
  grow(last) {
    this.last = last;
    this.slider.max = String(last);
    this.#showCount();
  }

  /** Show a moment, and pause. @param {number} number */
  async go(number) {
    this.pause();
    await this.#show(number);
  }

  /** Play from here, or from the start at the end; pause if it plays. */
  toggle() {
    if (this.#isPlaying) return this.pause();
    if (this.#number >= this.last) this.#number = 0;
    this.#isPlaying = true;
    this.#due = performance.now();
    this.#showButton();
    this.#play();
  }

  pause() {
    this.#isPlaying = false;
    this.#showButton();
  }

  close() {
    this.pause();
    this.element.remove();
    this.onClose?.();
  }

  /** Show the next moment when it is due, and so on; those that are overdue meanwhile are not drawn. */
  async #play() {
    while (this.#isPlaying && this.#number < this.last) {
      const interval = 1000 / Number(this.speed.value);
      this.#due = Math.max(this.#due + interval, performance.now() - MOST_BEHIND_MS);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, this.#due - performance.now())));
      const leftOut = Math.floor(Math.max(0, performance.now() - this.#due) / interval);
      this.#due += leftOut * interval;
      if (this.#isPlaying) await this.#show(this.#number + 1 + leftOut);
    }
    if (this.#isPlaying) this.pause();
  }

  /** @param {number} number */
  async #show(number) {
    const wanted = Math.min(Math.max(number, 0), this.last);
    this.#wanted = wanted;
    const found = this.peek(wanted) ?? (await this.#read(wanted));
    if (found && this.#isPlaying) await this.prepare?.(found);
    if (!found || this.#wanted !== wanted || !this.element.isConnected) return; // the person has moved on
    this.#number = wanted;
    this.slider.value = String(wanted);
    this.text.textContent = found.entry
      ? found.entry.text || localize("Past.Unseen")
      : localize("Past.Before");
    this.slider.setAttribute("aria-valuetext", this.text.textContent);
    this.#showCount();
    this.onShow(found);
    const next = wanted + 1;
    if (next <= this.last && !this.peek(next)) this.moment(next).catch(() => {}); // read ahead
  }

  /** Return a moment; null, and pause, if it cannot be read. @param {number} number */
  async #read(number) {
    try {
      return await this.moment(number);
    } catch (error) {
      this.pause();
      this.slider.value = String(this.#number);
      this.onFail(error);
      return null;
    }
  }

  #showCount() {
    this.count.textContent = `${this.#number}/${this.last}`;
  }

  #showButton() {
    const name = localize(this.#isPlaying ? "Past.Pause" : "Past.Play");
    this.playButton.textContent = this.#isPlaying ? "❚❚" : "▶";
    this.playButton.setAttribute("aria-label", name);
    this.playButton.title = name;
  }

  /** Handle a key of the bar, wherever the focus is. @param {KeyboardEvent} event */
  key(event) {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnButton = event.target instanceof HTMLButtonElement;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.go(this.#number - 1),
      ArrowRight: () => this.go(this.#number + 1),
      PageUp: () => this.go(this.#number - LEAP),
      PageDown: () => this.go(this.#number + LEAP),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      ...(this.onClose && { Escape: () => this.close() }),
      ...(!isOnButton && { " ": () => this.toggle() }),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}
