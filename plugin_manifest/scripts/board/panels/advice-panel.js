/** Advice on the board: the panel that its button opens, with attacks together and the forecast. */

import { Decisions, hasAdvice } from "../../core/game/decisions.js";
import { adviceView } from "../../core/ui/advice-view.js";
import { byId, el } from "../../core/ui/dom.js";
import { focusView } from "../../core/ui/focus-view.js";
import { forecastPanel } from "./forecast-panel.js";

/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Plan} from "../../core/ui/advice-view.js" */
/** @import {Moves} from "../input/moves.js" */

/**
 * Show advice in an element while its button is pressed.
 * @param {HTMLElement} host
 * @param {{store: Store, session: Session, moves: Moves}} parts
 */
export function advicePanel(host, { store, session, moves }) {
  const decisions = new Decisions(store, session);
  const opener = byId("advice-open");
  const toggle = (/** @type {boolean} */ isOn) => {
    opener.setAttribute("aria-pressed", String(isOn));
    decisions.switch(isOn);
    host.hidden = !isOn;
    document.body.classList.toggle("has-advice", isOn);
  };
  opener.onclick = () => toggle(!decisions.isOn);
  /** Plans the move with the facing that the advice is about. @type {Plan} */
  const plan = (token, { at, facing }) => {
    if (!moves.plan(token, at)) return;
    const { ghost } = store.state;
    if (ghost) store.set({ ghost: { ...ghost, facing } });
  };
  store.subscribe((state) => {
    opener.hidden = !hasAdvice(state);
    if (opener.hidden && decisions.isOn) toggle(false);
  });
  adviceView(host, { store, decisions, plan });
  const focus = el("div", {});
  focusView(focus, { store, session });
  const forecast = el("div", {});
  forecastPanel(forecast, { store, session });
  host.append(focus, forecast);
}
