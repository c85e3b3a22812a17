/**
 * Requests the verdict on the hovered token: after the pointer rests on it, and again whenever the table
 * changes.
 */

/** @import {PageState} from "../../../types/page.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/** The pointer must rest on a token for this time before its verdict is requested. */
const REST_MS = 120;

/** Keeps the state's `verdict` current: from the selected token to the hovered one. */
export class HoverVerdict {
  /** Identifies the verdict that was requested last. */
  #key = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Store} store @param {Pick<Session, "requestVerdict">} session */
  constructor(store, session) {
    this.store = store;
    this.session = session;
    store.subscribe((state) => this.#update(state));
  }

  /** @param {PageState} state */
  #update(state) {
    const key = verdictKey(state);
    if (key === this.#key) return;
    this.#key = key;
    clearTimeout(this.#timer);
    const { verdict, selected, hovered } = state;
    const isStale = verdict && (!key || verdict.token !== selected || verdict.target !== hovered);
    if (isStale) this.store.set({ verdict: null });
    if (key) this.#timer = setTimeout(() => this.#request(key, state), REST_MS);
  }

  /** @param {string} key @param {PageState} state */
  async #request(key, { selected, hovered }) {
    if (!selected || !hovered) return;
    const verdict = await this.session.requestVerdict(selected, hovered);
    if (key === this.#key) this.store.set({ verdict });
  }
}

/**
 * Return a key for the verdict that a state calls for. "" if it calls for none: this seat has no overlay of the
 * selected token, no other token is hovered, or the hovered token is off the board.
 * @param {PageState} state
 */
function verdictKey({ replica, overlay, selected, hovered }) {
  const isOnBoard = replica?.scene.tokens.some(({ id, at }) => id === hovered && at);
  if (!replica || !isOnBoard || hovered === selected || overlay?.token !== selected) return "";
  return [replica.epoch, replica.seq, selected, hovered].join(" ");
}

/**
 * Return the next token to inspect from the selected one, in the order of the scene. Null if no token is selected or
 * the board has no other.
 * @param {PageState} state
 * @param {1 | -1} direction
 * @returns {string | null}
 */
export function nextHoverTarget({ replica, selected, hovered }, direction) {
  const others = (replica?.scene.tokens ?? []).filter(({ id, at }) => at && id !== selected);
  if (!selected || !others.length) return null;
  const index = others.findIndex(({ id }) => id === hovered);
  const next = index < 0 ? (direction > 0 ? 0 : others.length - 1) : index + direction;
  return others[(next + others.length) % others.length].id;
}
