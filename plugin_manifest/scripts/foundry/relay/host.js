/**
 * The GM's side of the relay: a line to the server for every player who asks, with that player's own seat, and
 * each line's news for that player alone. Whoever the letter came from, by Foundry's word, has that line.
 */

import { RequestError } from "../../core/table/connection.js";

/** @import {ResumePoint} from "../../../types/contract.js" */
/** @import {TableConnection, ConnectionHandlers} from "../../../types/page.js" */
/** @import {Post} from "./post.js" */

/** @typedef {(user: string, ends: ConnectionHandlers) => Promise<TableConnection>} OpenFor rejected with a sentence where the user gets no seat */

const MOST_LINES = 30;
const KINDS = /^[a-z]+(\.[a-z]+)*$/;

/**
 * What is known, where it is said as the server takes it.
 * @param {any} said
 * @returns {ResumePoint | null}
 */
function knownIn(said) {
  const isSaid = /^[0-9a-f]{16}$/.test(said?.epoch) && Number.isSafeInteger(said.seq) && said.seq >= 0;
  return isSaid ? { epoch: said.epoch, seq: said.seq } : null;
}

/** Keeps the players' lines. */
export class RelayHost {
  /** @type {Map<string, {line: Promise<TableConnection>}>} */
  #lines = new Map();

  /** @param {Pick<Post, "send">} post @param {OpenFor} openFor */
  constructor(post, openFor) {
    this.post = post;
    this.openFor = openFor;
  }

  /**
   * @param {any} letter from a player, who may write anything
   * @param {string} user
   */
  hear(letter, user) {
    if (letter?.relay === "open") this.#open(user, letter.known);
    else if (letter?.relay === "command") this.#command(user, letter);
    else if (letter?.relay === "close") this.close(user);
  }

  /** @param {string} user who has gone */
  close(user) {
    this.#lines
      .get(user)
      ?.line.then((line) => line.close())
      .catch(() => {});
    this.#lines.delete(user);
  }

  /** Hangs up for everybody. */
  closeAll() {
    for (const user of [...this.#lines.keys()]) this.close(user);
  }

  /** @param {string} user @param {any} said what the player's page says it knows */
  #open(user, said) {
    this.close(user);
    if (this.#lines.size >= MOST_LINES)
      return this.#tell(user, { relay: "state", state: "refused", sentence: "" });
    let known = knownIn(said);
    const line = this.openFor(user, {
      resumePoint: () => known,
      onUpdate: (update) => {
        if (update.kind === "snapshot" || update.kind === "entries") known = knownIn(update);
        this.#tell(user, { relay: "update", update });
      },
      onState: (state, sentence) => this.#tell(user, { relay: "state", state, sentence }),
    });
    this.#lines.set(user, { line });
    line.catch((problem) =>
      this.#tell(user, { relay: "state", state: "refused", sentence: String(problem.message) }),
    );
  }

  /** @param {string} user @param {any} letter */
  async #command(user, { id, kind, body, base }) {
    if (typeof id !== "string" || typeof kind !== "string" || !KINDS.test(kind)) return;
    const about = { relay: "ack", id: id.slice(0, 64) };
    try {
      const line = await this.#lines.get(user)?.line;
      if (line) this.#tell(user, { ...about, ack: await line.send(kind, body ?? {}, base ?? null) });
    } catch (problem) {
      if (problem instanceof RequestError)
        this.#tell(user, { ...about, ack: { ok: false, id, error: problem.problem } });
    }
  }

  /** @param {string} user @param {object} letter */
  #tell(user, letter) {
    this.post.send(user, letter);
  }
}
