/** A question to the table about what a person rests on: asked once it has stayed the same for a moment. */

/** The pointer must rest for this time before the table is asked. */
const REST_MS = 120;

/**
 * Asks, and takes only the answer to the latest question.
 * @template {object} Q
 * @template A
 */
export class RestingQuestion {
  /** Identifies the latest question. */
  #key = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {{ask: (question: Q) => Promise<A>, take: (answer: A) => void, drop: (question: Q | null) => void}} handlers
   *   `drop` is called with each new question: the answer that is shown may belong to another
   */
  constructor({ ask, take, drop }) {
    this.ask = ask;
    this.take = take;
    this.drop = drop;
  }

  /** Set the question; null for none. @param {Q | null} question */
  put(question) {
    const key = question ? JSON.stringify(question) : "";
    if (key === this.#key) return;
    this.#key = key;
    clearTimeout(this.#timer);
    this.drop(question);
    if (question) this.#timer = setTimeout(() => this.#send(key, question), REST_MS);
  }

  /** @param {string} key @param {Q} question */
  async #send(key, question) {
    const answer = await this.ask(question);
    if (key === this.#key) this.take(answer);
  }
}
