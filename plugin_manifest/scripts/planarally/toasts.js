/** Short messages at the edge of the page, which go by themselves. */

import { el } from "../core/ui/dom.js";

const SHOWN_MS = 8_000;

/** A list of messages, the newest last. */
export class Toasts {
  list = el("div", { class: "enfilade-toasts", role: "status", "aria-live": "polite" });

  /** @param {string} text @param {"info" | "error"} level */
  show(text, level) {
    if (!this.list.isConnected) document.body.append(this.list);
    const toast = el("p", { class: `enfilade-toast is-${level}` }, text);
    this.list.append(toast);
    setTimeout(() => toast.remove(), SHOWN_MS);
  }
}
