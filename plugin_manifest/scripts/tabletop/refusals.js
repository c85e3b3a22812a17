/** The typed errors of a tabletop's adapter. */

/** A scene that the rules cannot use, with a sentence for the GM. */
export class UnfitScene extends Error {
  /** @param {string} sentence */
  constructor(sentence) {
    super(sentence);
    this.name = "UnfitScene";
  }
}

/** A write that the tabletop did not take. */
export class WriteRefused extends Error {
  /**
   * @param {string} sentence
   * @param {number | null} retryMs the time after which the same write may work; null if it will not
   */
  constructor(sentence, retryMs = null) {
    super(sentence);
    this.name = "WriteRefused";
    this.retryMs = retryMs;
  }
}
