/** The panels that a person opens some time after the page has come up. They are loaded as one file, after the map. */

import { byId } from "../../core/ui/dom.js";
import { rulesPanel } from "../../core/ui/rules-panel.js";
import { advicePanel } from "../panels/advice-panel.js";
import { playersPanel } from "../panels/players-panel.js";
import { rulesDiffTools } from "../panels/rules-diff-panel.js";
import { setupPanel } from "../panels/setup-panel.js";

/** @import {Notices} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Board, Page} from "./page-state.js" */
/** @import {MapTools} from "../input/map-tools.js" */
/** @import {Moves} from "../input/moves.js" */

/**
 * Fill the panels. Those of a closed tab stay empty until it opens.
 * @param {{store: Store, page: Page, board: Board, session: Session, notices: Notices, commands: GmCommands, moves: Moves, tools: MapTools}} parts
 */
export function createLaterPanels(parts) {
  setupPanel(byId("panel-setup"), parts);
  rulesPanel(byId("panel-rules"), { ...parts, rulesTools: rulesDiffTools(parts) });
  playersPanel(byId("panel-players"), parts);
  advicePanel(byId("advice"), parts);
}
