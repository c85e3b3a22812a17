/** What the bridge may write into Foundry, and what the GM may say to each. */

/** @typedef {"hitPoints" | "conditions" | "defeated" | "moves" | "order" | "chat" | "floating"} Kind */
/** @typedef {"do" | "ask" | "never"} Leave */

/**
 * Every kind, and what is usual: what changes an actor is asked first.
 * @type {Record<Kind, Leave>}
 */
export const KINDS = {
  hitPoints: "ask",
  conditions: "ask",
  defeated: "ask",
  moves: "do",
  order: "do",
  chat: "do",
  floating: "do",
};

/** The kind whose word from the GM counts for a write of some kind. @param {string} kind @returns {Kind} */
export const asKind = (kind) => /** @type {Kind} */ (kind === "round" ? "order" : kind);

/** The conditions that put a token out of the fight. */
export const DEFEATED = ["out"];

/** What the rules remember for themselves: no icon on a token. */
export const BOOKKEEPING = new Set(["activated", "rerolled", "acted", "used", "free attack", ...DEFEATED]);

/** Kinds of entry that are told in chat. */
export const TOLD = new Set(["act", "choice.answer", "undo"]);
