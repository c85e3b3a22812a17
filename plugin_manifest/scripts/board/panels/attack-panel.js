/** The panel beside a target: every act at it, and a field for the faces of real dice. */

import { diceField, setFaceHint } from "../../core/dice/notation.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { reactionLabels, targetsByToken } from "../../core/draw/overlay-marks.js";
import { tokenCenter } from "../../core/draw/geometry.js";
import { actView } from "../../core/ui/act-view.js";
import { toView } from "../page/camera.js";
import { button, checkbox, field } from "../../core/ui/controls.js";
import { hasChanged, isGm, selectedToken, canEnterDice } from "../../core/game/store.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Target, Token} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Notices} from "../page/notices.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

const ASIDE = 46;
const EDGE = 8;

/** Shows the acts at the state's `target`. */
export class AttackPanel {
  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} board where the focus goes back to
   * @param {{store: Store, session: Session, commands: GmCommands, notices: Notices}} parts
   */
  constructor(host, board, { store, session, commands, notices }) {
    this.host = host;
    this.board = board;
    this.store = store;
    this.session = session;
    this.commands = commands;
    this.notices = notices;
    this.dice = diceField("attack-dice", "rolled for you");
    this.real = el("input", { type: "checkbox", id: "attack-real" });
    this.secret = el("input", { type: "checkbox", id: "attack-secret" });
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
    const isShown = Boolean(token && acts.length);
    const wasFocused = this.host.contains(document.activeElement);
    this.host.hidden = !isShown;
    if (!isShown && wasFocused) this.board.focus();
    if (!token || !isShown) return;
    if (state.target !== before.target) this.dice.value = ""; // those were for another attack
    if (hasChanged(state, before, "target", "overlay")) this.#fill(token, acts);
    this.#stand(state, token);
    if (state.target !== before.target) this.#focus();
  }

  /** @param {Token} token what it may do about what is done, before it is done */
  #reactions(token) {
    const found = reactionLabels(this.store.state.overlay, token);
    if (!found.length) return "";
    return el(
      "ul",
      { class: "reactions", "aria-label": "Reactions" },
      ...found.map((says) => el("li", {}, says)),
    );
  }

  /** @param {Token} token @param {Target[]} acts */
  #fill(token, acts) {
    setFaceHint(this.dice, this.store.state.replica?.ruleset.faces ?? []);
    const { state } = this.store;
    const select = () => this.session.select(token.id);
    replaceContent(
      this.host,
      this.#head(token),
      el("ul", { class: "acts" }, ...acts.map((act, i) => actView(act, i, (chosen) => this.#act(chosen)))),
      this.#reactions(token),
      ...(canEnterDice(state) ? this.#realDice() : []),
      isGm(state) ? checkbox(this.secret, localize("Attack.Secret")) : "",
      button("attack-select", `Select ${token.name} instead`, select, { class: "quiet-button" }),
    );
  }

  #realDice() {
    return [field("Faces of real dice", this.dice), checkbox(this.real, localize("Attack.Real"))];
  }

  /** @param {Token} token */
  #head(token) {
    const attacker = selectedToken(this.store.state)?.name ?? "";
    const title = el("h2", { id: "attack-title" }, `${attacker} → ${token.name}`);
    const close = button("attack-close", "×", () => this.#close(), { class: "plain", "aria-label": "Close" });
    return el("div", { class: "panel-head" }, title, close);
  }

  /** @param {Target} target */
  async #act(target) {
    const how = { isReal: this.real.checked, isSecret: this.secret.checked };
    if (await this.commands.act(target.act, this.dice.value, how)) this.dice.value = "";
  }

  #focus() {
    const first = this.host.querySelector("button.primary") ?? this.host.querySelector("button");
    /** @type {HTMLElement | null} */ (first)?.focus();
  }

  /** @param {PageState} state @param {Token} token puts the panel beside its target, inside the view */
  #stand({ camera, replica }, token) {
    if (!replica || !token.at) return;
    const [x, y] = toView(camera, tokenCenter(replica.scene.grid, token, token.at));
    const room = [this.board.clientWidth, this.board.clientHeight];
    const [width, height] = [this.host.offsetWidth, this.host.offsetHeight];
    const aside = ASIDE * Math.max(0.6, camera.scale);
    const left = x + aside + width + EDGE < room[0] ? x + aside : x - aside - width;
    this.host.style.left = `${Math.max(EDGE, left)}px`;
    this.host.style.top = `${Math.max(EDGE, Math.min(y - height / 3, room[1] - height - EDGE))}px`;
  }
}
