/** The entry point of both pages of the extension for Owlbear Rodeo. */

import { el } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";
import { speak } from "../core/ui/language.js";
import { startAction } from "./action.js";
import { startBackground } from "./background.js";
import { OBR } from "./host.js";

// The host says that it is ready once, soon after the page has loaded: listen before anything is awaited.
const ready = new Promise((resolve) => OBR.onReady(() => resolve(true)));
await speak();
const { page } = document.body.dataset;
if (!OBR.isAvailable)
  document.body.append(
    el("p", {}, localize("Owlbear.NotInRoom", { address: new URL("manifest.json", location.href).href })),
  );
else {
  await ready;
  await (page === "background" ? startBackground() : startAction(document.body));
}
