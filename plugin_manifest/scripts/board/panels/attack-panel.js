/** The panel beside a target: every act against it, and a field for physical dice. */

import { diceField, setFaceHint } from "../../core/dice/notation.js";
import { tokenCenter } from "../../core/draw/geometry.js";
import { reactionLabels, targetsByToken } from "../../core/draw/overlay-marks.js";
import { canEnterDice, hasChanged, isGm, selectedToken } from "../../core/game/store.js";
import { actView } from "../../core/ui/act-view.js";
import { button, checkbox, field } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { toView } from "../page/camera.js";

/** @import {Target, Token} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

const GAP_PX = 46;
const EDGE_PX = 8;

/** Shows the acts against the state's `target`. */
export class AttackPanel {
  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} board gets the focus when the panel closes
   * @param {{store: Store, session: Session, commands: GmCommands}} parts
   */
  constructor(host, board, { store, session, commands }) {
    this.host = host;
    this.board = board;
    this.store = store;
    this.session = session;
    this.commands = commands;
    this.dice = diceField("attack-dice", localize("Attack.ServerRolls"));
    this.physical = el("input", { type: "checkbox", id: "attack-physical" });
    this.hidden = el("input", { type: "checkbox", id: "attack-hidden" });
    host.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
    store.subscribe(
      (state, before) =>
        hasChanged(state, before, "target", "overlay", "camera", "replica") && this.#show(state, before),
    );
  }

  #close() {
    this.store.set({ target: null });
  }

  /** @param {PageState} state @param {PageState} before */
  #show(state, before) {
    const token = state.replica?.scene.tokens.find((other) => other.id === state.target);
    const acts = (state.overlay && state.target && targetsByToken(state.overlay).get(state.target)) || [];
    const isOpen = Boolean(token && acts.length);
    const wasFocused = this.host.contains(document.activeElement);
    this.host.hidden = !isOpen;
    if (!isOpen && wasFocused) this.board.focus();
    if (!token || !isOpen) return;
    if (state.target !== before.target) this.dice.value = ""; // the faces belonged to another attack
    if (hasChanged(state, before, "target", "overlay")) this.#fill(token, acts);
    this.#moveBeside(state, token);
    if (state.target !== before.target) this.#focusFirst();
  }

  /** @param {Token} token @param {Target[]} acts */
  #fill(token, acts) {
    const { state } = this.store;
    setFaceHint(this.dice, state.replica?.ruleset.faces ?? []);
    const title = `${selectedToken(state)?.name ?? ""} → ${token.name}`;
    const close = button("attack-close", "×", () => this.#close(), {
      class: "plain",
      "aria-label": localize("Window.Close"),
    });
    const reactions = reactionLabels(state.overlay, token).map((label) => el("li", {}, label));
    const select = () => this.session.select(token.id);
    replaceContent(
      this.host,
      el("div", { class: "panel-head" }, el("h2", { id: "attack-title" }, title), close),
      el(
        "ul",
        { class: "acts" },
        ...acts.map((act, i) => actView(act, i, (chosen) => this.#act(chosen), state.replica?.scene.tokens)),
      ),
      reactions.length
        ? el("ul", { class: "reactions", "aria-label": localize("Attack.Reactions") }, ...reactions)
        : "",
      ...(canEnterDice(state)
        ? [field(localize("Dice.Enter"), this.dice), checkbox(this.physical, localize("Attack.PhysicalDice"))]
        : []),
      isGm(state) ? checkbox(this.hidden, localize("Attack.HiddenRoll")) : "",
      button("attack-select", localize("Attack.SelectInstead", { name: token.name }), select, {
        class: "quiet-button",
      }),
    );
  }

  /** @param {Target} target */
  async #act(target) {
    const options = { isPhysical: this.physical.checked, isHidden: this.hidden.checked };
    if (await this.commands.act(target.act, this.dice.value, options)) this.dice.value = "";
  }

  #focusFirst() {
    const first = this.host.querySelector("button.primary") ?? this.host.querySelector("button");
    /** @type {HTMLElement | null} */ (first)?.focus();
  }

  /** Move the panel beside its target, inside the view. @param {PageState} state @param {Token} token */
  #moveBeside({ camera, replica }, token) {
    if (!replica || !token.at) return;
    const [x, y] = toView(camera, tokenCenter(replica.scene.grid, token, token.at));
    const [width, height] = [this.host.offsetWidth, this.host.offsetHeight];
    const gap = GAP_PX * Math.max(0.6, camera.scale);
    const left = x + gap + width + EDGE_PX < this.board.clientWidth ? x + gap : x - gap - width;
    const top = Math.min(y - height / 3, this.board.clientHeight - height - EDGE_PX);
    this.host.style.left = `${Math.max(EDGE_PX, left)}px`;
    this.host.style.top = `${Math.max(EDGE_PX, top)}px`;
  }
}
