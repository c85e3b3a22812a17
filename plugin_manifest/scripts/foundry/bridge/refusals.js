/** What the table refused of the map: told to the GM, and kept by token for the form of its profile. */

import { localize } from "../../core/ui/i18n.js";
import { harmless } from "../writing/card.js";

/** @import {Told} from "./bridge.js" */

/** A field of a profile, in the path of a problem. */
const FIELD = /(?:^|\.)profile\.(\w+)/;

/** What is wrong with the profiles of tokens, by their fields. */
export class Refusals {
  /** @type {Map<string, Record<string, string[]>>} */
  #byToken = new Map();
  /** @type {(() => void)[]} */
  #watchers = [];

  /** @param {() => void} watcher called after every change */
  watch(watcher) {
    this.#watchers.push(watcher);
  }

  /** @param {string} token @returns {Record<string, string[]> | null} by field; null where nothing is wrong */
  of(token) {
    return this.#byToken.get(token) ?? null;
  }

  /** @param {Record<string, Told>} tokens what came of each that the table was told of */
  take(tokens) {
    for (const [id, { ok, error }] of Object.entries(tokens)) {
      this.#byToken.delete(id);
      if (ok || !error || error.retryable) continue;
      const name = canvas.scene?.tokens.get(id)?.name ?? id;
      ui.notifications.warn(
        localize("bridge.refused", { name: harmless(name), sentence: harmless(error.sentence) }),
      );
      const wrong = Object.entries(error.fields ?? {}).map(([path, says]) => [FIELD.exec(path)?.[1], says]);
      this.#byToken.set(id, Object.fromEntries(wrong.filter(([field]) => field)));
    }
    for (const watcher of this.#watchers) watcher();
  }
}
