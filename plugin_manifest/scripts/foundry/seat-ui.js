/** The UI of one seat in Foundry: its state, its windows, its overlay on the canvas. */

import { hasAdvice } from "../core/game/decisions.js";
import { GmCommands } from "../core/game/gm-commands.js";
import { hoverVerdict, nextHoverTarget } from "../core/game/hover-verdict.js";
import { KnownVerdicts } from "../core/game/known-verdicts.js";
import { Session } from "../core/game/session.js";
import { tableStore } from "../core/game/store.js";
import { localize } from "../core/ui/i18n.js";
import { connectView } from "./applications/connect-view.js";
import { Missing } from "./applications/missing.js";
import { ProfileErrors, profileFlags } from "./applications/profile-view.js";
import { SeatWindows } from "./applications/seat-windows.js";
import { SeatWindow } from "./applications/window.js";
import { overlayLayer, showOverlays } from "./canvas/overlay-layer.js";
import { areOverlaysShown } from "./canvas/overlay-visibility.js";
import { PendingWrites } from "../tabletop/pending-writes.js";
import { WRITE_LABELS, modeKind } from "../tabletop/writes.js";
import { WriteManager } from "./documents/write-manager.js";
import { isTableShown } from "./read/table-scene.js";
import { registerInputHooks } from "./input-hooks.js";
import { BranchSwitch } from "./branch-switch.js";
import { FoundryNotices, notifyMissing } from "./notifications.js";
import { saveLayers, savedLayers } from "./user-store.js";

/** @import {LayerKey, Verdict} from "../../types/contract.js" */
/** @import {TableState} from "../../types/page.js" */
/** @import {TableClient} from "../core/table/table-client.js" */
/** @import {BranchLink} from "./branch-switch.js" */
/** @import {ConnectionManager} from "./connection-manager.js" */
/** @import {FoundryTabletop} from "./tabletop.js" */
/** @import {Write} from "../tabletop/writes.js" */

/**
 * The context that the windows of a seat share.
 * @typedef {object} UiContext
 * @property {ReturnType<typeof tableStore>} store
 * @property {Session} session
 * @property {FoundryNotices} notices
 * @property {GmCommands} commands
 * @property {KnownVerdicts} verdicts of tokens on targets, for questions that must be answered at once
 * @property {SeatWindows} windows
 * @property {PendingWrites} pendingWrites
 * @property {ProfileErrors} profileErrors
 * @property {Missing} missing what the table lacks of the scene
 * @property {typeof profileFlags} profileFlags
 * @property {() => void} openConnect opens the window that connects
 * @property {BranchLink | null} branch the branch of the battle that this UI shows; null for the battle
 * @property {(branch: string) => unknown} goTo goes to a branch, or back to the battle for ""
 * @property {boolean} isAside whether a branch has the page, so that the battle's UI shows nothing
 */

/** The first Foundry version whose controls are reset by rendering. */
const FIRST_WITH_RESET = 13;

/** In a branch nothing is written to Foundry, so there is nothing to decide. */
const NO_DECISIONS = { onAccept: () => {}, onDecline: () => {} };

/** The UI of one seat at a table. */
export class SeatUi {
  /** Return whether the user hovers the token by key. */
  #isHoveredByKey = false;
  /** The token under the pointer. @type {string | null} */
  #pointed = null;

  /**
   * @param {TableClient} client
   * @param {FoundryTabletop} tabletop
   * @param {() => void} openConnect opens the window that connects
   * @param {ConstructorParameters<typeof PendingWrites>[0]} decisions receives the GM's decisions
   * @param {(branch: string) => unknown} goTo goes to a branch of the battle, or back for ""
   * @param {BranchLink | null} [branch] the branch that the client is connected to
   */
  constructor(client, tabletop, openConnect, decisions, goTo, branch = null) {
    const store = tableStore();
    const notices = new FoundryNotices(tabletop);
    const session = new Session(store, notices, client);
    const commands = new GmCommands(store, session, notices);
    /** @type {UiContext} */
    const context = {
      ...{ store, session, notices, commands, profileFlags, openConnect, goTo, branch },
      isAside: false,
      verdicts: new KnownVerdicts(store, session),
      pendingWrites: new PendingWrites(decisions),
      profileErrors: new ProfileErrors(),
      missing: new Missing(),
      windows: /** @type {any} */ (null), // the windows themselves take the context
    };
    hoverVerdict(store, session);
    context.windows = new SeatWindows(context);
    this.context = context;
    store.set({ isBranch: branch !== null, layers: { ...store.state.layers, ...savedLayers() } });
    store.subscribe((state, before) => this.#update(state, before));
  }

  /** Draws everything on a new canvas, or after another UI. */
  repaint() {
    const { state } = this.context.store;
    overlayLayer()?.clear();
    if (isTableShown()) overlayLayer()?.show(state, state);
  }

  /** Closes the windows and draws nothing while a branch has the page; then goes on. @param {boolean} isAside */
  setAside(isAside) {
    this.context.isAside = isAside;
    if (isAside) {
      this.context.windows.close();
      return overlayLayer()?.clear();
    }
    this.repaint();
    redrawControls();
    this.context.windows.openChoice();
    return this.select();
  }

  /** Opens the window of branches, if this user can have one. */
  openBranch() {
    const { session, branch, windows } = this.context;
    if (branch || session.client.link.key) windows.open("branch");
  }

  /** Selects the token that the user controls in Foundry, if the table knows it. */
  select() {
    // A client with a disabled canvas has no layers, and another scene may have tokens of the same IDs.
    const [token] = (isTableShown() && canvas.tokens?.controlled) || [];
    const isKnown = this.context.store.state.replica?.scene.tokens.some(({ id }) => id === token?.id);
    this.context.store.set({ controlled: token?.id ?? null });
    this.context.session.select(isKnown ? token.id : null);
  }

  /** @param {string | null} token the one under the pointer */
  hover(token) {
    const before = this.#pointed;
    this.#pointed = token;
    this.#isHoveredByKey = false;
    if (token !== null && isTableShown()) this.context.store.set({ hovered: token });
    // One that the user hovers by key stays.
    else if (this.context.store.state.hovered === before) this.context.store.set({ hovered: null });
  }

  /** Hovers the next token by key: draws its verdict and shows it as a notice. @param {1 | -1} step */
  hoverNext(step) {
    const next = nextHoverTarget(this.context.store.state, step);
    if (!next) return this.context.notices.error(localize("Verdict.NoToken"));
    this.#isHoveredByKey = true;
    return this.context.store.set({ hovered: next });
  }

  /** Opens the attack window on the targeted token, or says what is missing. */
  openAttack() {
    const [target] = game.user.targets;
    const { selected } = this.context.store.state;
    if (!selected) return this.context.notices.error(localize("Attack.NoAttacker"));
    if (!target) return this.context.notices.error(localize("Attack.NoTarget"));
    return this.context.windows.openAttack(target.id);
  }

  /** Keeps the verdicts of the user's tokens on the user's targets current. */
  keepVerdicts() {
    const ids = (/** @type {Iterable<Foundry.Token>} */ tokens) => [...tokens].map(({ id }) => id);
    const targets = isTableShown() ? ids(game.user.targets) : [];
    const own = isTableShown() ? ids(canvas.tokens?.controlled ?? []) : [];
    this.context.verdicts.want(
      own.flatMap((token) => targets.map((target) => /** @type {[string, string]} */ ([token, target]))),
    );
  }

  /** Hides all that the module draws on the map, or shows it again. */
  toggleOverlays() {
    showOverlays(!areOverlaysShown());
    redrawControls();
  }

  /** @param {string} layer */
  toggleLayer(layer) {
    const key = /** @type {LayerKey} */ (layer);
    const { layers } = this.context.store.state;
    this.context.store.set({ layers: { ...layers, [key]: !layers[key] } });
  }

  /** Asks the GM about writes. @param {Write[]} writes */
  propose(writes) {
    this.context.pendingWrites.add(writes);
    this.context.windows.open("proposals");
  }

  /** @returns {Write[]} what the GM is asked about */
  get proposals() {
    return this.context.pendingWrites.list;
  }

  /** Takes out proposals that need no decision any more. @param {(write: Write) => boolean} isMoot */
  withdraw(isMoot) {
    this.context.pendingWrites.withdraw(isMoot);
  }

  /**
   * Tells the GM of a write that Foundry did not take.
   * @param {Write} write
   * @param {string} name of its token, or ""
   * @param {string} reason Foundry's, or ""
   */
  tellRefused(write, name, reason) {
    const what = localize(WRITE_LABELS[modeKind(write.kind)]);
    const values = { name, what, reason: reason || localize("bridge.byModule") };
    this.context.notices.error(
      localize(write.kind === "moves" ? "bridge.notMoved" : "bridge.notWritten", values),
    );
  }

  /** Closes the windows and removes the overlay. */
  close() {
    this.context.windows.close();
    overlayLayer()?.clear();
    this.context.store.set({ replica: null, overlay: null, selected: null });
  }

  /** @param {TableState} state @param {TableState} before */
  #update(state, before) {
    if (this.context.isAside) return;
    if (isTableShown()) overlayLayer()?.show(state, before);
    if (state.layers !== before.layers) saveLayers(state.layers);
    const isSameGame = state.replica?.ruleset.key === before.replica?.ruleset.key;
    if (state.layers !== before.layers || !isSameGame || hasAdvice(state) !== hasAdvice(before))
      redrawControls();
    const isJoining = state.replica !== before.replica && state.controlled !== state.selected;
    if (isJoining || (!before.replica && state.replica)) this.select();
    if (state.verdict && state.verdict !== before.verdict) this.#announce(state.verdict);
  }

  /** @param {Verdict} verdict */
  #announce({ sentence }) {
    if (this.#isHoveredByKey && sentence) this.context.notices.info(sentence);
    this.#isHoveredByKey = false;
  }
}

/**
 * Creates a SeatUi for each client of the manager, and the window that connects; runs in Foundry's `init`.
 * @param {ConnectionManager} manager
 */
export function attachSeatUi(manager) {
  /** @type {BranchSwitch | null} */
  let branches = null;
  /** @type {SeatWindow | null} */
  let window = null;
  const openConnect = () => {
    window ??= new SeatWindow("connect", "Connect.Title", (host) =>
      connectView(host, {
        connect: () => manager.connect(),
        leave: () => manager.leave(),
        onClient: (listener) => manager.onConnect(({ client }) => client && listener(client)),
      }),
    );
    return window.open();
  };
  registerInputHooks(() => manager.seatUi, openConnect);
  const { tabletop } = manager;
  manager.onConnect(({ client, bridge }) => {
    branches?.close();
    if (branches) manager.seatUi = branches.battle;
    manager.seatUi?.close();
    branches = null;
    if (!client) return;
    const goTo = (/** @type {string} */ branch) => branches?.goTo(branch);
    const decisions = {
      onAccept: (/** @type {Write[]} */ writes) => writeManager.accept(writes),
      onDecline: (/** @type {Write[]} */ writes) => writeManager.decline(writes),
    };
    const seatUi = (manager.seatUi = new SeatUi(client, tabletop, openConnect, decisions, goTo));
    branches = new BranchSwitch(
      seatUi,
      (branchClient, branch) => new SeatUi(branchClient, tabletop, openConnect, NO_DECISIONS, goTo, branch),
      (shown) => (manager.seatUi = shown),
    );
    bridge?.on("results", (tokens) => seatUi.context.profileErrors.record(tokens));
    const { missing } = seatUi.context;
    if (bridge) notifyMissing(bridge, missing);
    let hadMissing = false;
    missing.subscribe(() => {
      if (hadMissing !== missing.count > 0) redrawControls(); // its tool comes, or goes
      hadMissing = missing.count > 0;
    });
    const writeManager = new WriteManager(client, bridge, seatUi);
  });
}

/** Has Foundry ask for the tools again. `initialize` stays in 13, but no longer asks. */
function redrawControls() {
  if (game.release.generation < FIRST_WITH_RESET) ui.controls.initialize?.();
  else ui.controls.render({ reset: true });
}
