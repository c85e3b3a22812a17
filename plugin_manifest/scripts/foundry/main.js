/** The module: hooks into Foundry, and nothing else. */

import { setTranslator } from "../core/ui/i18n.js";
import { listenToWorld } from "./bridge/hooks.js";
import { companion } from "./companion.js";
import { AdviceLayer } from "./canvas/layer.js";
import { registerPreferences } from "./preferences.js";
import { seatFaces } from "./seating.js";
import { MODULE, registerSettings } from "./settings.js";

setTranslator((key, values) => game.i18n.format(`ENFILADE.${key}`, values));

Hooks.once("init", () => {
  registerSettings(() => companion.connect());
  const module = game.modules.get(MODULE);
  if (module) module.api = companion; // for macros and other modules
  registerPreferences();
  CONFIG.Canvas.layers.enfilade = { group: "interface", layerClass: AdviceLayer };
  seatFaces(companion);
});
Hooks.once("ready", () => {
  listenToWorld(() => companion.bridge);
  companion.connect();
});
