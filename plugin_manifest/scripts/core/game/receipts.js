/** The commitments to this seat's own sealed answers: the browser keeps them, so that a reload can still prove them. */

const KEY = "enfilade.receipts";
/** A round has one for each question; the oldest are let go. */
const MOST = 400;

/** A map from the ID of a choice to its commitment, in the browser's storage. @extends {Map<string, string>} */
export class Receipts extends Map {
  #storage;
  #key;

  /**
   * @param {{table: string, key: string} | undefined} link its seat's are kept apart from others'
   * @param {Storage | null} storage null if the browser denies it: then they are lost with the page
   */
  constructor(link, storage) {
    super();
    this.#storage = storage;
    this.#key = `${KEY}.${link?.table ?? ""}`;
    for (const [choice, commitment] of this.#read()) super.set(choice, commitment);
  }

  /** @param {string} choice @param {string} commitment @returns {this} */
  set(choice, commitment) {
    super.delete(choice); // the newest come last
    super.set(choice, commitment);
    if (this.#storage) this.#write();
    return this;
  }

  #write() {
    const kept = [...this].slice(-MOST);
    try {
      this.#storage?.setItem(this.#key, JSON.stringify(kept));
    } catch {
      // The storage is full or denied: this page still has them.
    }
  }

  /** @returns {[string, string][]} */
  #read() {
    try {
      const kept = JSON.parse(this.#storage?.getItem(this.#key) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isPair) : [];
    } catch {
      return [];
    }
  }
}

/** @param {unknown} value @returns {value is [string, string]} */
const isPair = (value) =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
