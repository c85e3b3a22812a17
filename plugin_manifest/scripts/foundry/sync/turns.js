/**
 * Whose turn it is, in both trackers. The GM chooses who decides: the rules, and Foundry's tracker follows; or Foundry,
 * and the table follows as far as its rules have turns to give. Neither goes its own way without a word.
 */

import { localize } from "../../core/ui/i18n.js";
import { nextRoundAct } from "../../core/game/store.js";
import { onHook } from "../boundary.js";
import { stripMarkup } from "../documents/conversion.js";
import { tableScene } from "../read/table-scene.js";
import { doesFoundryDecide, writeMode } from "../settings.js";
import { isOwnChange } from "./document-hooks.js";

/** @import {ConnectionManager} from "../connection-manager.js" */

const [ACTIVATE, END, ROUND] = ["activate", "end", "round"];
/** Foundry changes the turn and the round one after the other. */
const SETTLED_MS = 150;

/** Keeps the table's turn and that of Foundry's tracker together, on the page that has the lease. */
export class TurnFollower {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The difference that the GM was last told of. */
  #said = "";
  #isFollowing = false;

  /** @param {ConnectionManager} manager */
  constructor(manager) {
    this.manager = manager;
  }

  /** Registers the hooks for as long as the page is open. */
  register() {
    onHook("updateCombat", (combat, changes, options) => {
      if (isOwnChange(options) || !("turn" in changes || "round" in changes)) return;
      if (combat.scene && combat.scene.id !== tableScene()?.id) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#settle(combat), SETTLED_MS);
    });
    this.manager.onConnect(({ client }) => client?.on("entries", () => this.#compare()));
  }

  /** @param {Foundry.Combat} combat whose turn a user has changed in Foundry */
  async #settle(combat) {
    const { client, bridge } = this.manager;
    const { replica } = client ?? {};
    if (!client || !replica || bridge === null || bridge.lease === null || !combat.started) return;
    const token = combat.combatant?.tokenId ?? "";
    const { active } = replica.scene.conditions;
    if (!doesFoundryDecide()) {
      if (active && active !== token) await this.#takeBack(combat, active);
      return;
    }
    this.#isFollowing = true;
    await this.#follow(combat, token).finally(() => (this.#isFollowing = false));
    this.#compare();
  }

  /** Has Foundry's tracker show the table's turn again. @param {Foundry.Combat} combat @param {string} active */
  async #takeBack(combat, active) {
    const turn = combat.turns.findIndex(({ tokenId }) => tokenId === active);
    if (turn < 0) return;
    if (writeMode("order") !== "do") return this.#say("Turns.ApartHere", { name: this.#nameOf(active) });
    const seq = this.manager.client?.replica?.seq ?? 0;
    await combat.update({ turn }, { enfilade: { origin: "server", seq } });
    return this.#say("Turns.TakenBack", { name: this.#nameOf(active) });
  }

  /** Has the table take over the turn of Foundry's tracker. @param {Foundry.Combat} combat @param {string} token */
  async #follow(combat, token) {
    const { replica } = this.manager.client ?? {};
    if (!replica) return;
    const has = (/** @type {string} */ kind) => replica.ruleset.acts.some((act) => act.kind === kind);
    const { active } = replica.scene.conditions;
    if (active && active !== token && has(END)) await this.#act({ kind: END, token: active });
    if (combat.round > (replica.scene.tracks.round ?? 0) && has(ROUND)) await this.#act(nextRoundAct());
    const isKnown = replica.scene.tokens.some(({ id }) => id === token);
    if (isKnown && active !== token && has(ACTIVATE)) await this.#act({ kind: ACTIVATE, token });
  }

  /** @param {any} act done as the GM, out of the order of the rules too */
  async #act(act) {
    try {
      await this.manager.client?.send("act", { act, override: localize("Turns.Reason") });
    } catch (problem) {
      const sentence = problem instanceof Error ? problem.message : String(problem);
      this.#say("Turns.NotFollowed", { sentence: stripMarkup(sentence) });
    }
  }

  /** Tells the GM once if the table has another turn than Foundry, which decides. */
  #compare() {
    const { client, bridge } = this.manager;
    const { replica } = client ?? {};
    if (!doesFoundryDecide() || !replica || this.#isFollowing || !bridge || bridge.lease === null) return;
    const scene = tableScene()?.id;
    const combat = game.combats.find((one) => one.started && (!one.scene || one.scene.id === scene));
    const token = combat?.combatant?.tokenId ?? "";
    const active = replica.scene.conditions.active ?? "";
    if (!token || active === token) {
      this.#said = "";
      return;
    }
    const values = {
      name: this.#nameOf(token),
      other: active ? this.#nameOf(active) : localize("Turns.NoOne"),
    };
    this.#say("Turns.Apart", values);
  }

  /** @param {string} token */
  #nameOf(token) {
    const { tokens = [] } = this.manager.client?.replica?.scene ?? {};
    return stripMarkup(
      tokens.find(({ id }) => id === token)?.name ?? tableScene()?.tokens.get(token)?.name ?? "",
    );
  }

  /** @param {string} key @param {Record<string, string>} values */
  #say(key, values) {
    const text = localize(key, values);
    if (text === this.#said) return;
    this.#said = text;
    ui.notifications.info(text);
  }
}
