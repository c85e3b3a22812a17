/**
 * A bar that plays an act step by step: back, play or pause, forward, close; the arrow keys, Home, End and the space
 * bar do the same. It shows the sentence of each step; the caller draws the board.
 */

import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** @import {ActStep} from "../../../types/contract.js" */

const STEP_MS = 2200;

/** Plays the steps of one act. */
export class ReplayBar {
  #index = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} host
   * @param {ActStep[]} steps
   * @param {{onStep: (index: number) => void, onClose: () => void}} handlers
   */
  constructor(host, steps, { onStep, onClose }) {
    this.steps = steps;
    this.onStep = onStep;
    this.onClose = onClose;
    this.text = el("p", { class: "replay-text", role: "status" });
    this.count = el("span", { class: "replay-count" });
    this.playButton = this.#button("replay-play", "Replay.Play", "▶", () => this.toggle());
    this.element = el(
      "section",
      { class: "replay", tabIndex: -1, "aria-label": localize("Replay.Title") },
      this.text,
      el(
        "div",
        { class: "replay-buttons" },
        this.#button("replay-first", "Replay.First", "⏮", () => this.go(0)),
        this.#button("replay-back", "Replay.Back", "◀", () => this.go(this.#index - 1)),
        this.playButton,
        this.#button("replay-forward", "Replay.Forward", "▸", () => this.go(this.#index + 1)),
        this.#button("replay-last", "Replay.Last", "⏭", () => this.go(steps.length - 1)),
        this.count,
        this.#button("replay-close", "Replay.Close", "×", () => this.close()),
      ),
    );
    this.element.addEventListener("keydown", (event) => this.#key(event));
    host.replaceChildren(this.element);
    this.#show(0);
  }

  /** Play from this step, or from the start if it is the last; pause if it plays. */
  toggle() {
    if (this.isPlaying) return this.pause();
    if (this.#index === this.steps.length - 1) this.#show(0);
    this.#schedule();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#showButton();
  }

  get isPlaying() {
    return this.#timer !== undefined;
  }

  /** Show one step, and pause. @param {number} index */
  go(index) {
    this.pause();
    this.#show(Math.min(Math.max(index, 0), this.steps.length - 1));
  }

  close() {
    this.pause();
    this.element.remove();
    this.onClose();
  }

  #schedule() {
    this.#timer = setTimeout(() => {
      this.#show(this.#index + 1);
      if (this.#index < this.steps.length - 1) this.#schedule();
      else this.pause();
    }, STEP_MS);
    this.#showButton();
  }

  /** @param {number} index */
  #show(index) {
    this.#index = index;
    this.text.textContent = this.steps[index].text || localize("Replay.Before");
    this.count.textContent = `${index}/${this.steps.length - 1}`;
    this.onStep(index);
  }

  #showButton() {
    const label = localize(this.isPlaying ? "Replay.Pause" : "Replay.Play");
    this.playButton.textContent = this.isPlaying ? "⏸" : "▶";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const keys = {
      ArrowLeft: () => this.go(this.#index - 1),
      ArrowRight: () => this.go(this.#index + 1),
      Home: () => this.go(0),
      End: () => this.go(this.steps.length - 1),
      Escape: () => this.close(),
    };
    const act = /** @type {Record<string, () => void>} */ (keys)[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {string} id @param {string} label @param {string} text @param {() => void} onclick */
  #button(id, label, text, onclick) {
    const name = localize(label);
    return el("button", { type: "button", id, "aria-label": name, title: name, onclick }, text);
  }
}
