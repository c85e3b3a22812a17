/**
 * Commands other than moves: acts, answers, and the GM's edits (place, edit, doors, sides, rules, webhook,
 * undo).
 */

import { parseFaces } from "../dice/notation.js";
import { boardSize, center, facings, isOnBoard } from "../map/geometry.js";
import { fillInAct } from "../ui/act-form.js";
import { localize } from "../ui/i18n.js";
import { randomHex } from "../table/connection.js";

/** @import {Ack, Act, Cell, Enforcement, Grid, OwnUnit, Scene, Setting, Side, Terrain, Token, Wall} from "../../../types/contract.js" */
/** @import {Notices, Placing, TableState} from "../../../types/page.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/** The condition of a token whose choices take their defaults. */
export const AUTOMATIC = "automatic";

/** One method for each command. */
export class GmCommands {
  #isUndoing = false;
  #isClosing = false;
  /** The newest change that is made from the scene. @type {Promise<unknown>} */
  #change = Promise.resolve();
  /** The acts without an answer, as text. @type {Set<string>} */
  #underWay = new Set();
  /** The units being placed, until their entry is there. @type {{id: string, name: string, seq: number}[]} */
  #arriving = [];

  /** @param {Store} store @param {Session} session @param {Notices} notices */
  constructor(store, session, notices) {
    this.store = store;
    this.session = session;
    this.notices = notices;
  }

  /**
   * Send an act, after its form if its kind has one. If the rules refuse it, the GM may override.
   * @param {Act} offered as the overlay offered it
   * @param {string} [dice] the typed faces of physical dice; "" lets the server roll
   * @param {{isPhysical?: boolean, isHidden?: boolean, override?: string}} [options] `isPhysical`: all dice are
   *   physical, even if the first roll comes only after a prompt; `isHidden`: only the GM sees the result;
   *   `override`: the GM's reason to break the rules
   * @returns {Promise<boolean>} whether the table accepted it
   */
  async act(offered, dice = "", { isPhysical = false, isHidden = false, override = "" } = {}) {
    if (offered.kind === "move") return this.#move(offered, override);
    const faces = this.#parseFaces(dice);
    const { replica } = this.store.state;
    if (!faces || !replica) return false;
    const meant = withPicked(this.store.state, offered);
    const act = override ? offered : await fillInAct(replica.ruleset, meant, replica.scene.sides);
    if (!act) return false;
    const body = { act, faces: faces.length || isPhysical ? faces : null, override, secret: isHidden };
    const text = JSON.stringify(body);
    if (this.#underWay.has(text)) return false; // a double click means one act
    this.#underWay.add(text);
    const ack = await this.session
      .send("act", body, {
        onCurrent: true,
        offer: {
          label: localize("Command.Override"),
          override: (reason) => this.act(act, dice, { isPhysical, isHidden, override: reason }),
        },
      })
      .finally(() => this.#underWay.delete(text));
    if (ack) this.store.set({ target: null });
    return ack !== null;
  }

  /** Move a token as an offer says: moves go by a command of their own. @param {Act} offered @param {string} override */
  async #move({ token, at, facing, path }, override) {
    if (!at) return false;
    const body = {
      token,
      at,
      ...(facing === null ? {} : { facing }),
      ...(path?.length ? { path } : {}),
      override,
    };
    const offer = {
      label: localize("Command.Override"),
      override: (/** @type {string} */ reason) =>
        this.#move(/** @type {Act} */ ({ token, at, facing, path }), reason),
    };
    return (await this.session.send("token.move", body, { onCurrent: true, offer })) !== null;
  }

  /** Place a unit. @param {Placing} placing @param {Cell} at */
  async place(placing, at) {
    const { replica } = this.store.state;
    const own = replica?.scene.units.find((other) => `own:${other.key}` === placing.unit);
    const chosen = own ?? replica?.ruleset.catalog.find((other) => other.key === placing.unit);
    if (!replica || !chosen) return;
    const { grid, tokens } = replica.scene;
    if (!isOnBoard(grid, at)) return this.notices.error(localize("Command.OffBoard"));
    // Units on their way count too: the next click can come before this one's entry.
    this.#arriving = this.#arriving.filter(({ seq }) => seq > replica.seq);
    const { side, hidden } = placing;
    const names = unusedName([...tokens, ...this.#arriving], chosen.name, hidden);
    const arriving = { ...names, seq: Infinity };
    this.#arriving.push(arriving);
    const token = {
      ...names,
      side,
      at,
      facing: facingIn(grid, at),
      hidden,
      profile: chosen.profile,
      image: own?.image ?? "",
    };
    arriving.seq = (await this.session.send("token.place", { token, is_new: true }))?.seq ?? 0;
  }

  /** @param {Token} token with its new properties */
  edit({ body: _, ...token }) {
    const tokens = this.store.state.replica?.scene.tokens ?? [];
    const isShown = tokens.some(({ id, hidden }) => id === token.id && hidden && !token.hidden);
    const name = isShown ? shownName(tokens, token.name) : token.name;
    return this.session.send("token.place", { token: { ...token, name } });
  }

  /**
   * Give a token another picture.
   * @param {string} id
   * @param {string} image
   */
  setImage(id, image) {
    return this.#editNow(id, () => ({ image }));
  }

  /**
   * Have a token's choices take their defaults, as for a player who is away, or end that.
   * @param {string} id
   * @param {boolean} isOn
   */
  setAutomatic(id, isOn) {
    return this.#editNow(id, ({ conditions: { [AUTOMATIC]: _, ...others } }) => ({
      conditions: isOn ? { ...others, [AUTOMATIC]: "" } : others,
    }));
  }

  /**
   * Change a token as it is by then.
   * @param {string} id
   * @param {(token: Token) => Partial<Token>} change
   */
  #editNow(id, change) {
    return this.#inTurn(({ tokens }) => {
      const token = tokens.find((one) => one.id === id);
      return token ? this.edit({ ...token, ...change(token) }) : null;
    });
  }

  /**
   * Make a command from the scene that the commands before it have left, so that two quick changes both last: each of
   * them puts a whole wall, patch of terrain, token or list.
   * @param {(scene: Scene) => Promise<Ack | null> | null} send sends it; null changes nothing
   * @returns {Promise<Ack | null>}
   */
  #inTurn(send) {
    const sent = this.#change.then(async () => {
      const { replica } = this.store.state;
      const ack = replica ? await send(replica.scene) : null;
      if (ack) await this.session.reaches(ack.seq ?? 0);
      return ack;
    });
    this.#change = sent.catch(() => {});
    return sent;
  }

  /** @param {string} token */
  async remove(token) {
    if (await this.session.send("token.remove", { token })) await this.session.select(null);
  }

  /** Open a closed or locked door, or close an open one. @param {Wall} door */
  toggleDoor({ id, state }) {
    return this.setDoor(id, state === "open" ? "closed" : "open");
  }

  /** @param {string} wall @param {Wall["state"]} state */
  setDoor(wall, state) {
    return this.session.send("door.set", { wall, state });
  }

  /** @param {(sides: Side[]) => Side[]} change returns the new sides */
  setSides(change) {
    return this.#inTurn(({ sides }) => this.session.send("sides.set", { sides: change(sides) }));
  }

  /**
   * Change the map: put walls, doors and terrain, or remove them by ID.
   * @param {(scene: Scene) => {walls?: Wall[], terrain?: Terrain[], remove?: string[]} | null} change null changes nothing
   */
  editMap(change) {
    return this.#inTurn((scene) => {
      const made = change(scene);
      return made && this.session.send("map.edit", { walls: [], terrain: [], remove: [], ...made });
    });
  }

  /** Set the table's own catalog. @param {(units: OwnUnit[]) => OwnUnit[]} change returns the new one */
  setUnits(change) {
    return this.#inTurn(({ units }) => this.session.send("units.set", { units: change(units) }));
  }

  /** Show all seats a place. @param {Cell} at on the plane */
  ping([x, y]) {
    return this.session.send("ping", { at: [Math.round(x), Math.round(y)] });
  }

  /** @param {Record<string, Setting>} houseRules @param {Enforcement} enforcement */
  async setRules(houseRules, enforcement) {
    const ack = await this.session.send("rules.set", { house_rules: houseRules, enforcement });
    if (ack) this.notices.info(localize("Command.RulesSaved"));
  }

  /** @param {string} url "" stops posting */
  setWebhook(url) {
    return this.session.send("webhook.set", { url });
  }

  /** Add a test line to the log, which is posted like any other. */
  testWebhook() {
    return this.session.send("webhook.test", {});
  }

  /** Undo the last entry that is not undone yet. */
  undo() {
    return this.session.send("undo", { seq: null });
  }

  /** Redo the entry that was undone last. */
  redo() {
    return this.session.send("redo", {});
  }

  /**
   * Undo entry by entry until a certain one is undone. An act that waits for an answer is cancelled first. A second call
   * meanwhile does nothing: it would go on with the entry before.
   * @param {number} seq
   */
  async undoTo(seq) {
    if (this.#isUndoing) return;
    this.#isUndoing = true;
    try {
      for (;;) {
        const result = (await this.undo())?.result ?? {};
        if (!("cancelled" in result) && !(Number(result.undone) > seq)) return;
      }
    } finally {
      this.#isUndoing = false;
    }
  }

  /**
   * Answer a choice.
   * @param {string} choice
   * @param {string | Record<string, number>} answer an option's key; for a split a number for each key
   * @param {string} dice the typed faces of physical dice that the answer needs
   */
  async answer(choice, answer, dice) {
    const faces = this.#parseFaces(dice);
    if (!faces) return;
    await this.session.send("choice.answer", { choice, answer, faces: faces.length ? faces : null });
  }

  /**
   * Answer several choices at the same time, all or none; the receipts of sealed answers are kept.
   * @param {Record<string, string>} answers an option's key by the ID of each choice
   */
  async answerAll(answers) {
    const [[choice, answer], ...rest] = Object.entries(answers);
    const body = { choice, answer, also: Object.fromEntries(rest) };
    const ack = await this.session.send("choice.answer", body);
    const receipts = /** @type {Record<string, string>} */ (ack?.result?.receipts ?? {});
    for (const [id, commitment] of Object.entries(receipts)) this.session.receipts.set(id, commitment);
  }

  /** Take the default answers of all choices at the same time that have none. @param {string} choice one of them */
  async closeChoices(choice) {
    if (this.#isClosing) return; // a double click means one
    this.#isClosing = true;
    await this.session.send("choice.close", { choice });
    this.#isClosing = false;
  }

  /** Parse typed faces; show the error and return null if they are invalid. @param {string} dice */
  #parseFaces(dice) {
    try {
      return parseFaces(dice, this.store.state.replica?.ruleset.faces);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.notices.error(error.message);
      return null;
    }
  }
}

/**
 * Return an act of a group with the picked tokens of its side as the members, if several are picked.
 * @param {TableState} state
 * @param {Act} act
 * @returns {Act}
 */
function withPicked({ picked, replica }, act) {
  const tokens = replica?.scene.tokens ?? [];
  const side = tokens.find(({ id }) => id === act.token)?.side;
  const members = tokens.filter((token) => token.side === side && picked.includes(token.id));
  if (members.length < 2 || !picked.includes(act.token) || !Array.isArray(act.body?.members)) return act;
  return { ...act, body: { ...act.body, members: members.map(({ id }) => id) } };
}

/**
 * Return the facing nearest to the middle of the board, so that sides set up across from each other face.
 * @param {Grid} grid
 * @param {Cell} at
 */
function facingIn(grid, at) {
  const [width, height] = boardSize(grid);
  const [x, y] = center(grid, at);
  const wanted = (Math.atan2(width / 2 - x, y - height / 2) * 180) / Math.PI;
  const turn = (/** @type {number} */ facing) => Math.abs(((facing - wanted + 540) % 360) - 180);
  return facings(grid).reduce((best, facing) => (turn(facing) < turn(best) ? facing : best));
}

/**
 * Return a name for a new unit, and an ID made from it. A unit that all seats see has the first free number; one that
 * only the GM sees has a letter and a random ID, so that no number counts hidden units.
 * @param {{id: string, name: string}[]} tokens
 * @param {string} name
 * @param {boolean} [isHidden]
 */
export function unusedName(tokens, name, isHidden = false) {
  const slug =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 50) || "token";
  const taken = new Set(tokens.flatMap((token) => [token.id, token.name]));
  let number = 1;
  const mark = () => (isHidden ? inLetters(number) : String(number));
  while (taken.has(`${slug}-${mark()}`) || taken.has(`${name} ${mark()}`)) number += 1;
  const ending = isHidden ? randomHex().slice(0, 8) : mark();
  return { id: `${slug}-${ending}`, name: `${name} ${mark()}` };
}

/**
 * Return the name of a unit that all seats see from now on: a number in place of its letter.
 * @param {{id: string, name: string}[]} tokens
 * @param {string} name
 */
export function shownName(tokens, name) {
  const [, kind] = name.match(/^(.+) [A-Z]{1,2}$/) ?? [];
  return kind ? unusedName(tokens, kind).name : name;
}

/** Return A to Z, then AA to ZZ. @param {number} number from 1 */
function inLetters(number) {
  const first = Math.floor((number - 1) / 26);
  return (first ? String.fromCharCode(64 + first) : "") + String.fromCharCode(65 + ((number - 1) % 26));
}
