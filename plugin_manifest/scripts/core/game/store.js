/** The page's state: a store with subscribers, and selectors over it. */

import { LAYERS } from "./layers.js";
import { localize } from "../ui/i18n.js";

/** @import {Act, LayerKey, Scene, Token} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */

/** The kind of the act that starts a round. */
export const ROUND = "round";

/** Holds the state. Changes made in one turn of the event loop reach the subscribers as one. */
export class Store {
  /** @type {((state: PageState, before: PageState) => void)[]} */
  #subscribers = [];
  /** @type {PageState | null} the state before the changes that the subscribers have not seen yet */
  #before = null;

  /** @param {PageState} [state] */
  constructor(state = INITIAL_STATE) {
    this.state = this.initial = state;
  }

  /** @param {Partial<PageState>} change */
  set(change) {
    if (!this.#before) {
      this.#before = this.state;
      queueMicrotask(() => this.#notify());
    }
    this.state = { ...this.state, ...change };
  }

  /**
   * Add a subscriber. If the state has changed already, it is called with the current one.
   * @param {(state: PageState, before: PageState) => void} subscriber
   */
  subscribe(subscriber) {
    this.#subscribers.push(subscriber);
    if (this.state !== this.initial) queueMicrotask(() => subscriber(this.state, this.initial));
  }

  #notify() {
    const before = /** @type {PageState} */ (this.#before);
    this.#before = null;
    for (const subscriber of this.#subscribers) subscriber(this.state, before);
  }
}

const visibleLayers = Object.fromEntries(LAYERS.map((layer) => [layer.key, layer.isOn]));

/** @type {PageState} */
const INITIAL_STATE = {
  replica: null,
  overlay: null,
  selected: null,
  controlled: null,
  target: null,
  hovered: null,
  verdict: null,
  decision: null,
  isDeciding: false,
  layers: /** @type {Record<LayerKey, boolean>} */ (visibleLayers),
  ghost: null,
  replay: null,
  replaying: null,
  past: null,
  isBranch: false,
  pointed: null,
  placing: null,
  cursor: null,
  tool: null,
  ruler: null,
  sighting: "",
  draft: { points: [], cells: [] },
  edited: null,
  pings: [],
  picked: [],
  frame: null,
  picking: null,
  hasAutoLayers: true,
  camera: { left: 0, top: 0, scale: 1 },
  connection: "connecting",
  players: null,
  refusal: "",
};

/**
 * Return whether any of the named properties has changed.
 * @param {PageState} state
 * @param {PageState} before
 * @param {...(keyof PageState)} properties
 */
export function hasChanged(state, before, ...properties) {
  return properties.some((property) => state[property] !== before[property]);
}

/** Return the selected token; null if the scene has lost it. @param {PageState} state */
export const selectedToken = ({ replica, selected }) =>
  replica?.scene.tokens.find((token) => token.id === selected) ?? null;

/** @param {PageState} state */
export const isGm = ({ replica }) => replica?.role === "gm";

/**
 * Return whether this seat may play a token.
 * @param {PageState} state
 * @param {Token} token
 */
export const canPlay = (state, token) =>
  isGm(state) || (state.replica?.role === "player" && token.owners.includes(state.replica.seat));

/** The conditions of a token that has had its turn in this round, in any of the games. */
const ACTED = ["activated", "acted"];

/** Return whether a token has had its turn in this round. @param {Token} token */
export const hasActed = ({ conditions }) =>
  !("active" in conditions) && ACTED.some((name) => name in conditions);

/** Return whether this seat may act with the selected token. @param {PageState} state */
export function canAct(state) {
  const token = selectedToken(state);
  return token !== null && canPlay(state, token);
}

/** Return whether this seat may enter the faces of physical dice. @param {PageState} state */
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
