/** A state with subscribers; the state of a seat at a table, and selectors over it. */

import { LAYERS } from "./layers.js";
import { localize } from "../ui/i18n.js";

/** @import {Act, LayerKey, Scene, Token} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */

/** The kind of the act that starts a round. */
export const ROUND = "round";

/**
 * Holds a state. Changes made in one turn of the event loop reach the subscribers as one.
 * @template {object} [S=TableState]
 */
export class Store {
  /** @type {((state: S, before: S) => void)[]} */
  #subscribers = [];
  /** @type {S | null} the state before the changes that the subscribers have not seen yet */
  #before = null;

  /** @param {S} state the first one */
  constructor(state) {
    this.state = this.initial = state;
  }

  /** @param {Partial<S>} change */
  set(change) {
    if (!this.#before) {
      this.#before = this.state;
      queueMicrotask(() => this.#notify());
    }
    this.state = { ...this.state, ...change };
  }

  /**
   * Add a subscriber. If the state has changed already, it is called with the current one.
   * @param {(state: S, before: S) => void} subscriber
   */
  subscribe(subscriber) {
    this.#subscribers.push(subscriber);
    if (this.state !== this.initial) queueMicrotask(() => subscriber(this.state, this.initial));
  }

  #notify() {
    const before = /** @type {S} */ (this.#before);
    this.#before = null;
    for (const subscriber of this.#subscribers) subscriber(this.state, before);
  }
}

/** @type {TableState} */
const INITIAL_STATE = {
  replica: null,
  overlay: null,
  isOverlayDue: false,
  selected: null,
  controlled: null,
  target: null,
  hovered: null,
  verdict: null,
  decision: null,
  isDeciding: false,
  layers: /** @type {Record<LayerKey, boolean>} */ (
    Object.fromEntries(LAYERS.map(({ key, isOn }) => [key, isOn]))
  ),
  ghost: null,
  replay: null,
  replaying: null,
  isBranch: false,
  pointed: null,
  picked: [],
  connection: "connecting",
  players: null,
  refusal: "",
};

/** Build the store of a seat: the table's state. @returns {Store} */
export const tableStore = () => new Store(INITIAL_STATE);

/**
 * Return whether any of the named properties has changed.
 * @template {object} S
 * @param {S} state
 * @param {S} before
 * @param {...(keyof S)} properties
 */
export function hasChanged(state, before, ...properties) {
  return properties.some((property) => state[property] !== before[property]);
}

/** Return the selected token; null if the scene has lost it. @param {TableState} state */
export const selectedToken = ({ replica, selected }) =>
  replica?.scene.tokens.find((token) => token.id === selected) ?? null;

/** @param {TableState} state */
export const isGm = ({ replica }) => replica?.role === "gm";

/**
 * Return whether this seat may play a token.
 * @param {TableState} state
 * @param {Token} token
 */
export const canPlay = (state, token) =>
  isGm(state) || (state.replica?.role === "player" && token.owners.includes(state.replica.seat));

/** The conditions of a token that has had its turn in this round, in any of the games. */
const ACTED = ["activated", "acted"];

/** Return whether a token has had its turn in this round. @param {Token} token */
export const hasActed = ({ conditions }) =>
  !("active" in conditions) && ACTED.some((name) => name in conditions);

/** Return whether this seat may act with the selected token. @param {TableState} state */
export function canAct(state) {
  const token = selectedToken(state);
  return token !== null && canPlay(state, token);
}

/** Return whether this seat may enter the faces of physical dice. @param {TableState} state */
export const canEnterDice = (state) =>
  isGm(state) || state.replica?.scene.house_rules["table.players_type_dice"] === true;

/** Return the act that starts the next round. @returns {Act} */
export const nextRoundAct = () => ({
  kind: ROUND,
  token: "",
  target: "",
  weapon: "",
  at: null,
  facing: null,
  path: [],
  body: null,
});

/**
 * Return the active token's turn as text. Between activations: the table's conditions that name a side.
 * @param {Scene} scene
 */
export function turnText({ conditions, tokens, sides }) {
  const active = tokens.find((token) => token.id === conditions.active);
  if (active) return localize("Turn.Active", { name: active.name });
  return Object.entries(conditions)
    .map(([condition, note]) => ({ condition, side: sides.find(({ id }) => id === note)?.name }))
    .filter(({ side }) => side)
    .map(({ condition, side }) => `${condition}: ${side}`)
    .join(", ");
}
