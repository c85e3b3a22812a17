/** The hidden page, alive while the room is open: the bridge for a GM, and the overlay for everyone. */

import { localize } from "../core/ui/i18n.js";
import { LivePage } from "../tabletop/live-page.js";
import { OBR, OWN, ask } from "./host.js";
import { addPointerTool } from "./pointer-tool.js";
import { onOtherLink, savedLink, shareLayers } from "./shared-settings.js";
import { OwlbearTabletop } from "./tabletop.js";

const ICON = "/owlbear/icon.svg";

/** Starts the page, after the host is ready. */
export async function startBackground() {
  const tabletop = await new OwlbearTabletop().prepare();
  await tabletop.overlay.clear();
  let live = /** @type {LivePage | null} */ (null);
  let unshare = () => {};
  const connect = () => {
    live?.close();
    unshare();
    const link = savedLink.read();
    live =
      link && new LivePage(link, tabletop, { onState: (state, sentence) => tell(tabletop, state, sentence) });
    unshare = live ? shareLayers(live.seat) : () => {};
    // Tests read the state of the page here.
    Object.assign(window, { enfilade: { live, tabletop } });
  };
  onOtherLink(connect);
  connect();
  await addPointerTool(ICON, () => live);
  await addMenu();
}

/** @param {OwlbearTabletop} tabletop @param {string} state @param {string} sentence */
function tell(tabletop, state, sentence) {
  if (state === "connected") tabletop.notify(localize("line.connected", { sentence }), "info");
  else if (state !== "connecting") tabletop.notify(localize(`line.${state}`, { sentence }), "error");
}

/** Adds the entry of a token's menu that opens the panel. */
async function addMenu() {
  const every = [
    { key: "layer", value: "CHARACTER", coordinator: /** @type {const} */ ("||") },
    { key: "layer", value: "MOUNT" },
  ];
  await ask(() =>
    OBR.contextMenu.create({
      id: `${OWN}/acts`,
      icons: [{ icon: ICON, label: localize("Owlbear.Menu"), filter: { min: 1, max: 1, every } }],
      onClick: () => ask(() => OBR.action.open()),
    }),
  );
}
