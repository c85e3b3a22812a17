/** A dialog with a text that a person copies by hand, where the page may not use the clipboard. */

import { el } from "./dom.js";
import { localize } from "./i18n.js";

/** Open the dialog with the text selected. @param {HTMLElement} page @param {string} text */
export function showCopyDialog(page, text) {
  const field = el("textarea", { readOnly: true, value: text, "aria-label": localize("Log.AsText") });
  const close = el("button", { class: "primary" }, localize("Window.Close"));
  const dialog = el(
    "dialog",
    { class: "copy", "aria-labelledby": "copy-title", onclose: () => dialog.remove() },
    el("h2", { id: "copy-title" }, localize("Log.CopyByHand")),
    field,
    el("form", { method: "dialog" }, close),
  );
  page.append(dialog);
  dialog.showModal();
  field.select();
}
