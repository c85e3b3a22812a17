/** Who plays: links for players and spectators, who waits to come in, who has which tokens. For the GM. */

import { el, replaceContent } from "../../core/ui/dom.js";
import { RequestError } from "../../core/table/credentials.js";
import { Seats } from "../../core/table/membership.js";
import { button, checkbox, rowList, section } from "../../core/ui/controls.js";
import { hasChanged, isGm } from "../../core/game/store.js";

/** @import {Member, Scene} from "../../../types/contract.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Notices} from "../page/notices.js" */

/** @typedef {{store: Store, session: Session, notices: Notices}} Parts */

/** What is done and shown in one panel. */
class PlayersPanel {
  /** @param {HTMLElement} host @param {Parts} parts */
  constructor(host, { store, session, notices }) {
    this.host = host;
    this.store = store;
    this.session = session;
    this.notices = notices;
    this.seats = new Seats(session.client.link);
    this.link = el("div", { id: "invitation", role: "status" });
    store.subscribe((state, before) => {
      const isOther = state.replica?.scene.tokens !== before.replica?.scene.tokens;
      if (isGm(state) && (isOther || hasChanged(state, before, "players"))) this.#show();
    });
  }

  #show() {
    const { players, replica } = this.store.state;
    if (!players || !replica) return;
    const waiting = players.members.filter((member) => !member.seated);
    const seated = players.members.filter((member) => member.seated && member.role !== "gm");
    const focused = document.activeElement?.id;
    replaceContent(
      this.host,
      this.#links(),
      section(
        "Waiting",
        this.#list(
          waiting.map((member) => this.#waiting(member, replica.scene)),
          "Nobody waits.",
        ),
      ),
      section(
        "At the table",
        this.#list(
          seated.map((member) => this.#seated(member, replica.scene)),
          "Nobody yet.",
        ),
      ),
      section(
        "Open links",
        this.#list(
          players.invitations.map((one) => this.#invitation(one)),
          "None.",
        ),
      ),
    );
    if (focused && this.host.querySelector(`#${CSS.escape(focused)}`))
      document.getElementById(focused)?.focus();
  }

  /** @param {HTMLElement[]} items @param {string} none */
  #list(items, none) {
    return items.length ? rowList(items) : el("p", { class: "quiet" }, none);
  }

  #links() {
    const player = button("invite-player", "Link for a player", () => this.#invite("player"));
    const spectator = button("invite-spectator", "Link for spectators", () => this.#invite("spectator"));
    return section("Invite", el("p", { class: "buttons" }, player, spectator), this.link);
  }

  /** @param {"player" | "spectator"} role */
  async #invite(role) {
    const made = await this.#done(this.seats.invite(role));
    if (!made) return;
    const { table } = this.seats.link;
    const address = `${location.origin}/board/#table=${table}&join=${made.secret}`;
    const field = el("input", {
      id: "invitation-link",
      readOnly: true,
      value: address,
      "aria-label": "The link",
    });
    const copy = button("invitation-copy", "Copy", async () => {
      field.select();
      await navigator.clipboard?.writeText(address);
      this.notices.info("The link is on the clipboard.");
    });
    const whom = role === "player" ? "Good for one player" : "Good for all who watch";
    replaceContent(
      this.link,
      el("p", { class: "quiet" }, `${whom}, until ${day(made.expires_ms)}. It is shown only now.`),
      field,
      copy,
    );
    field.focus();
    field.select();
  }

  /** @param {Member} member @param {Scene} scene */
  #waiting(member, scene) {
    const boxes = this.#boxes(member, scene);
    const chosen = () => boxes.filter(({ box }) => box.checked).map(({ token }) => token);
    return el(
      "div",
      { class: "member is-waiting" },
      el("b", {}, member.name),
      ...boxes.map(({ row }) => row),
      button(
        `approve-${member.seat}`,
        "Let in",
        () => this.#done(this.seats.approve(member.seat, chosen())),
        {
          class: "primary",
          "aria-label": `Let ${member.name} in`,
        },
      ),
      button(`refuse-${member.seat}`, "Turn away", () => this.#done(this.seats.dismiss(member.seat)), {
        "aria-label": `Turn ${member.name} away`,
      }),
    );
  }

  /** @param {Member} member @param {Scene} scene */
  #seated(member, scene) {
    const name = member.name || "Whoever has the spectators' link of the server";
    const state = `${member.role === "player" ? "player" : "spectator"}, ${member.online ? "online" : "away"}`;
    const boxes = member.role === "player" ? this.#boxes(member, scene) : [];
    const give = () =>
      this.session.send("tokens.give", {
        player: member.seat,
        tokens: boxes.filter(({ box }) => box.checked).map(({ token }) => token),
      });
    for (const { box } of boxes) box.onchange = give;
    const away = button(
      `revoke-${member.seat}`,
      "Take the seat away",
      () => this.#done(this.seats.dismiss(member.seat)),
      {
        "aria-label": `Take the seat away from ${name}`,
      },
    );
    return el(
      "div",
      { class: "member" },
      el("b", {}, name),
      ` (${state})`,
      ...boxes.map(({ row }) => row),
      away,
    );
  }

  /** @param {Member} member @param {Scene} scene a box for each token, ticked where it is theirs */
  #boxes(member, scene) {
    return scene.tokens.map((token) => {
      const checked = token.owners.includes(member.seat);
      const box = el("input", { id: `gives-${member.seat}-${token.id}`, type: "checkbox", checked });
      return { token: token.id, box, row: checkbox(box, token.name) };
    });
  }

  /** @param {{id: string, role: string, expires_ms: number}} invitation */
  #invitation({ id, role, expires_ms }) {
    const words = `${role === "player" ? "For a player" : "For spectators"}, until ${day(expires_ms)}`;
    const back = button(`withdraw-${id}`, "Take back", () => this.#done(this.seats.withdraw(id)));
    return el("div", { class: "member" }, words, " ", back);
  }

  /**
   * @template T
   * @param {Promise<T>} asked
   * @returns {Promise<T | null>} null where it was refused, which is said
   */
  async #done(asked) {
    try {
      return await asked;
    } catch (problem) {
      if (!(problem instanceof RequestError)) throw problem;
      this.notices.error(problem.message);
      return null;
    }
  }
}

/** @param {number} ms */
const day = (ms) => new Date(ms).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

/** @param {HTMLElement} host @param {Parts} parts */
export function playersPanel(host, parts) {
  new PlayersPanel(host, parts);
}
