/** The form that connects a page to a table by its link, and says why it cannot. */

import { button, field, submitHandler } from "../core/ui/controls.js";
import { el, replaceContent } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";
import { onceAllowed } from "./probe.js";
import { parseSeatLink } from "./seat-link.js";

/** @import {Link} from "../../types/page.js" */

/**
 * Builds the form.
 * @param {object} options
 * @param {string} options.server the address to fill in
 * @param {boolean} options.isFixed the page belongs to this server, and can connect to no other
 * @param {string} options.needs what connecting needs, said first
 * @param {(link: Link) => Promise<string[]>} options.check returns why a link does not work; nothing if it does
 * @param {(link: Link) => unknown} options.connect called with a link that works
 * @param {() => unknown} [options.forget] called to forget the link; without it there is no button for that
 * @returns {{element: HTMLElement, link: HTMLInputElement, address: HTMLInputElement, tell: (sentence: string) => void}} `link` and
 *   `address` are the fields
 */
export function connectForm({ server, isFixed, needs, check, connect, forget }) {
  const link = el("input", { id: "enfilade-link", type: "text", autocomplete: "off", required: true });
  const address = el("input", {
    id: "enfilade-server",
    type: "url",
    value: server,
    required: true,
    disabled: isFixed,
  });
  const status = el("ul", { id: "enfilade-diagnosis", role: "status" });
  const tell = (/** @type {string[]} */ sentences) =>
    replaceContent(status, ...sentences.map((one) => el("li", {}, one)));
  link.onchange = () => {
    const { url } = parseSeatLink(link.value) ?? {};
    if (url && !isFixed) address.value = url;
  };
  const onsubmit = submitHandler(async () => {
    const seat = parseSeatLink(link.value);
    if (!seat) return tell([localize("Connect.NoLink")]);
    if (isFixed && seat.url && seat.url !== server)
      return tell([localize("Tabletop.OtherServer", { server, other: seat.url })]);
    tell([localize("Connect.Trying")]);
    const url = address.value.replace(/\/+$/, "");
    const given = { ...seat, url };
    const problems = await check(given);
    tell(problems);
    if (!problems.length) return connect(given);
    // The browser may be asking the user just now: the answer comes later than the sentence.
    return onceAllowed(() => element.isConnected && element.requestSubmit());
  });
  /** @type {HTMLFormElement} */
  const element = el(
    "form",
    { class: "form", onsubmit },
    el("p", {}, needs),
    field(localize("Connect.Link"), link),
    field(localize("Connect.Server"), address),
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "submit", id: "enfilade-connect-go", class: "primary" }, localize("Connect.Go")),
      forget ? button("enfilade-forget", localize("Tabletop.Forget"), forget) : "",
    ),
    status,
  );
  return { element, link, address, tell: (sentence) => tell([sentence]) };
}
