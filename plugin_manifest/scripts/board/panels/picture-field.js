/** A field for a unit's picture: shows it, takes another file, and takes it away. */

import { button, field } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { sendPicture } from "../page/token-pictures.js";

/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */

/**
 * @param {string} id
 * @param {string} image the address of the picture now; "" for none
 * @param {{session: Session, notices: Notices}} parts
 * @param {(image: string) => void} [onChange]
 * @returns {{row: HTMLElement, read: () => string}}
 */
export function pictureField(id, image, { session, notices }, onChange = () => {}) {
  let now = image;
  const input = el("input", { id, type: "file", accept: "image/png,image/jpeg,image/webp" });
  const shown = el("img", { class: "picture-now", alt: "" });
  const show = (/** @type {string} */ address) => {
    now = address;
    shown.hidden = remove.hidden = !address;
    if (address) shown.src = address;
  };
  const change = (/** @type {string} */ address) => {
    show(address);
    onChange(address);
  };
  const remove = button(`${id}-remove`, localize("Picture.Remove"), () => change(""));
  input.onchange = async () => {
    const file = input.files?.[0];
    const address = file && (await sendPicture(session.client.link, notices, file));
    if (address) change(address);
    input.value = "";
  };
  show(image);
  return {
    row: el("div", { class: "picture-field" }, shown, field(localize("Picture.Title"), input), remove),
    read: () => now,
  };
}
