/** The page's one state, and who wants to know when it changes. */

import { LAYERS } from "../draw/palette.js";
import { localize } from "../ui/i18n.js";

/** @import {Act, LayerKey, Scene, Token} from "../../../types/contract.js" */
/** @import {PageState} from "../../../types/page.js" */

/** Holds the state; watchers hear once of all that was set in one turn of the event loop. */
export class Store {
  /** @type {((state: PageState, before: PageState) => void)[]} */
  #watchers = [];
  /** @type {PageState | null} */
  #before = null;

  /** @param {PageState} [state] */
  constructor(state = START) {
    this.state = this.first = state;
  }

  /** @param {Partial<PageState>} change */
  set(change) {
    if (!this.#before) {
      this.#before = this.state;
      queueMicrotask(() => this.#tell());
    }
    this.state = { ...this.state, ...change };
  }

  /** @param {(state: PageState, before: PageState) => void} watcher who comes late hears of what there is by now */
  subscribe(watcher) {
    this.#watchers.push(watcher);
    if (this.state !== this.first) queueMicrotask(() => watcher(this.state, this.first));
  }

  #tell() {
    const before = /** @type {PageState} */ (this.#before);
    this.#before = null;
    for (const watcher of this.#watchers) watcher(this.state, before);
  }
}

const isOn = Object.fromEntries(LAYERS.map((layer) => [layer.key, layer.isOn]));

/** @type {PageState} */
const START = {
  replica: null,
  overlay: null,
  selected: null,
  controlled: null,
  target: null,
  hovered: null,
  verdict: null,
  layers: /** @type {Record<LayerKey, boolean>} */ (isOn),
  ghost: null,
  placing: null,
  cursor: null,
  camera: { left: 0, top: 0, scale: 1 },
  connection: "connecting",
  players: null,
  refusal: "",
};

/**
 * Whether any of these parts of the state changed.
 * @param {PageState} state
 * @param {PageState} before
 * @param {...(keyof PageState)} parts
 */
export function hasChanged(state, before, ...parts) {
  return parts.some((part) => state[part] !== before[part]);
}

/** @param {PageState} state the token that is selected, where it is still in the scene */
export const selectedToken = ({ replica, selected }) =>
  replica?.scene.tokens.find((token) => token.id === selected) ?? null;

/**
 * Whether a token is this seat's to play.
 * @param {PageState} state
 * @param {Token} token
 */
export const canPlay = (state, token) =>
  isGm(state) || (state.replica?.role === "player" && token.owners.includes(state.replica.seat));

/** @param {PageState} state whether this seat may act with the selected token */
export function canAct(state) {
  const token = selectedToken(state);
  return token !== null && canPlay(state, token);
}

/** @param {PageState} state whether this seat may type in the faces of real dice */
export const canEnterDice = (state) =>
  isGm(state) || state.replica?.scene.house_rules["table.players_type_dice"] === true;

/** @param {PageState} state whether this seat runs the game */
export const isGm = ({ replica }) => replica?.role === "gm";

/** The kind of act that a ruleset played in rounds has. */
export const ROUND = "round";

/** @returns {Act} the act that begins a round, which no token does */
export const nextRoundAct = () => ({
  kind: ROUND,
  token: "",
  target: "",
  weapon: "",
  at: null,
  facing: null,
});

/**
 * Whose activation it is; between activations, what the table's conditions say of a side.
 * @param {Scene} scene
 */
export function turnText({ conditions, tokens, sides }) {
  const active = tokens.find((token) => token.id === conditions.active);
  if (active) return localize("Turn.Acts", { name: active.name });
  const said = Object.entries(conditions).map(([name, note]) => [
    name,
    sides.find((side) => side.id === note)?.name,
  ]);
  return said
    .filter(([, side]) => side)
    .map(([name, side]) => `${name}: ${side}`)
    .join(", ");
}
