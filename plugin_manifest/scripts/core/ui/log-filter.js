/** The log's list of filters: kinds of entries, sides, and units. */

import { selectField } from "./controls.js";
import { el } from "./dom.js";
import { localize } from "./i18n.js";
import { inNameOrder } from "./names.js";

/** @import {LogEntry, Scene} from "../../../types/contract.js" */

/** Chooses which entries a log shows. */
export class LogFilter {
  /** @param {() => void} onChange is called when a person chooses another filter */
  constructor(onChange) {
    this.element = selectField("log-filter", [], "", { "aria-label": localize("Log.Filter") });
    this.element.onchange = onChange;
  }

  /** Offer the sides and units of a scene. @param {Scene} scene */
  fill({ sides, tokens }) {
    const options = [
      ["", localize("Log.All")],
      ["kind:act,choice.answer,choice.close", localize("Log.Acts")],
      ["kind:token.move", localize("Log.Moves")],
      ["kind:note", localize("Log.Notes")],
      ...sides.map(({ id, name }) => [`side:${id}`, name]),
      ...inNameOrder(tokens).map(({ id, name }) => [`unit:${id}`, name]),
    ];
    const text = JSON.stringify(options);
    const { element } = this;
    if (element.dataset.options === text) return;
    element.dataset.options = text;
    const { value } = element;
    element.replaceChildren(
      ...options.map(([key, name]) => el("option", { value: key, selected: key === value }, name)),
    );
  }

  /**
   * Return whether an entry passes the chosen filter.
   * @param {Scene | undefined} scene names the units of a side
   * @returns {(entry: LogEntry) => boolean}
   */
  test(scene) {
    const { value } = this.element;
    if (!value || !scene) return () => true;
    if (value.startsWith("kind:")) {
      const kinds = value.slice(5).split(",");
      return ({ kind }) => kinds.includes(kind);
    }
    const [what, id] = [value.slice(0, 5), value.slice(5)];
    const tokens = scene.tokens.filter((token) => (what === "unit:" ? token.id : token.side) === id);
    return ({ facts, text }) =>
      tokens.some(
        (token) => facts.token === token.id || facts.target === token.id || text.includes(token.name),
      );
  }
}
