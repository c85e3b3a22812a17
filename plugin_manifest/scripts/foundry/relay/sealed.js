/**
 * Messages that only one other page can read. Foundry 12 hands every message of a module to everybody, so what is
 * one player's is sealed with a key that the two pages agree on (ECDH on P-256, then AES-GCM); it lives as long as
 * the page. That a key belongs to a user is Foundry's word: it came with the sender's id.
 */

/** @typedef {{iv: string, data: string}} Sealed */

const CURVE = { name: "ECDH", namedCurve: "P-256" };
const CIPHER = { name: "AES-GCM", length: 256 };
const IV_BYTES = 12;

/** @returns {boolean} whether this page may seal: browsers keep it from pages over plain http */
export const canSeal = () => Boolean(globalThis.crypto?.subtle);

/** This page's own key, whose public half is shown to all. */
export class Sealer {
  /** @type {Promise<CryptoKeyPair>} */
  #pair = crypto.subtle.generateKey(CURVE, false, ["deriveKey"]);

  /** @returns {Promise<JsonWebKey>} */
  async publicKey() {
    return crypto.subtle.exportKey("jwk", (await this.#pair).publicKey);
  }

  /**
   * The seal that this page shares with another.
   * @param {JsonWebKey} theirs the other's public key
   * @returns {Promise<Seal>}
   */
  async with(theirs) {
    const key = await crypto.subtle.importKey("jwk", theirs, CURVE, false, []);
    const { privateKey } = await this.#pair;
    return new Seal(
      await crypto.subtle.deriveKey({ name: "ECDH", public: key }, privateKey, CIPHER, false, [
        "encrypt",
        "decrypt",
      ]),
    );
  }
}

/** What two pages share. */
export class Seal {
  /** @param {CryptoKey} key */
  constructor(key) {
    this.key = key;
  }

  /**
   * @param {unknown} message
   * @param {string} way from whom to whom: the same words open it again
   * @returns {Promise<Sealed>}
   */
  async close(message, way) {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const text = new TextEncoder().encode(JSON.stringify(message));
    const data = await crypto.subtle.encrypt(algorithm(iv, way), this.key, text);
    return { iv: written(iv), data: written(new Uint8Array(data)) };
  }

  /**
   * @param {Sealed} sealed
   * @param {string} way
   * @returns {Promise<unknown>} rejected where it was not closed with this seal, or for another way
   */
  async open({ iv, data }, way) {
    const text = await crypto.subtle.decrypt(algorithm(read(iv), way), this.key, read(data));
    return JSON.parse(new TextDecoder().decode(text));
  }
}

/** @param {Uint8Array<ArrayBuffer>} iv @param {string} way */
const algorithm = (iv, way) => ({ name: "AES-GCM", iv, additionalData: new TextEncoder().encode(way) });

/** @param {Uint8Array} bytes in base 64 */
function written(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
const read = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
