/** What the table would have written into Foundry, for the GM to agree to or not. */

import { button } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Parts} from "../face.js" */
/** @import {Write} from "../writing/plan.js" */

/** @param {HTMLElement} host @param {Parts} parts */
export function proposalsView(host, parts) {
  const show = () => replaceContent(host, ...contents(parts));
  parts.proposals.watch(show);
  show();
}

/** @param {Parts} parts */
function contents({ proposals, store }) {
  if (!proposals.list.length) return [el("p", { class: "quiet" }, localize("Proposals.None"))];
  const name = (/** @type {string} */ id) =>
    store.state.replica?.scene.tokens.find((token) => token.id === id)?.name ?? id;
  const rows = proposals.list.map((write, i) =>
    el(
      "li",
      {},
      `${inWords(write, name)} `,
      button(`enfilade-write-${i}`, localize("Proposals.Write"), () => proposals.agree([write])),
    ),
  );
  const all = button("enfilade-write-all", localize("Proposals.All"), () => proposals.agree(proposals.list), {
    class: "primary",
  });
  const none = button("enfilade-write-none", localize("Proposals.Discard"), () => proposals.discard());
  return [el("ul", { class: "proposals" }, ...rows), el("div", { class: "buttons" }, all, none)];
}

/** @param {Write} write @param {(id: string) => string} name */
function inWords(write, name) {
  switch (write.kind) {
    case "hitPoints":
      return localize("Proposals.HitPoints", {
        name: name(write.token),
        value: write.value,
        most: write.most,
      });
    case "conditions":
      return localize(write.isOn ? "Proposals.Condition" : "Proposals.NoCondition", {
        name: name(write.token),
        condition: write.condition,
      });
    case "defeated":
      return localize(write.isOn ? "Proposals.Defeated" : "Proposals.NotDefeated", {
        name: name(write.token),
      });
    case "moves":
      return localize("Proposals.Move", { name: name(write.token) });
    case "order":
      return localize("Proposals.Order", { name: name(write.token) });
    case "round":
      return localize("Proposals.Round", { round: write.round });
    case "chat":
      return localize("Proposals.Chat", { text: write.entry.text });
    default:
      return localize("Proposals.Floating", { text: write.text });
  }
}
