/** A form that lets the GM override the rules after they have refused something. */

import { submitHandler } from "../core/ui/controls.js";
import { el } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";

/** @import {OverrideOffer} from "../../types/page.js" */

/**
 * Builds the form.
 * @param {string} sentence why the rules refused it
 * @param {OverrideOffer} offer
 * @param {() => void} dismiss called before the override is sent
 */
export function overrideForm(sentence, { label, override }, dismiss) {
  const reason = el("input", {
    type: "text",
    id: "enfilade-reason",
    value: localize("Override.DefaultReason"),
    maxLength: 200,
    required: true,
  });
  const onsubmit = submitHandler(() => {
    dismiss();
    override(reason.value);
  });
  return el(
    "form",
    { class: "form", onsubmit },
    el("p", { role: "alert" }, sentence),
    el("label", {}, localize("Override.Reason"), reason),
    el("button", { type: "submit", id: "enfilade-override-submit" }, label),
  );
}
