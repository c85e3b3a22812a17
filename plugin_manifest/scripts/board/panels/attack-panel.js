/** The panel beside a target: every act against it, and a field for physical dice. */

import { diceField, setFaceHint } from "../../core/dice/notation.js";
import { tokenCenter } from "../../core/map/geometry.js";
import { reactionLabels, targetsByToken } from "../../core/draw/overlay-marks.js";
import { canEnterDice, hasChanged, isGm, selectedToken } from "../../core/game/store.js";
import { actView } from "../../core/ui/act-view.js";
import { button, checkbox, confirmDialog, field } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { freePart, panCamera, toView } from "../page/camera.js";
import { isHarmOfAlly } from "./next-step.js";
import { uncoverMap } from "../page/drawer.js";
import { coveredEdges, hasColumn } from "../page/free-area.js";
import { sideColor } from "../page/side-color.js";

/** @import {Cell, Target, Token} from "../../../types/contract.js" */
/** @import {Insets} from "../page/free-area.js" */
/** @import {BoardState} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Board} from "../page/page-state.js" */

/** The key under which this browser keeps whether a person enters dice. */
const DICE = "enfilade.attack-dice";
const GAP_PX = 46;
const EDGE_PX = 8;
const FREE = { left: 0, top: 0, right: 0, bottom: 0 };

/** Shows the acts against the state's `target`. */
export class AttackPanel {
  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} view the board's element; it gets the focus when the panel closes
   * @param {{board: Board, session: Session, commands: GmCommands}} parts
   */
  constructor(host, view, { board, session, commands }) {
    this.host = host;
    this.view = view;
    this.board = board;
    this.session = session;
    this.commands = commands;
    this.dice = diceField("attack-dice", localize("Attack.ServerRolls"));
    this.physical = el("input", { type: "checkbox", id: "attack-physical" });
    this.hidden = el("input", { type: "checkbox", id: "attack-hidden" });
    this.list = el("div", {});
    // These stay in the page while the acts change, so that nothing interrupts a person who types faces.
    this.byDice = [
      field(localize("Dice.Enter"), this.dice),
      checkbox(this.physical, localize("Attack.PhysicalDice")),
    ];
    this.byGm = checkbox(this.hidden, localize("Attack.HiddenRoll"));
    this.instead = button("attack-select", "", () => session.select(board.state.target), {
      class: "quiet-button",
    });
    this.more = el(
      "details",
      { id: "attack-more" },
      el("summary", { id: "attack-more-open" }, localize("Attack.More")),
      ...this.byDice,
      this.byGm,
      this.instead,
    );
    this.more.open = isDiceOpen();
    this.more.addEventListener("toggle", () => keepDiceOpen(this.more.open));
    host.append(this.list, this.more);
    new ResizeObserver(() => this.#placeAgain()).observe(view);
    host.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
    this.dice.addEventListener("keydown", (event) => event.key === "Enter" && this.#enterDice(event));
    board.subscribe(
      (state, before) =>
        hasChanged(state, before, "target", "overlay", "camera", "replica") && this.#show(state, before),
    );
  }

  /** Stay inside a page of another size. */
  #placeAgain() {
    const { state } = this.board;
    const token = state.replica?.scene.tokens.find((other) => other.id === state.target);
    if (token && !this.host.hidden) this.#moveBeside(state, token);
  }

  #close() {
    this.board.store.set({ target: null });
  }

  /** @param {BoardState} state @param {BoardState} before */
  #show(state, before) {
    const token = state.replica?.scene.tokens.find((other) => other.id === state.target);
    const acts = (state.overlay && state.target && targetsByToken(state.overlay).get(state.target)) || [];
    const isOpen = Boolean(token && acts.length);
    const wasFocused = this.host.contains(document.activeElement);
    const opens = isOpen && (this.host.hidden || state.target !== before.target);
    this.host.hidden = !isOpen;
    if (!isOpen && wasFocused) this.view.focus();
    if (!token || !isOpen) return;
    if (state.target !== before.target) this.dice.value = ""; // the faces belonged to another attack
    if (hasChanged(state, before, "target", "overlay")) this.#fill(token, acts);
    this.#moveBeside(state, token);
    // Acts may go while the panel is open: the keys stay in the panel.
    if (opens || (wasFocused && !this.host.contains(document.activeElement))) this.#focusFirst();
    if (opens) uncoverMap();
    if (opens) this.#uncover(state, token);
  }

  /** Pan so that the target is in the part of the map that the panel leaves free, as on a phone. @param {BoardState} state @param {Token} token */
  #uncover({ camera, replica }, token) {
    const view = /** @type {Cell} */ ([this.view.clientWidth, this.view.clientHeight]);
    const free = freePart(view, this.host);
    if (String(free) === String(view) || !replica || !token.at) return;
    const [x, y] = toView(camera, tokenCenter(replica.scene.grid, token, token.at));
    this.board.page.set({ camera: panCamera(camera, free[0] / 2 - x, Math.max(free[1], EDGE_PX) / 2 - y) });
  }

  /** @param {Token} token @param {Target[]} acts */
  #fill(token, acts) {
    const { state } = this.board;
    setFaceHint(this.dice, state.replica?.ruleset.faces ?? []);
    const sides = state.replica?.scene.sides ?? [];
    const named = (/** @type {Token | null} */ one) => {
      const name = el("span", {}, one?.name ?? "");
      name.style.color = sideColor(sides.findIndex(({ id }) => id === one?.side));
      return name;
    };
    const title = [named(selectedToken(state)), " → ", named(token)];
    const close = button("attack-close", "×", () => this.#close(), {
      class: "plain",
      "aria-label": localize("Window.Close"),
    });
    const reactions = reactionLabels(state.overlay, token).map((label) => el("li", {}, label));
    // A reason that refuses all acts stands once, above them.
    const isOneReason = acts.length > 1 && acts.every(({ legal, why }) => !legal && why === acts[0].why);
    const shown = isOneReason ? acts.map((act) => ({ ...act, why: "" })) : acts;
    replaceContent(
      this.list,
      el("div", { class: "panel-head" }, el("h2", { id: "attack-title" }, ...title), close),
      isOneReason ? el("p", { class: "reason" }, acts[0].why) : "",
      el(
        "ul",
        { class: "acts" },
        ...shown.map((act, i) =>
          actView(act, i, (chosen) => this.#act(chosen), state.replica?.scene.tokens, isGm(state)),
        ),
      ),
      reactions.length
        ? el("ul", { class: "reactions", "aria-label": localize("Attack.Reactions") }, ...reactions)
        : "",
    );
    for (const row of this.byDice) row.hidden = !canEnterDice(state);
    this.byGm.hidden = !isGm(state);
    this.instead.textContent = localize("Attack.SelectInstead", { name: token.name });
  }

  /** The allies that a person has agreed to attack. @type {Set<string>} */
  #agreed = new Set();

  /** Make an attack; one on an ally after a question, once. @param {Target} target */
  #act(target) {
    const { replica, overlay } = this.board.state;
    const token = selectedToken(this.board.state);
    const isAsked =
      replica &&
      overlay &&
      token &&
      isHarmOfAlly(replica, overlay, token, target) &&
      !this.#agreed.has(target.target);
    if (!isAsked) return void this.#send(target);
    const name = replica.scene.tokens.find(({ id }) => id === target.target)?.name ?? "";
    return confirmDialog(localize("Act.AllyQuestion", { name }), target.label, () => {
      this.#agreed.add(target.target);
      this.#send(target);
    });
  }

  /** @param {Target} target */
  async #send(target) {
    const options = { isPhysical: this.physical.checked, isHidden: this.hidden.checked };
    if (await this.commands.act(target.act, this.dice.value, options)) this.dice.value = "";
  }

  /** Make the only act with the typed faces; with several, go to the first. @param {KeyboardEvent} event */
  #enterDice(event) {
    event.preventDefault();
    const acts = /** @type {NodeListOf<HTMLButtonElement>} */ (this.list.querySelectorAll("button.primary"));
    if (acts.length === 1) acts[0].click();
    else acts[0]?.focus();
  }

  #focusFirst() {
    const first = this.host.querySelector("button.primary") ?? this.host.querySelector("button");
    /** @type {HTMLElement | null} */ (first)?.focus();
  }

  /**
   * Move the panel beside its target, inside the view, where it covers neither the target nor the attacker.
   * @param {BoardState} state
   * @param {Token} token
   */
  #moveBeside(state, token) {
    const { camera, replica } = state;
    if (!replica || !token.at) return;
    const place = (/** @type {Token} */ { size, at, body }) =>
      toView(camera, tokenCenter(replica.scene.grid, { size, at, body }, /** @type {Cell} */ (at)));
    const attacker = selectedToken(state);
    const kept = [place(token), ...(attacker?.at && attacker !== token ? [place(attacker)] : [])];
    const size = /** @type {Cell} */ ([this.host.offsetWidth, this.host.offsetHeight]);
    const view = /** @type {Cell} */ ([this.view.clientWidth, this.view.clientHeight]);
    const area = coveredEdges(view, hasColumn());
    const others = replica.scene.tokens.filter((one) => one.at && one !== token && one !== attacker);
    const gap = GAP_PX * Math.max(0.6, camera.scale);
    const [left, top] = placeBeside(kept, size, view, gap, area, others.map(place));
    this.host.style.left = `${left}px`;
    this.host.style.top = `${top}px`;
  }
}

/** Return whether the dice were unfolded when this browser last showed an attack. */
function isDiceOpen() {
  try {
    return localStorage.getItem(DICE) === "open";
  } catch {
    return false; // the browser denies its storage to this page
  }
}

/** @param {boolean} isOpen */
function keepDiceOpen(isOpen) {
  try {
    localStorage.setItem(DICE, isOpen ? "open" : "folded");
  } catch {
    // kept for this visit only
  }
}

/**
 * Return the corner of a panel beside the first of some points: right, left, below or above of it, or in a corner
 * of the view, wherever it covers the fewest points.
 * @param {Cell[]} points in the view
 * @param {Cell} size of the panel
 * @param {Cell} view its width and height
 * @param {number} gap between the panel and the first point
 * @param {Insets} [covered] what other panels cover at the view's edges
 * @param {Cell[]} [others] that had better be seen as well
 * @returns {Cell}
 */
export function placeBeside(points, [width, height], view, gap, covered = FREE, others = []) {
  const [x, y] = points[0];
  const [least, top] = [Math.max(EDGE_PX, covered.left), Math.max(EDGE_PX, covered.top)];
  const right = view[0] - width - Math.max(EDGE_PX, covered.right);
  const bottom = view[1] - height - Math.max(EDGE_PX, covered.bottom);
  /** @type {Cell[]} */
  const places = [
    [x + gap, y - height / 3],
    [x - gap - width, y - height / 3],
    [x - width / 2, y + gap],
    [x - width / 2, y - gap - height],
    [right, top],
    [right, bottom],
    [least, top],
    [least, bottom],
  ];
  // Where there is too little room it covers the panels at the lower edge rather than hang out of the page.
  const lowest = Math.max(EDGE_PX, Math.min(top, view[1] - height - EDGE_PX));
  const inside = places.map(
    ([left, at]) =>
      /** @type {Cell} */ ([
        Math.max(EDGE_PX, Math.min(Math.max(left, least), right)),
        Math.max(lowest, Math.min(at, bottom)),
      ]),
  );
  const near = gap * 0.7;
  const hidden = (/** @type {Cell} */ [left, top]) => {
    const isHidden = (/** @type {Cell} */ [px, py]) =>
      px > left - near && px < left + width + near && py > top - near && py < top + height + near;
    return points.filter(isHidden).length * (others.length + 1) + others.filter(isHidden).length;
  };
  return inside.reduce((best, place) => (hidden(place) < hidden(best) ? place : best));
}
