/** What a game master does at the table besides moving: act, place, edit, doors, undo, rules. */

import { parseFaces } from "../dice/notation.js";
import { facings, isOnBoard } from "../draw/geometry.js";
import { localize } from "../ui/i18n.js";

/** @import {Act, Cell, Enforcement, Setting, Side, Token, Wall} from "../../../types/contract.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/** One method for each deed. */
export class GmCommands {
  /** @param {Store} store @param {Session} session @param {Notices} notices */
  constructor(store, session, notices) {
    this.store = store;
    this.session = session;
    this.notices = notices;
  }

  /**
   * @param {Act} act exactly as the overlay offered it
   * @param {string} [dice] the faces of real dice, as they were typed; none: the server rolls
   * @param {{isReal?: boolean, isSecret?: boolean, override?: string}} [how] `isReal`: all dice are typed in, the first
   *   perhaps only when a question has been answered; `isSecret`: only the game master reads what comes of it;
   *   `override`: the game master's reason against the rules
   * @returns {Promise<boolean>} whether it was done
   */
  async act(act, dice = "", { isReal = false, isSecret = false, override = "" } = {}) {
    const faces = this.#typed(dice);
    if (!faces) return false;
    const body = { act, faces: faces.length || isReal ? faces : null, override, secret: isSecret };
    const again = (/** @type {string} */ reason) =>
      this.act(act, dice, { isReal, isSecret, override: reason });
    const ack = await this.session.send("act", body, {
      onCurrent: true,
      offer: { label: localize("Deed.Anyway"), does: again },
    });
    if (ack) this.store.set({ target: null });
    return ack !== null;
  }

  /** @param {Cell} at puts the chosen unit there; the choice stays, for the next of its kind */
  async place(at) {
    const { replica, placing } = this.store.state;
    const unit = replica?.ruleset.catalogue.find((other) => other.key === placing?.unit);
    if (!replica || !placing || !unit) return;
    if (!isOnBoard(replica.scene.grid, at)) return this.notices.error(localize("Deed.OffBoard"));
    const { id, name } = unusedName(replica.scene.tokens, unit.name);
    const token = {
      id,
      name,
      side: placing.side,
      at,
      facing: facings(replica.scene.grid)[0],
      profile: unit.profile,
    };
    await this.session.send("token.place", { token });
  }

  /** @param {Token} token as it shall be from now on */
  edit({ body: _, ...token }) {
    return this.session.send("token.place", { token });
  }

  /** @param {string} token */
  async remove(token) {
    if (await this.session.send("token.remove", { token })) await this.session.select(null);
  }

  /** @param {Wall} door opens it where it is closed or locked, closes it where it is open */
  toggleDoor({ id, state }) {
    return this.setDoor(id, state === "open" ? "closed" : "open");
  }

  /** @param {string} wall @param {Wall["state"]} state */
  setDoor(wall, state) {
    return this.session.send("door.set", { wall, state });
  }

  /** @param {Side[]} sides */
  setSides(sides) {
    return this.session.send("sides.set", { sides });
  }

  /** @param {Record<string, Setting>} houseRules @param {Enforcement} enforcement */
  async setRules(houseRules, enforcement) {
    const ack = await this.session.send("rules.set", { house_rules: houseRules, enforcement });
    if (ack) this.notices.info(localize("Deed.RulesSet"));
  }

  /** @param {string} url where the log is posted from now on; empty for nowhere */
  setWebhook(url) {
    return this.session.send("webhook.set", { url });
  }

  /** Puts a line into the log that is posted like any other. */
  testWebhook() {
    return this.session.send("webhook.test", {});
  }

  /** Takes back the last entry that still stands. */
  undo() {
    return this.session.send("undo", { seq: null });
  }

  /**
   * @param {string} choice
   * @param {string} answer
   * @param {string} dice the faces of real dice that the answer needs, as they were typed
   */
  async answer(choice, answer, dice) {
    const faces = this.#typed(dice);
    if (faces)
      await this.session.send("choice.answer", { choice, answer, faces: faces.length ? faces : null });
  }

  /** @param {string} dice @returns {(number | string)[] | null} null where they are none, which is said */
  #typed(dice) {
    try {
      return parseFaces(dice, this.store.state.replica?.ruleset.faces);
    } catch (problem) {
      if (!(problem instanceof SyntaxError)) throw problem;
      this.notices.error(problem.message);
      return null;
    }
  }
}

/**
 * A name with the first number that no token has, and an id made from it.
 * @param {Token[]} tokens
 * @param {string} name
 */
export function unusedName(tokens, name) {
  const slug =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 50) || "token";
  const taken = new Set(tokens.flatMap((token) => [token.id, token.name]));
  let number = 1;
  while (taken.has(`${slug}-${number}`) || taken.has(`${name} ${number}`)) number += 1;
  return { id: `${slug}-${number}`, name: `${name} ${number}` };
}
