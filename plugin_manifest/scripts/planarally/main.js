/** The entry point of the mod for PlanarAlly: the events that its page calls. */

import german from "../../lang/de.json" with { type: "json" };
import english from "../../lang/en.json" with { type: "json" };
import { button } from "../core/ui/controls.js";
import { el } from "../core/ui/dom.js";
import { localize, setTranslator, translatorFor } from "../core/ui/i18n.js";
import { pickLanguage } from "../core/ui/language.js";
import { connectForm } from "../tabletop/connect-form.js";
import { LivePage } from "../tabletop/live-page.js";
import { seatPanel } from "../tabletop/panel.js";
import { probe } from "../tabletop/probe.js";
import { SavedLink } from "../tabletop/seat-link.js";
import { PlanarAllyTabletop } from "./tabletop.js";

/** @import {Link} from "../../types/page.js" */
/** @import {ModApi} from "./app.js" */

let version = "";

/** The mod's window: it holds the panel of the page that is connected now. */
class ModWindow {
  /** @type {LivePage | null} */
  live = null;
  host = el("aside", { class: "enfilade-window", hidden: true, "aria-label": localize("PlanarAlly.Window") });
  toggle = button(
    "enfilade-toggle",
    localize("PlanarAlly.Window"),
    () => this.open(this.host.hidden !== false),
    {
      class: "enfilade-toggle",
    },
  );

  /** @param {PlanarAllyTabletop} tabletop */
  constructor(tabletop) {
    this.tabletop = tabletop;
    const { roomCreator, roomName } = tabletop.api.systemsState.game.raw;
    this.saved = new SavedLink(`enfilade.planarally.${roomCreator}/${roomName}`);
    document.body.append(this.host, this.toggle);
    // Keys in a field are no shortcuts of the page.
    for (const event of ["keydown", "keyup", "wheel"])
      this.host.addEventListener(event, (one) => one.stopPropagation(), { passive: true });
    this.connect();
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    this.host.hidden = !isOpen;
    this.toggle.setAttribute("aria-expanded", String(isOpen));
  }

  connect() {
    this.live?.close();
    const link = this.saved.read();
    const form = connectForm({
      server: link?.url ?? "",
      isFixed: false,
      needs: localize(this.tabletop.canBridge() ? "Connect.ForGm" : "Connect.ForPlayer"),
      check: (given) =>
        probe(given, { version, tabletop: "PlanarAlly", update: localize("PlanarAlly.Update") }),
      connect: (given) => this.#save(given, form.tell),
      forget: () => this.#save(null, form.tell),
    });
    const onState = (/** @type {string} */ state, /** @type {string} */ sentence) => {
      const text = localize(`line.${state}`, { sentence });
      form.tell(text);
      if (state !== "connecting") this.tabletop.notify(text, state === "connected" ? "info" : "error");
    };
    this.live = link && new LivePage(link, this.tabletop, { onState });
    this.host.replaceChildren(seatPanel(this.live, form.element).element);
  }

  /** @param {Link | null} link @param {(sentence: string) => void} tell */
  #save(link, tell) {
    if (!this.saved.save(link)) return tell(localize("Tabletop.NoStorage"));
    return this.connect();
  }
}

/** The functions that PlanarAlly's page calls. */
export const events = {
  /** @param {{version: string}} meta */
  async init(meta) {
    version = meta.version;
    const language = pickLanguage("", navigator.languages);
    setTranslator(translatorFor(language === "de" ? german : english, language));
  },

  /** @param {ModApi} api */
  async initGame(api) {
    const tabletop = await new PlanarAllyTabletop(api).prepare();
    const window = new ModWindow(tabletop);
    api.ui.shape.registerContextMenuEntry(() => [
      {
        title: localize("PlanarAlly.Window"),
        action: () => {
          window.open(true);
          return true;
        },
      },
    ]);
    // Tests reach the window here.
    Object.assign(globalThis, { enfilade: window });
  },
};
