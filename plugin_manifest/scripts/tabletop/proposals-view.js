/** Changes of the tabletop that wait for the GM's decision. */

import { button, firstClick } from "../core/ui/controls.js";
import { el, replaceContent } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";

/** @import {Store} from "../core/game/store.js" */
/** @import {PendingWrites} from "./pending-writes.js" */
/** @import {Write} from "./writes.js" */

/** @typedef {{pendingWrites: PendingWrites, store: Store}} Proposals */

/** Fills an element with the list and keeps it current. @param {HTMLElement} host @param {Proposals} context */
export function proposalsView(host, context) {
  const show = () => replaceContent(host, ...content(context));
  context.pendingWrites.subscribe(show);
  show();
}

/** @param {Proposals} context */
function content({ pendingWrites, store }) {
  const { list } = pendingWrites;
  if (!list.length) return [el("p", { class: "quiet" }, localize("Proposals.None"))];
  const name = (/** @type {string} */ id) =>
    store.state.replica?.scene.tokens.find((token) => token.id === id)?.name ?? id;
  const rows = list.map((write, i) => {
    const accept = firstClick(() => pendingWrites.accept([write]));
    const text = `${describeWrite(write, name)} `;
    return el("li", {}, text, button(`enfilade-write-${i}`, localize("Proposals.Write"), accept));
  });
  const acceptAll = firstClick(() => pendingWrites.accept(list));
  const all = button("enfilade-write-all", localize("Proposals.All"), acceptAll, { class: "primary" });
  const none = button(
    "enfilade-write-none",
    localize("Proposals.Discard"),
    firstClick(() => pendingWrites.declineAll()),
  );
  return [el("ul", { class: "proposals" }, ...rows), el("div", { class: "buttons" }, all, none)];
}

/** @param {Write} write @param {(id: string) => string} name */
function describeWrite(write, name) {
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
