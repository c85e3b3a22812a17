/**
 * Verdicts that were read, for questions that must be answered at once. What is wanted is read again whenever the table
 * changes; any other question is read after it was asked first.
 */

/** @import {Verdict} from "../../../types/contract.js" */
/** @import {Session} from "./session.js" */
/** @import {Store} from "./store.js" */

/** A burst of changes is one reading. */
const REST_MS = 120;
const [MOST_KEPT, MOST_WANTED] = [128, 12];
/** A question that can wait is answered after this time at the latest. */
const MOST_WAIT_MS = 1000;

/** @typedef {{verdict: Verdict, isCurrent: boolean}} Known `isCurrent` says that the table has not changed since */

/** Answers at once with what it has, and asks the table for the rest. */
export class KnownVerdicts {
  /** @type {Map<string, {verdict: Verdict, epoch: string}>} by token and target */
  #known = new Map();
  /** Pairs whose answer is on its way, and whether there was one. @type {Map<string, Promise<boolean>>} */
  #asked = new Map();
  /** @type {[string, string][]} */
  #wanted = [];
  /** The place of the last change. */
  #place = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Store} store @param {Pick<Session, "requestVerdict">} session */
  constructor(store, session) {
    this.store = store;
    this.session = session;
    store.subscribe(({ verdict }, before) => {
      if (verdict && verdict !== before.verdict) this.#keep(verdict);
      if (this.#place !== this.#now()) this.#renew();
    });
  }

  /**
   * Return the last verdict of a token on a target; null before the first was read.
   * @param {string} token
   * @param {string} target
   * @returns {Known | null}
   */
  of(token, target) {
    const known = this.#known.get(`${token} ${target}`);
    const isCurrent = known !== undefined && this.#isCurrent(known);
    if (!isCurrent) this.#ask(token, target);
    return known ? { verdict: known.verdict, isCurrent } : null;
  }

  /**
   * Return the verdict of a token on a target as the table is now, which may have to be read first.
   * @param {string} token
   * @param {string} target
   * @param {number} [wait] the most time in ms
   * @returns {Promise<Known | null>} null if it was not read in time
   */
  async current(token, target, wait = MOST_WAIT_MS) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, wait, false)));
    try {
      for (;;) {
        const known = this.of(token, target);
        if (known?.isCurrent) return known;
        // The table may have changed again before the answer came: then it is asked once more.
        const answer = this.#asked.get(`${token} ${target}`) ?? false;
        if (!(await Promise.race([answer, late]))) return null;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Keep the verdicts of pairs of a token and its target current; the first few of many. @param {[string, string][]} pairs */
  want(pairs) {
    this.#wanted = pairs.slice(0, MOST_WANTED);
    this.#renew();
  }

  #renew() {
    this.#place = this.#now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#wanted.forEach(([token, target]) => this.of(token, target)),
      REST_MS,
    );
  }

  #now() {
    const { replica } = this.store.state;
    return `${replica?.epoch} ${replica?.seq}`;
  }

  /** An entry without events, such as a note, leaves all as it is. @param {{verdict: Verdict, epoch: string}} known */
  #isCurrent({ verdict: { seq }, epoch }) {
    const { replica } = this.store.state;
    if (!replica || replica.epoch !== epoch || seq > replica.seq) return false;
    if (seq < (replica.log[0]?.seq ?? replica.seq + 1) - 1) return false; // what came in between is not known any more
    for (let place = replica.log.length - 1; place >= 0 && replica.log[place].seq > seq; place -= 1)
      if (replica.log[place].events.length) return false;
    return true;
  }

  /** @param {string} token @param {string} target */
  #ask(token, target) {
    const { replica } = this.store.state;
    const isThere = (/** @type {string} */ id) =>
      replica?.scene.tokens.some((one) => one.id === id && one.at);
    const pair = `${token} ${target}`;
    if (token === target || !isThere(token) || !isThere(target) || this.#asked.has(pair)) return;
    this.#asked.set(pair, this.#read(pair, token, target));
  }

  /** @param {string} pair @param {string} token @param {string} target @returns {Promise<boolean>} whether it was read */
  async #read(pair, token, target) {
    const verdict = await this.session.requestVerdict(token, target);
    this.#asked.delete(pair);
    if (verdict) this.#keep(verdict);
    return verdict !== null;
  }

  /** @param {Verdict} verdict */
  #keep(verdict) {
    const pair = `${verdict.token} ${verdict.target}`;
    this.#known.delete(pair); // the newest stands last
    this.#known.set(pair, { verdict, epoch: this.store.state.replica?.epoch ?? "" });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KEPT) this.#known.delete(oldest);
  }
}
