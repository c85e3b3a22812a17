/** The form that says what a token of the tabletop is in the rules: its side, and its profile from the catalog. For GMs. */

import { hasChanged, isGm } from "../core/game/store.js";
import { button, field, selectField } from "../core/ui/controls.js";
import { el, replaceContent } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";
import { tokenBody } from "./scene-body.js";

/** @import {TabletopSeat} from "./seat.js" */

/**
 * Fills an element with the choice of side and unit for the selected token, also for one that the table lacks.
 * @param {HTMLElement} host
 * @param {TabletopSeat} seat
 */
export function unitView(host, { store, session, tabletop }) {
  let shown = "";
  const show = () => {
    const { replica, controlled } = store.state;
    host.hidden = !replica || !controlled || !isGm(store.state);
    if (!replica || !controlled) return;
    const known = replica.scene.tokens.find(({ id }) => id === controlled);
    // New lists would discard what the GM has chosen and not used, so only new content makes them.
    const content = JSON.stringify([replica.ruleset.key, replica.scene.sides, controlled, known?.side]);
    if (content === shown) return;
    shown = content;
    const units = replica.ruleset.catalog.map(
      ({ key, name }) => /** @type {[string, string]} */ ([key, name]),
    );
    const sides = replica.scene.sides.map(({ id, name }) => /** @type {[string, string]} */ ([id, name]));
    const unit = selectField("enfilade-unit", [["", localize("Profile.Ready")], ...units], "");
    const side = selectField("enfilade-side", known ? sides : [byMap(), ...sides], known?.side ?? "");
    replaceContent(
      host,
      field(localize("Profile.Catalog"), unit),
      field(localize("Tabletop.SideOf"), side),
      button("enfilade-unit-use", localize("Profile.Use"), () => use(controlled, unit.value, side.value)),
      known ? "" : el("p", { class: "reason" }, localize("Tabletop.Unfit")),
    );
  };

  /** @param {string} id @param {string} key @param {string} side */
  const use = async (id, key, side) => {
    const { replica } = store.state;
    const unit = replica?.ruleset.catalog.find((one) => one.key === key);
    const knownNow = () => store.state.replica?.scene.tokens.find((token) => token.id === id);
    const profile = unit?.profile ?? knownNow()?.profile;
    const scene = await tabletop.readScene();
    const token = scene?.tokens.find((one) => one.id === id);
    if (!replica || !scene || !token || !profile) return;
    await tabletop.saveProfile(id, profile);
    const of = side || token.side;
    const { sides } = (store.state.replica ?? replica).scene; // another unit may have got one meanwhile
    if (!sides.some((one) => one.id === of))
      await session.send("sides.set", {
        sides: [...sides, { id: of, name: localize(`Tabletop.Side.${of}`) }],
      });
    // Tracks belong to the profile: another unit starts with its own.
    const given = { ...tokenBody(scene, token, knownNow()), profile, side: of };
    await session.send("token.place", { token: given });
  };
  store.subscribe((state, before) => hasChanged(state, before, "controlled", "replica") && show());
  show();
}

/** @returns {[string, string]} the choice of the side that the tabletop gives a token */
const byMap = () => ["", localize("Tabletop.SideByMap")];
