/** The attack window: every act at the target with its odds, and what came of the last one. */

import { actView } from "../../core/ui/act-view.js";
import { checkbox, field } from "../../core/ui/controls.js";
import { diceField, setFaceHint } from "../../core/dice/notation.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { reactionLabels, targetsByToken } from "../../core/draw/overlay-marks.js";
import { logItem } from "../../core/ui/log-entry.js";
import { hasChanged, isGm, canEnterDice, selectedToken } from "../../core/game/store.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {LogEntry, Target, Token} from "../../../types/contract.js" */
/** @import {Parts} from "../face.js" */

/** Fills an element with the acts at a token and keeps it up to date. */
export class AttackView {
  /** @type {string | null} the token that is aimed at */
  #aim = null;
  /** @type {LogEntry | null} */
  #result = null;
  dice = diceField("enfilade-dice", localize("Attack.ServerRolls"));
  real = el("input", { type: "checkbox", id: "enfilade-real" });
  secret = el("input", { type: "checkbox", id: "enfilade-secret" });

  /** @param {HTMLElement} host @param {Parts} parts */
  constructor(host, parts) {
    this.host = host;
    this.parts = parts;
    parts.store.subscribe(
      (state, before) => hasChanged(state, before, "selected", "overlay", "replica") && this.#show(),
    );
    parts.session.client.on("entries", (entries) => this.#hear(entries));
  }

  /** @param {string} token whom to aim at */
  aim(token) {
    if (token !== this.#aim) this.dice.value = ""; // those were for another attack
    this.#aim = token;
    this.#result = null;
    this.#show();
  }

  /** @param {LogEntry[]} entries keeps what came of an attack on the target */
  #hear(entries) {
    const latest = entries.findLast(({ facts }) => facts.result && facts.target === this.#aim);
    if (!latest) return;
    this.#result = latest;
    this.#show();
  }

  #show() {
    const { store } = this.parts;
    const token = store.state.replica?.scene.tokens.find(({ id }) => id === this.#aim);
    const attacker = selectedToken(store.state);
    replaceContent(
      this.host,
      ...(token && attacker ? this.#contents(attacker, token) : [hint("Attack.Choose")]),
    );
  }

  /** @param {Token} attacker @param {Token} token */
  #contents(attacker, token) {
    const { overlay, replica } = this.parts.store.state;
    const acts = (overlay && targetsByToken(overlay).get(token.id)) ?? [];
    setFaceHint(this.dice, replica?.ruleset.faces ?? []);
    const items = acts.map((act, i) => actView(act, i, (chosen) => this.#act(chosen)));
    return [
      el("h2", {}, `${attacker.name} → ${token.name}`),
      this.#result ? el("ol", { class: "result", "aria-live": "polite" }, logItem(this.#result)) : "",
      acts.length ? el("ul", { class: "acts" }, ...items) : hint(overlay ? "Attack.Nothing" : "Attack.Wait"),
      ...reactionLabels(overlay, token).map((says) => el("p", { class: "reaction" }, says)),
      ...(canEnterDice(this.parts.store.state) ? this.#realDice() : []),
      isGm(this.parts.store.state) ? checkbox(this.secret, localize("Attack.HiddenRoll")) : "",
    ];
  }

  #realDice() {
    return [field(localize("Dice.Enter"), this.dice), checkbox(this.real, localize("Attack.PhysicalDice"))];
  }

  /** @param {Target} target */
  async #act({ act }) {
    const how = { isPhysical: this.real.checked, isHidden: this.secret.checked };
    if (await this.parts.commands.act(act, this.dice.value, how)) this.dice.value = "";
  }
}

/** @param {string} key */
const hint = (key) => el("p", { class: "quiet" }, localize(key));
