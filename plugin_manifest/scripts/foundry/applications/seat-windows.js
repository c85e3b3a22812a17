/** The windows of one seat. Each is created when it is first opened. */

import { replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { layerPanel } from "../../core/ui/layer-panel.js";
import { LogPanel } from "../../core/ui/log-panel.js";
import { choiceVersion } from "../../core/ui/prompt.js";
import { rulesPanel } from "../../core/ui/rules-panel.js";
import { answerPicks } from "../../core/game/map-picks.js";
import { AttackView } from "../../tabletop/attack-view.js";
import { choiceContent } from "../../tabletop/choice-view.js";
import { proposalsView } from "../../tabletop/proposals-view.js";
import { cancelPick, pickOnMap } from "../canvas/map-pick.js";
import { actorValuesView } from "./actor-values-view.js";
import { AdviceWindow } from "./advice-window.js";
import { branchWindowView } from "./branch-window-view.js";
import { missingView } from "./missing-view.js";
import { profileView } from "./profile-view.js";
import { profilesView } from "./profiles-view.js";
import { replayWindow } from "./replay-window.js";
import { turnView } from "./turn-view.js";
import { SeatWindow } from "./window.js";

/** @import {Choice} from "../../../types/contract.js" */
/** @import {UiContext} from "../seat-ui.js" */

/** @type {Record<string, [title: string, fill: (host: HTMLElement, context: UiContext) => unknown]>} */
const VIEWS = {
  log: ["Log.Title", (host, context) => new LogPanel(host, { ...context, shown: host })],
  layers: ["Layer.Layers", (host, { store }) => layerPanel(host, store)],
  rules: ["Rules.Title", rulesPanel],
  turn: ["Turn.Title", turnView],
  profile: ["Profile.Title", profileView],
  profiles: ["Profiles.Title", profilesView],
  values: ["ActorValues.Title", actorValuesView],
  branch: ["Branch.Title", branchWindowView],
  missing: ["Missing.Title", missingView],
  proposals: ["Proposals.Title", proposalsView],
};

/** The windows that the headers of the others open. */
const MENU = ["turn", "log", "layers", "profile"];

/** Opens and closes the windows of one seat. */
export class SeatWindows {
  /** @type {Map<string, SeatWindow>} */
  #windows = new Map();
  /** @type {{window: SeatWindow, view: AttackView} | null} */
  #attack = null;
  /** @type {AdviceWindow | null} */
  #advice = null;

  /** @param {UiContext} context */
  constructor(context) {
    this.context = context;
    const choice = choiceWindow(context);
    this.#windows.set("choice", choice.window);
    /** Opens the question that the table waits for, if there is one. */
    this.openChoice = choice.open;
    this.#windows.set("replay", replayWindow(context));
  }

  /** @param {string} name @returns {Promise<void>} */
  open(name) {
    const [title, fill] = VIEWS[name];
    const window =
      this.#windows.get(name) ??
      new SeatWindow(name, title, (host) => fill(host, this.context), this.#menu(name));
    this.#windows.set(name, window);
    return window.open();
  }

  /** @param {string} token the target */
  openAttack(token) {
    this.#attack ??= this.#attackWindow();
    this.#attack.view.setTarget(token);
    return this.#attack.window.open();
  }

  /** Opens the advice, or closes it if it is open. */
  toggleAdvice() {
    this.#advice ??= new AdviceWindow(this.context, this.#menu("advice"));
    return this.#advice.rendered ? this.#advice.close() : this.#advice.open();
  }

  close() {
    for (const window of [...this.#windows.values(), this.#attack?.window, this.#advice])
      if (window?.rendered) window.close();
  }

  /** @param {string} name of the window that has the menu */
  #menu(name) {
    const others = MENU.filter((one) => one !== name);
    return others.map((one) => ({ name: one, title: VIEWS[one][0], open: () => this.open(one) }));
  }

  #attackWindow() {
    const window = new SeatWindow("attack", "Attack.Title", () => {}, this.#menu("attack"));
    return { window, view: new AttackView(window.host, this.context) };
  }
}

/**
 * Creates the window for the choice that the table waits for: it opens with the question and closes with the answer.
 * @param {UiContext} context
 */
function choiceWindow(context) {
  const { store, commands } = context;
  const window = new SeatWindow("choice", "Choice.Title", () => {});
  store.subscribe((state, before) => {
    const choice = state.replica?.choice ?? null;
    if (choiceVersion(choice) === choiceVersion(before.replica?.choice ?? null)) return;
    cancelPick(); // the question on the map has changed too
    if (choice && context.isAside) context.notices.info(localize("Branch.Question"));
    else if (choice) show(choice);
    else window.close();
  });

  /** Lets the user choose an answer on the map. @param {Choice} asked */
  const pick = (asked) => pickOnMap(answerPicks(asked.options), () => store.state.replica?.scene);

  /** @param {Choice} choice */
  function show(choice) {
    replaceContent(window.host, ...choiceContent(store.state, commands, choice, { pick }));
    window.open();
  }
  const open = () => store.state.replica?.choice && show(store.state.replica.choice);
  return { window, open };
}
