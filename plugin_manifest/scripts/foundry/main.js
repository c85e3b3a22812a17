/** The module's entry point: registers with Foundry's hooks. */

import { pluralForm, setTranslator } from "../core/ui/i18n.js";
import { createApi } from "./api.js";
import { registerSelfCheck } from "./applications/self-check.js";
import { guarded } from "./boundary.js";
import { ChatLog } from "./chat/chat-log.js";
import { registerBranchMoves } from "./branch-moves.js";
import { OverlayLayer } from "./canvas/overlay-layer.js";
import { registerAreaJudge } from "./canvas/area-judge.js";
import { registerMapPick } from "./canvas/map-pick.js";
import { registerRulers } from "./canvas/rulers.js";
import { manager } from "./connection-manager.js";
import { addSavedStatuses, registerStatuses } from "./documents/status-effects.js";
import { registerHandOver } from "./rolls/hand-over.js";
import { attachSeatUi } from "./seat-ui.js";
import { MODULE, registerSettings } from "./settings.js";
import { TurnFollower } from "./sync/turns.js";
import { registerHolderNotice } from "./sync/bridge-holder.js";
import { registerDocumentHooks } from "./sync/document-hooks.js";
import { TableWatch } from "./table-watch.js";
import { registerTokenHooks } from "./token-hooks.js";
import { registerUserStore, removeOthersSeats } from "./user-store.js";

/** A text with several forms, such as {one, other}, is a section to Foundry, which gives back the key of one it lacks. */
setTranslator((key, values) => {
  const whole = `ENFILADE.${key}`;
  if (!("count" in values)) return game.i18n.format(whole, values);
  const form = `${whole}.${pluralForm(game.i18n.lang)(values)}`;
  const text = game.i18n.format(form, values);
  return text === form ? game.i18n.format(whole, values) : text;
});

const watch = new TableWatch(manager);
const turns = new TurnFollower(manager);

Hooks.once(
  "init",
  guarded("init", () => {
    registerSettings(
      () => manager.connect(),
      () => watch.check(),
    );
    registerUserStore();
    registerStatuses();
    const module = game.modules.get(MODULE);
    if (module) module.api = createApi(manager);
    CONFIG.Canvas.layers.enfilade = { group: "interface", layerClass: OverlayLayer };
    registerRulers(() => manager.seatUi);
    attachSeatUi(manager);
    registerSelfCheck(manager);
  }),
);
Hooks.once("setup", guarded("setup", addSavedStatuses));
Hooks.once(
  "ready",
  guarded("ready", async () => {
    await removeOthersSeats();
    registerDocumentHooks(() => manager.bridge);
    registerTokenHooks(() => manager.seatUi);
    new ChatLog(manager).register();
    registerHandOver(() => manager.seatUi?.context.verdicts ?? null);
    registerBranchMoves(() => manager.seatUi);
    registerMapPick();
    registerAreaJudge(() => manager.seatUi);
    watch.register();
    turns.register();
    registerHolderNotice(manager);
    manager.connect();
  }),
);

// Tests reach the manager here, also in the file that Foundry downloads, which holds every module of the program.
export { manager };
