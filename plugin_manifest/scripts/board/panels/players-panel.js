/** Players and invitations: invite, admit, assign tokens, remove, revoke. GM only. */

import { AUTOMATIC } from "../../core/game/gm-commands.js";
import { hasChanged, isGm } from "../../core/game/store.js";
import { RequestError } from "../../core/table/credentials.js";
import { Membership } from "../../core/table/membership.js";
import { button, checkbox, confirmDialog, rowList, section } from "../../core/ui/controls.js";
import { el, replaceContent, whileOpen } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { inNameOrder } from "../../core/ui/names.js";
import { forgetTable } from "../start/my-tables.js";

/** @import {Invitation, Member, Scene} from "../../../types/contract.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/** @typedef {{store: Store, session: Session, notices: Notices, commands: GmCommands}} Parts */

/** Names of this computer that no other one knows. */
const LOCAL = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Keep an element filled with the table's players.
 * @param {HTMLElement} host
 * @param {Parts} parts
 */
export function playersPanel(host, parts) {
  new PlayersPanel(host, parts);
}

class PlayersPanel {
  /** @param {HTMLElement} host @param {Parts} parts */
  constructor(host, { store, session, notices, commands }) {
    this.host = host;
    this.store = store;
    this.session = session;
    this.notices = notices;
    this.commands = commands;
    this.membership = new Membership(session.client.link);
    this.newLink = el("div", { id: "invitation", role: "status" });
    this.rotated = el("div", { id: "rotated", role: "status" });
    whileOpen(host, store, (state, before) => {
      const isNew = state.replica?.scene.tokens !== before.replica?.scene.tokens;
      if (isGm(state) && (isNew || hasChanged(state, before, "players"))) this.#show();
    });
  }

  #show() {
    const { players, replica } = this.store.state;
    if (!players || !replica) return;
    const waiting = players.members.filter((member) => !member.seated);
    const seated = players.members.filter((member) => member.seated && member.role !== "gm");
    const list = (/** @type {HTMLElement[]} */ items, /** @type {string} */ ifEmpty) =>
      items.length ? rowList(items) : el("p", { class: "quiet" }, ifEmpty);
    const player = button("invite-player", localize("Players.PlayerLink"), () => this.#invite("player"));
    const spectator = button("invite-spectator", localize("Players.SpectatorLink"), () =>
      this.#invite("spectator"),
    );
    replaceContent(
      this.host,
      section(localize("Players.Invite"), el("p", { class: "buttons" }, player, spectator), this.newLink),
      section(
        localize("Players.Waiting"),
        list(
          waiting.map((member) => this.#waitingRow(member, replica.scene)),
          localize("Players.NoneWaiting"),
        ),
      ),
      section(
        localize("Players.Seated"),
        list(
          seated.map((member) => this.#seatedRow(member, replica.scene)),
          localize("Players.NoneSeated"),
        ),
      ),
      section(
        localize("Players.OpenLinks"),
        list(
          players.invitations.map((one) => this.#invitationRow(one)),
          localize("Players.NoLinks"),
        ),
      ),
      section(
        localize("Players.FixedLinks"),
        el(
          "div",
          { class: "buttons" },
          button("rotate-gm", localize("Players.RotateGm"), () => this.#rotate("gm")),
          button("rotate-spectator", localize("Players.RotateSpectator"), () => this.#rotate("spectator")),
        ),
        el("p", { class: "quiet" }, localize("Players.RotateHint")),
        this.rotated,
      ),
    );
  }

  /** @param {"player" | "spectator"} role */
  async #invite(role) {
    const invitation = await this.#attempt(this.membership.invite(role));
    if (!invitation) return;
    const { table } = this.membership.link;
    const { replica } = this.store.state;
    const named = new URLSearchParams({
      name: replica?.scene.name ?? "",
      game: replica?.ruleset.title ?? "",
    });
    const address = `${location.origin}/board/#table=${table}&join=${invitation.secret}&${named}`;
    const isLocal = LOCAL.has(location.hostname);
    const local = isLocal
      ? [
          el(
            "p",
            { class: "notes", id: "invitation-local" },
            localize("Players.LocalLink", { host: location.host }),
          ),
        ]
      : [];
    const field = el("input", {
      id: "invitation-link",
      readOnly: true,
      value: address,
      "aria-label": localize("Players.Link"),
    });
    const copy = button("invitation-copy", localize("Players.Copy"), async () => {
      field.select();
      await navigator.clipboard?.writeText(address);
      this.notices.info(localize("Players.Copied"));
    });
    const key = role === "player" ? "Players.PlayerLinkHint" : "Players.SpectatorLinkHint";
    const hint = el("p", { class: "quiet" }, localize(key, { until: dateText(invitation.expires_ms) }));
    replaceContent(this.newLink, hint, field, copy, ...local);
    field.focus();
    field.select();
  }

  /**
   * Replace the key in the GM's own link, and open the table by the new one; or that of the spectators' link.
   * @param {"gm" | "spectator"} role
   */
  #rotate(role) {
    const isGmLink = role === "gm";
    const question = localize(isGmLink ? "Players.ConfirmRotateGm" : "Players.ConfirmRotateSpectator");
    confirmDialog(question, localize(isGmLink ? "Players.RotateGm" : "Players.RotateSpectator"), async () => {
      const made = await this.#attempt(this.membership.replaceKey(role));
      if (!made) return;
      const { table, key: old } = this.membership.link;
      const hash = `#table=${table}&key=${made.key}`;
      if (isGmLink) {
        forgetTable({ table, key: old, name: "", game: "", role });
        location.replace(`${location.pathname}${hash}`); // the page loads again for another link
        return;
      }
      const address = `${location.origin}/board/${hash}`;
      const shown = el("input", { readOnly: true, value: address, "aria-label": localize("Players.Link") });
      replaceContent(this.rotated, shown);
      shown.select();
    });
  }

  /** @param {Member} member @param {Scene} scene */
  #waitingRow({ seat, name }, scene) {
    const boxes = tokenBoxes(seat, scene);
    const admit = () => this.#attempt(this.membership.approve(seat, checkedTokens(boxes)));
    const decline = () => this.#attempt(this.membership.removeSeat(seat));
    return el(
      "div",
      { class: "member is-waiting" },
      el("b", {}, name),
      ...boxes.map(({ row }) => row),
      button(`admit-${seat}`, localize("Players.Admit"), admit, {
        class: "primary",
        "aria-label": localize("Players.AdmitName", { name }),
      }),
      button(`decline-${seat}`, localize("Players.Decline"), decline, {
        "aria-label": localize("Players.DeclineName", { name }),
      }),
    );
  }

  /** @param {Member} member @param {Scene} scene */
  #seatedRow({ seat, name: ownName, role, online }, scene) {
    const isPlayer = role === "player";
    const name = ownName || localize("Players.SharedLink");
    const presence = localize(online ? "Players.Online" : "Players.Offline");
    const boxes = isPlayer ? tokenBoxes(seat, scene) : [];
    const assign = () => this.session.send("tokens.assign", { player: seat, tokens: checkedTokens(boxes) });
    for (const { box } of boxes) box.onchange = assign;
    const remove = () =>
      confirmDialog(
        localize(isPlayer ? "Players.ConfirmPlayer" : "Players.ConfirmSpectator", { name }),
        localize("Players.RemoveName", { name }),
        () => this.#attempt(this.membership.removeSeat(seat)),
      );
    return el(
      "div",
      { class: "member" },
      el("b", {}, name),
      ` (${localize(isPlayer ? "Players.Player" : "Players.Spectator")}, ${presence})`,
      ...boxes.map(({ row }) => row),
      isPlayer ? this.#automaticButton(seat, name, scene) : null,
      button(
        `remove-${seat}`,
        localize(isPlayer ? "Players.RemovePlayer" : "Players.RemoveSpectator"),
        remove,
        {
          "aria-label": localize("Players.RemoveName", { name }),
        },
      ),
    );
  }

  /**
   * Build the switch for a player who is away: the questions of all their tokens take the defaults while it is on.
   * @param {string} seat
   * @param {string} name
   * @param {Scene} scene
   */
  #automaticButton(seat, name, { tokens }) {
    const own = tokens.filter(({ owners }) => owners.includes(seat));
    if (!own.length) return null;
    const isOn = own.every(({ conditions }) => AUTOMATIC in conditions);
    const change = async () => {
      for (const token of own)
        if (AUTOMATIC in token.conditions === isOn) await this.commands.setAutomatic(token.id, !isOn);
    };
    const text = localize(isOn ? "Turn.NotAutomatic" : "Turn.Automatic", { name });
    return button(`automatic-${seat}`, text, change, {
      "aria-pressed": String(isOn),
      title: localize("Players.AutomaticHint"),
    });
  }

  /** @param {Invitation} invitation */
  #invitationRow({ id, role, expires_ms: expires }) {
    const key = role === "player" ? "Players.PlayerLinkUntil" : "Players.SpectatorLinkUntil";
    const revoke = () => this.#attempt(this.membership.revokeInvitation(id));
    return el(
      "div",
      { class: "member" },
      localize(key, { until: dateText(expires) }),
      " ",
      button(`revoke-${id}`, localize("Players.RevokeLink"), revoke),
    );
  }

  /**
   * Await a request and show its error if the server refuses it.
   * @template T
   * @param {Promise<T>} request
   * @returns {Promise<T | null>} null if refused
   */
  async #attempt(request) {
    try {
      return await request;
    } catch (problem) {
      if (!(problem instanceof RequestError)) throw problem;
      this.notices.error(problem.message);
      return null;
    }
  }
}

/** @typedef {{token: string, box: HTMLInputElement, row: HTMLElement}[]} TokenBoxes */

/**
 * Build a checkbox for each token, checked if the seat owns it.
 * @param {string} seat
 * @param {Scene} scene
 * @returns {TokenBoxes}
 */
const tokenBoxes = (seat, scene) =>
  inNameOrder(scene.tokens).map((token) => {
    const checked = token.owners.includes(seat);
    const box = el("input", { id: `owns-${seat}-${token.id}`, type: "checkbox", checked });
    return { token: token.id, box, row: checkbox(box, token.name) };
  });

/** @param {TokenBoxes} boxes */
const checkedTokens = (boxes) => boxes.filter(({ box }) => box.checked).map(({ token }) => token);

/** @param {number} ms */
const dateText = (ms) => new Date(ms).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
