/** The panel beside a target: every act at it, and a field for the faces of real dice. */

import { facesIn } from "../core/dice.js";
import { el, refill } from "../core/dom.js";
import { targetsByToken } from "../core/draw-list.js";
import { middle } from "../core/geometry.js";
import { actView } from "./act-view.js";
import { toView } from "./camera.js";
import { changed } from "./store.js";

/** @import {Target, Token} from "../../types/contract.js" */
/** @import {PageState} from "../../types/page.js" */
/** @import {Deeds} from "./deeds.js" */
/** @import {Notices} from "./notices.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

const ASIDE = 46;
const EDGE = 8;

/** Shows the acts at the state's `target`. */
export class AttackPanel {
  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} board where the focus goes back to
   * @param {{store: Store, session: Session, deeds: Deeds, notices: Notices}} parts
   */
  constructor(host, board, { store, session, deeds, notices }) {
    this.host = host;
    this.board = board;
    this.store = store;
    this.session = session;
    this.deeds = deeds;
    this.notices = notices;
    this.dice = el("input", { id: "attack-dice", type: "text", inputMode: "numeric", autocomplete: "off", placeholder: "rolled for you" });
    host.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
    store.watch((state, before) => changed(state, before, "target", "overlay", "camera", "replica") && this.#show(state, before));
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
    if (changed(state, before, "target", "overlay")) this.#fill(token, acts);
    this.#stand(state, token);
    if (state.target !== before.target) this.#focus();
  }

  /** @param {Token} token @param {Target[]} acts */
  #fill(token, acts) {
    const attacker = this.store.state.replica?.scene.tokens.find((other) => other.id === this.store.state.selected);
    refill(
      this.host,
      el("div", { class: "panel-head" }, el("h2", { id: "attack-title" }, `${attacker?.name ?? ""} → ${token.name}`), el("button", { type: "button", id: "attack-close", class: "plain", "aria-label": "Close", onclick: () => this.#close() }, "×")),
      el("ul", { class: "acts" }, ...acts.map((act, i) => actView(act, i, (chosen) => this.#act(chosen)))),
      el("p", { class: "field" }, el("label", { htmlFor: "attack-dice" }, "Faces of real dice"), this.dice),
      el("button", { type: "button", id: "attack-select", class: "quiet-button", onclick: () => this.session.select(token.id) }, `Select ${token.name} instead`),
    );
  }

  /** @param {Target} target */
  async #act(target) {
    try {
      const faces = facesIn(this.dice.value);
      if (await this.deeds.act(target.act, faces)) this.dice.value = "";
    } catch (problem) {
      if (!(problem instanceof SyntaxError)) throw problem;
      this.notices.problem(problem.message);
    }
  }

  #focus() {
    const first = this.host.querySelector("button.primary") ?? this.host.querySelector("button");
    /** @type {HTMLElement | null} */ (first)?.focus();
  }

  /** @param {PageState} state @param {Token} token puts the panel beside its target, inside the view */
  #stand({ camera, replica }, token) {
    if (!replica || !token.at) return;
    const [x, y] = toView(camera, middle(replica.scene.grid, token, token.at));
    const room = [this.board.clientWidth, this.board.clientHeight];
    const [width, height] = [this.host.offsetWidth, this.host.offsetHeight];
    const aside = ASIDE * Math.max(0.6, camera.scale);
    const left = x + aside + width + EDGE < room[0] ? x + aside : x - aside - width;
    this.host.style.left = `${Math.max(EDGE, left)}px`;
    this.host.style.top = `${Math.max(EDGE, Math.min(y - height / 3, room[1] - height - EDGE))}px`;
  }
}
