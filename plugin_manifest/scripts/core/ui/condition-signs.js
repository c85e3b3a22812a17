/** Signs of conditions that games have in common, by the names that the rules give them. */

/** @type {Record<string, string>} */
const SIGNS = {
  blinded: "⊘",
  burning: "♨",
  charmed: "♥",
  concentrating: "◎",
  deafened: "♪",
  dodging: "↷",
  dying: "✝",
  exhaustion: "▽",
  frightened: "‼",
  grappled: "⊂",
  hidden: "◌",
  incapacitated: "⊗",
  inspired: "★",
  invisible: "◌",
  paralyzed: "‖",
  petrified: "▣",
  poisoned: "☠",
  prone: "⤓",
  restrained: "⌗",
  stunned: "✶",
  unconscious: "☾",
};

/** Return a condition's sign; a dot for one without. @param {string} condition */
export const conditionSign = (condition) => (Object.hasOwn(SIGNS, condition) ? SIGNS[condition] : "•");
