/** The module's entry point: registers with Foundry's hooks. */

import { setTranslator } from "../core/ui/i18n.js";
import { OverlayLayer } from "./canvas/overlay-layer.js";
import { manager } from "./connection-manager.js";
import { attachSeatUi } from "./seat-ui.js";
import { MODULE, registerSettings } from "./settings.js";
import { registerDocumentHooks } from "./sync/document-hooks.js";

setTranslator((key, values) => game.i18n.format(`ENFILADE.${key}`, values));

Hooks.once("init", () => {
  registerSettings(() => manager.connect());
  const module = game.modules.get(MODULE);
  if (module) module.api = manager; // for macros and other modules
  CONFIG.Canvas.layers.enfilade = { group: "interface", layerClass: OverlayLayer };
  attachSeatUi(manager);
});
Hooks.once("ready", () => {
  registerDocumentHooks(() => manager.bridge);
  manager.connect();
});
