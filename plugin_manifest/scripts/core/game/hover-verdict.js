/** Asks the table for its verdict on whoever is looked at, once the eye rests, and again when anything changed. */

/** @import {PageState} from "../../../types/page.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/** How long the pointer rests on a token before its verdict is asked for. */
const REST_MS = 120;

/** Keeps the state's `verdict` that of the selected token on the one in `hovered`. */
export class HoverVerdict {
  #asked = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Store} store @param {Pick<Session, "requestVerdict">} session */
  constructor(store, session) {
    this.store = store;
    this.session = session;
    store.subscribe((state) => this.#follow(state));
  }

  /** @param {PageState} state */
  #follow(state) {
    const question = questionIn(state);
    if (question === this.#asked) return;
    this.#asked = question;
    clearTimeout(this.#timer);
    const { verdict, selected, hovered } = state;
    const isOfOthers = verdict && (verdict.token !== selected || verdict.target !== hovered);
    if (verdict && (isOfOthers || !question)) this.store.set({ verdict: null });
    if (question) this.#timer = setTimeout(() => this.#ask(question, state), REST_MS);
  }

  /** @param {string} question @param {PageState} state @returns {Promise<void>} */
  async #ask(question, { selected, hovered }) {
    if (!selected || !hovered) return;
    const verdict = await this.session.requestVerdict(selected, hovered);
    if (question === this.#asked) this.store.set({ verdict });
  }
}

/**
 * What is asked, as a key; empty where nothing is: nobody is selected whose overlay this seat is shown, nobody
 * else is looked at, or who is looked at is not on the board.
 * @param {PageState} state
 */
function questionIn({ replica, overlay, selected, hovered }) {
  const isKnown = replica?.scene.tokens.some(({ id, at }) => id === hovered && at);
  if (!replica || !isKnown || hovered === selected || overlay?.token !== selected) return "";
  return [replica.epoch, replica.seq, selected, hovered].join(" ");
}

/**
 * The token to look at next from the selected one, in the order of the scene; null where nobody is selected or
 * there is nobody else.
 * @param {PageState} state
 * @param {1 | -1} way
 * @returns {string | null}
 */
export function nextHoverTarget({ replica, selected, hovered }, way) {
  const others = (replica?.scene.tokens ?? []).filter(({ id, at }) => at && id !== selected);
  if (!selected || !others.length) return null;
  const place = others.findIndex(({ id }) => id === hovered);
  const next = place < 0 ? (way > 0 ? 0 : others.length - 1) : place + way;
  return others[(next + others.length) % others.length].id;
}
