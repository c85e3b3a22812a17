/** The attack window: every act at the target with its odds, and the last result. */

import { diceField, setFaceHint } from "../core/dice/notation.js";
import { reactionLabels, targetsByToken } from "../core/draw/overlay-marks.js";
import { canEnterDice, hasChanged, isGm, selectedToken } from "../core/game/store.js";
import { actView } from "../core/ui/act-view.js";
import { checkbox, field } from "../core/ui/controls.js";
import { el, replaceContent } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";
import { logItem } from "../core/ui/log-entry.js";

/** @import {LogEntry, Target, Token} from "../../types/contract.js" */
/** @import {TabletopSeat} from "./seat.js" */

/** Shows the acts at a token and keeps them up to date. */
export class AttackView {
  /** @type {string | null} */
  #target = null;
  /** @type {LogEntry | null} */
  #result = null;
  dice = diceField("enfilade-dice", localize("Attack.ServerRolls"));
  physical = el("input", { type: "checkbox", id: "enfilade-physical" });
  hidden = el("input", { type: "checkbox", id: "enfilade-hidden" });
  list = el("div", {});
  // These stay in the window while the acts change, so that nothing interrupts a person who types faces.
  byDice = [
    field(localize("Dice.Enter"), this.dice),
    checkbox(this.physical, localize("Attack.PhysicalDice")),
  ];
  byGm = checkbox(this.hidden, localize("Attack.HiddenRoll"));

  /** @param {HTMLElement} host @param {Pick<TabletopSeat, "store" | "session" | "commands">} context */
  constructor(host, context) {
    this.context = context;
    host.append(this.list, ...this.byDice, this.byGm);
    context.store.subscribe(
      (state, before) => hasChanged(state, before, "selected", "overlay", "replica") && this.#show(),
    );
    context.session.client.on("entries", (entries) => this.#takeResult(entries));
  }

  /** @param {string} token */
  setTarget(token) {
    if (token !== this.#target) this.dice.value = ""; // they belong to another attack
    this.#target = token;
    this.#result = null;
    this.#show();
  }

  /** @param {LogEntry[]} entries */
  #takeResult(entries) {
    const latest = entries.findLast(({ facts }) => facts.result && facts.target === this.#target);
    if (!latest) return;
    this.#result = latest;
    this.#show();
  }

  #show() {
    const { store } = this.context;
    const target = store.state.replica?.scene.tokens.find(({ id }) => id === this.#target);
    const attacker = selectedToken(store.state);
    const content = target && attacker ? this.#content(attacker, target) : [hint("Attack.Choose")];
    replaceContent(this.list, ...content);
    for (const row of this.byDice) row.hidden = !target || !attacker || !canEnterDice(store.state);
    this.byGm.hidden = !target || !attacker || !isGm(store.state);
  }

  /** @param {Token} attacker @param {Token} target */
  #content(attacker, target) {
    const { overlay, replica } = this.context.store.state;
    const acts = (overlay && targetsByToken(overlay).get(target.id)) ?? [];
    setFaceHint(this.dice, replica?.ruleset.faces ?? []);
    const byGm = isGm(this.context.store.state);
    const items = acts.map((act, i) =>
      actView(act, i, (chosen) => this.#act(chosen), replica?.scene.tokens, byGm),
    );
    return [
      el("h2", {}, `${attacker.name} → ${target.name}`),
      this.#result ? el("ol", { class: "result", "aria-live": "polite" }, logItem(this.#result)) : "",
      acts.length ? el("ul", { class: "acts" }, ...items) : hint(overlay ? "Attack.Nothing" : "Attack.Wait"),
      ...reactionLabels(overlay, target).map((label) => el("p", { class: "reaction" }, label)),
    ];
  }

  /** @param {Target} target */
  async #act({ act }) {
    const how = { isPhysical: this.physical.checked, isHidden: this.hidden.checked };
    if (await this.context.commands.act(act, this.dice.value, how)) this.dice.value = "";
  }
}

/** @param {string} key */
const hint = (key) => el("p", { class: "quiet" }, localize(key));
