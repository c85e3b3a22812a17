/**
 * Encryption between two pages. Foundry 12 delivers a module's message to every page, so a player's messages are
 * encrypted with a key that the two pages agree on (ECDH on P-256, then AES-GCM) and that lives as long as the page.
 * Foundry's sender ID tells whose public key it is.
 */

/** @typedef {{iv: string, data: string}} Encrypted */

const CURVE = { name: "ECDH", namedCurve: "P-256" };
const CIPHER = { name: "AES-GCM", length: 256 };
const IV_BYTES = 12;

/** @returns {boolean} whether this page can encrypt: browsers deny it to pages over plain http */
export const canEncrypt = () => Boolean(globalThis.crypto?.subtle);

/** The key pair of this page. */
export class KeyPair {
  /** @type {Promise<CryptoKeyPair>} */
  #pair = crypto.subtle.generateKey(CURVE, false, ["deriveKey"]);

  /** @returns {Promise<JsonWebKey>} */
  async publicKey() {
    return crypto.subtle.exportKey("jwk", (await this.#pair).publicKey);
  }

  /**
   * Derives the key that this page shares with another.
   * @param {JsonWebKey} theirs the other page's public key
   * @returns {Promise<SharedKey>}
   */
  async sharedKey(theirs) {
    const key = await crypto.subtle.importKey("jwk", theirs, CURVE, false, []);
    const { privateKey } = await this.#pair;
    return new SharedKey(
      await crypto.subtle.deriveKey({ name: "ECDH", public: key }, privateKey, CIPHER, false, [
        "encrypt",
        "decrypt",
      ]),
    );
  }
}

/** A key that two pages share. */
export class SharedKey {
  /** @param {CryptoKey} key */
  constructor(key) {
    this.key = key;
  }

  /**
   * @param {unknown} message
   * @param {string} direction sender and receiver; decryption needs the same text
   * @returns {Promise<Encrypted>}
   */
  async encrypt(message, direction) {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const text = new TextEncoder().encode(JSON.stringify(message));
    const data = await crypto.subtle.encrypt(algorithm(iv, direction), this.key, text);
    return { iv: toBase64(iv), data: toBase64(new Uint8Array(data)) };
  }

  /**
   * @param {Encrypted} encrypted
   * @param {string} direction
   * @returns {Promise<unknown>} rejected for another key or another direction
   */
  async decrypt({ iv, data }, direction) {
    const text = await crypto.subtle.decrypt(
      algorithm(fromBase64(iv), direction),
      this.key,
      fromBase64(data),
    );
    return JSON.parse(new TextDecoder().decode(text));
  }
}

/** @param {Uint8Array<ArrayBuffer>} iv @param {string} direction */
const algorithm = (iv, direction) => ({
  name: "AES-GCM",
  iv,
  additionalData: new TextEncoder().encode(direction),
});

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
const fromBase64 = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
