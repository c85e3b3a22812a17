/** What the person at this page sees and does: one seat's state, its windows, its advice on the canvas. */

import { GmCommands } from "../core/game/gm-commands.js";
import { HoverVerdict, nextHoverTarget } from "../core/game/hover-verdict.js";
import { Session } from "../core/game/session.js";
import { Store } from "../core/game/store.js";
import { Refusals } from "./bridge/refusals.js";
import { localize } from "../core/ui/i18n.js";
import { FoundryNotices } from "./notices.js";
import { advice } from "./canvas/layer.js";
import { keepLayers, keptLayers } from "./preferences.js";
import { flags } from "./windows/flags.js";
import { Windows } from "./windows/all.js";
import { Proposals } from "./writing/proposals.js";

/** @import {LayerKey, Verdict} from "../../types/contract.js" */
/** @import {PageState} from "../../types/page.js" */
/** @import {TableClient} from "../core/table/table-client.js" */
/** @import {Write} from "./writing/plan.js" */

/**
 * What the windows work with.
 * @typedef {object} Parts
 * @property {Store} store
 * @property {Session} session
 * @property {FoundryNotices} notices
 * @property {GmCommands} commands
 * @property {Windows} windows
 * @property {Proposals} proposals
 * @property {Refusals} refusals
 * @property {typeof flags} flags
 * @property {() => void} connect opens the window to connect
 */

/** One seat at a table, as it is seen in Foundry. */
export class Face {
  /** Whether the token that is looked at was reached by key. */
  #isByKey = false;

  /**
   * @param {TableClient} line
   * @param {() => void} connect opens the window to connect
   * @param {ConstructorParameters<typeof Proposals>[0]} decided called with what the GM has agreed to, or not
   */
  constructor(line, connect, decided) {
    const store = new Store();
    const notices = new FoundryNotices();
    const session = new Session(store, notices, line);
    const commands = new GmCommands(store, session, notices);
    /** @type {Parts} */
    const parts = {
      ...{ store, session, notices, commands, flags, connect },
      proposals: new Proposals(decided),
      refusals: new Refusals(),
      windows: /** @type {any} */ (null),
    };
    new HoverVerdict(store, session);
    parts.windows = new Windows(parts);
    parts.windows.watchChoices();
    this.parts = parts;
    store.set({ layers: { ...store.state.layers, ...keptLayers() } });
    store.subscribe((state, before) => this.#changed(state, before));
  }

  /** Draws everything anew, as on a canvas that was just drawn. */
  repaint() {
    const { state } = this.parts.store;
    advice()?.show(state, state);
  }

  /** Selects the token that is controlled in Foundry, where the table knows it. */
  select() {
    const [token] = canvas.tokens.controlled;
    const isKnown = this.parts.store.state.replica?.scene.tokens.some(({ id }) => id === token?.id);
    this.parts.store.set({ controlled: token?.id ?? null });
    this.parts.session.select(isKnown ? token.id : null);
  }

  /** @param {string} token under the pointer @param {boolean} isOver */
  hover(token, isOver) {
    const { hovered } = this.parts.store.state;
    this.#isByKey = false;
    if (isOver) this.parts.store.set({ hovered: token });
    else if (hovered === token) this.parts.store.set({ hovered: null });
  }

  /** @param {1 | -1} way looks at the next token by key; its verdict is drawn, and told as a notice */
  look(way) {
    const next = nextHoverTarget(this.parts.store.state, way);
    if (!next) return this.parts.notices.error(localize("Verdict.NoToken"));
    this.#isByKey = true;
    return this.parts.store.set({ hovered: next });
  }

  /** Opens the attack window on the token that is targeted; says what is missing where it cannot. */
  attack() {
    const [target] = game.user.targets;
    const { selected } = this.parts.store.state;
    if (!selected) return this.parts.notices.error(localize("Attack.NoAttacker"));
    if (!target) return this.parts.notices.error(localize("Attack.NoTarget"));
    return this.parts.windows.attack(target.id);
  }

  /** @param {string} layer */
  toggle(layer) {
    const key = /** @type {LayerKey} */ (layer);
    const { layers } = this.parts.store.state;
    this.parts.store.set({ layers: { ...layers, [key]: !layers[key] } });
  }

  /** @param {Write[]} writes for the GM to decide on */
  propose(writes) {
    this.parts.proposals.add(writes);
    this.parts.windows.open("proposals");
  }

  /** Leaves the table: its windows close, its advice goes. */
  close() {
    this.parts.windows.close();
    this.parts.store.set({ replica: null, overlay: null, selected: null });
  }

  /** @param {PageState} state @param {PageState} before */
  #changed(state, before) {
    advice()?.show(state, before);
    if (state.layers !== before.layers) keepLayers(state.layers);
    if (state.layers !== before.layers || state.replica?.ruleset.key !== before.replica?.ruleset.key)
      redrawControls();
    if (state.replica !== before.replica && state.controlled !== state.selected) this.select(); // it may have joined
    if (!before.replica && state.replica) this.select();
    if (state.verdict && state.verdict !== before.verdict) this.#tell(state.verdict);
  }

  /** @param {Verdict} verdict */
  #tell({ sentence }) {
    if (this.#isByKey && sentence) this.parts.notices.info(sentence);
    this.#isByKey = false;
  }
}

/** Has the scene controls drawn again: 12 does it by `initialize`, 13 and later by `render`. */
function redrawControls() {
  if (ui.controls.initialize) ui.controls.initialize();
  else ui.controls.render({ reset: true });
}
