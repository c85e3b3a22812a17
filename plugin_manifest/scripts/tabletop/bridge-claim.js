/** A page's claim to be the bridge: the server gives the lease to one page at a time, and any other takes over within seconds. */

/** @import {TableClient} from "../core/table/table-client.js" */

/** A page claims the lease so often while another has it: it takes over within 5 seconds. */
const CLAIM_MS = 2_500;

/** One page's claim. */
export class BridgeClaim {
  /** @type {number | null} the number of this page's lease; null if another page has it */
  number = null;
  #isClaiming = false;
  #isClosed = false;

  /**
   * @param {TableClient} client
   * @param {string} page this page's ID
   * @param {object} options
   * @param {() => boolean} options.mayHave tells whether this page's user may be the bridge
   * @param {(isHeld: boolean) => void} options.onAnswer called after each answer of the server but a known lease, and when the lease is lost
   */
  constructor(client, page, { mayHave, onAnswer }) {
    this.client = client;
    this.page = page;
    this.mayHave = mayHave;
    this.onAnswer = onAnswer;
  }

  /** @returns {boolean} whether the table answers this page, so that it knows which page is the bridge */
  get isConnected() {
    return !this.#isClosed && this.client.state === "connected";
  }

  /** Claims the lease, and tries again while another page has it. */
  async ask() {
    if (this.#isClaiming || !this.isConnected) return;
    if (!this.mayHave()) return this.lose();
    this.#isClaiming = true;
    const number = await this.client.send("bridge.claim", { page: this.page }).then(
      ({ result }) => result?.number ?? null,
      () => null,
    );
    this.#isClaiming = false;
    if (this.#isClosed) return;
    if (number === null) setTimeout(() => this.ask(), CLAIM_MS);
    if (number === this.number && number !== null) return;
    this.number = number;
    this.onAnswer(number !== null);
  }

  /** Acts as a page without the lease, as after a lost connection. */
  lose() {
    const had = this.number !== null;
    this.number = null;
    if (had) this.onAnswer(false);
  }

  /** Gives the lease up and claims none again. */
  close() {
    if (this.number !== null) this.client.send("bridge.claim", { page: null }).catch(() => {});
    this.#isClosed = true;
    this.lose();
  }
}
