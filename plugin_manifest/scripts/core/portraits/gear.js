/** The gear of portraits: weapons behind the shoulder, armor, headgear. */

import { darker, ellipse, filled, lighter, lined, placed } from "./shapes.js";

/** @import {Features} from "./features.js" */
/** @import {HeadBox} from "./faces.js" */
/** @import {Shape} from "./shapes.js" */

const [STEEL, STEEL_DARK, SHAFT, BRASS] = ["#c9d1d6", "#7d878e", "#7a5230", "#c79a3e"];

/** The weapons, upright around x = 0 from y = -40 to 40. @type {Record<string, Shape[]>} */
const WEAPONS = {
  sword: [
    filled("M-3.4 22V-30L0-38L3.4-30V22z", STEEL),
    filled("M0-38L3.4-30V22H0z", STEEL_DARK),
    filled("M-10 20h20v5h-20z", BRASS),
    filled("M-2.4 25h4.8v12h-4.8z", "#4a2f1b"),
  ],
  axe: [
    filled("M-2.6-36h5.2v76h-5.2z", SHAFT),
    filled("M2-34C14-38 22-32 24-18C16-22 10-20 2-14z", STEEL),
    filled("M24-18C16-22 10-20 2-14V-18C10-24 18-25 24-18z", STEEL_DARK),
    filled("M-2-32C-10-34-15-30-16-21C-10-24-6-22-2-18z", STEEL_DARK),
  ],
  hammer: [
    filled("M-2.6-30h5.2v70h-5.2z", SHAFT),
    filled("M-15-38h30v17h-30z", STEEL),
    filled("M-15-28h30v7h-30z", STEEL_DARK),
    filled("M-15-38h6v17h-6z", "#e4e9ec"),
  ],
  spear: [
    filled("M-2-24h4v64h-4z", SHAFT),
    filled("M0-42L7-28L2.4-20h-4.8L-7-28z", STEEL),
    filled("M0-42L7-28L2.4-20H0z", STEEL_DARK),
    filled("M-3-20h6v4h-6z", "#b5482e"),
  ],
  bow: [
    lined("M-6-40C18-26 18 26-6 40", "#8b5a2c", 5),
    lined("M-6-40C16-25 16 25-6 40", "#c08c50", 1.6),
    lined("M-6-40V40", "#f1e8d2", 1.3),
  ],
  gun: [
    filled("M-2.6-40h5.2V6h-5.2z", "#4d545a"),
    filled("M-1-40h2V6h-2z", "#8b949b"),
    filled("M-4 0h8l3 38h-12z", "#6b4322"),
    filled("M3-4h7v8h-7z", BRASS),
  ],
  staff: [
    filled("M-2.2-22h4.4v64h-4.4z", SHAFT),
    filled(ellipse(0, -30, 9), "#69d6e6"),
    filled(ellipse(-3, -33, 3.4), "#e6fdff"),
    lined("M-9-24C-12-34-6-42 0-42", SHAFT, 3.4),
  ],
  dagger: [
    filled("M-3 8V-18L0-26L3-18V8z", STEEL),
    filled("M0-26L3-18V8H0z", STEEL_DARK),
    filled("M-8 7h16v4h-16z", "#8d6a2c"),
    filled("M-2 11h4v10h-4z", "#3c2616"),
  ],
  lute: [
    filled("M-2-40h4v40h-4z", "#5b3a1d"),
    filled(ellipse(0, 14, 13, 17), "#b9793a"),
    filled(ellipse(0, 10, 4.5), "#3a210d"),
    lined("M-1-38V28M1-38V28", "#f2e6c8", 0.8),
  ],
  club: [
    filled("M-3 40L-7-28C-7-38 7-38 7-28L3 40z", "#6f4a28"),
    lined("M-7-24l-5-3M7-18l5-3M-6-10l-5-2M6-4l5-2", STEEL, 3),
  ],
};

/** @param {Features} features @returns {Shape[]} */
export const weaponShapes = ({ weapon }) =>
  placed(WEAPONS[weapon] ?? [], { x: 80, y: 46, scale: 1.12, turn: 16 });

/** @param {Features} features @returns {Shape[]} */
export function shieldShapes({ hasShield }) {
  if (!hasShield) return [];
  return [
    filled(ellipse(19, 80, 19), "#6b4424"),
    lined(ellipse(19, 80, 19), "#a9b2b8", 4),
    filled(ellipse(19, 80, 5.5), "#cdd5da"),
  ];
}

/** Shoulders with armor. @param {Features} features @returns {Shape[]} */
export function bodyShapes({ armor, cloth, metal, hasFur }) {
  const color = armor === "plate" ? metal : armor === "leather" ? "#6e4a2b" : cloth;
  const shoulders = [
    filled("M8 104C9 80 26 70 50 70S91 80 92 104z", color),
    filled("M50 70C74 70 91 80 92 104H50z", darker(color, 0.32)),
  ];
  const plates = [
    filled(ellipse(22, 84, 16, 13), lighter(metal, 0.2)),
    filled("M7 86A16 13 0 0 0 37 88", darker(metal, 0.3)),
    filled(ellipse(78, 84, 16, 13), darker(metal, 0.15)),
    filled("M63 87A16 13 0 0 0 93 87", darker(metal, 0.5)),
  ];
  const straps = [lined("M20 76L48 100M80 76L52 100", "#3c2715", 5), filled(ellipse(34, 88, 2.4), "#d2a757")];
  const fur = [
    filled("M14 84L22 73L28 80L36 69L43 78L50 70L57 78L64 69L72 80L78 73L86 84L80 94H20z", "#6d5844"),
    filled("M50 70L57 78L64 69L72 80L78 73L86 84L80 94H50z", "#4e3d2e"),
  ];
  return [
    ...shoulders,
    ...(armor === "plate" ? plates : armor === "leather" ? straps : []),
    ...(hasFur ? fur : []),
  ];
}

/** The part of a hood behind the head. @param {Features} features @param {HeadBox} box @returns {Shape[]} */
export function hoodBack({ head, cloth }, { left, right, top, bottom, x, y }) {
  if (head !== "hood") return [];
  const d = `M${left - 10} ${bottom + 14}C${left - 16} ${y - 6} ${x - 22} ${top - 14} ${x} ${top - 15}C${x + 22} ${top - 14} ${right + 16} ${y - 6} ${right + 10} ${bottom + 14}z`;
  return [filled(d, darker(cloth, 0.25))];
}

/** @param {Features} features @param {HeadBox} box @returns {Shape[]} */
export function headgearShapes(features, box) {
  switch (features.head) {
    case "helm":
      return helm(features, box);
    case "horned":
      return [...helm(features, box), ...horns(box)];
    case "hood":
      return hood(features, box);
    case "hat":
      return hat(features, box);
    case "cap":
      return cap(features, box);
    default:
      return [];
  }
}

/** @param {Features} features @param {HeadBox} box @returns {Shape[]} */
const helm = ({ metal }, { left, right, top, x, y }) => [
  filled(
    `M${left - 3} ${y - 4}C${left - 4} ${top - 9} ${right + 4} ${top - 9} ${right + 3} ${y - 4}L${right + 2} ${y - 1}C${x + 8} ${y - 8} ${x - 8} ${y - 8} ${left - 2} ${y - 1}z`,
    metal,
  ),
  filled(
    `M${x} ${top - 5}C${right + 2} ${top - 5} ${right + 3} ${y - 10} ${right + 2} ${y - 1}C${x + 8} ${y - 6} ${x + 3} ${y - 7} ${x} ${y - 7}z`,
    darker(metal, 0.35),
  ),
  lined(`M${left - 3} ${y - 5}C${x - 8} ${y - 12} ${x + 8} ${y - 12} ${right + 3} ${y - 5}`, BRASS, 3.4),
  filled(`M${x - 2.6} ${top - 5}h5.2L${x + 2.2} ${y + 7}h-4.4z`, lighter(metal, 0.25)),
];

/** @param {HeadBox} box @returns {Shape[]} */
const horns = ({ left, right, top }) => [
  filled(
    `M${left - 1} ${top + 8}C${left - 16} ${top + 6} ${left - 18} ${top - 10} ${left - 13} ${top - 16}C${left - 10} ${top - 6} ${left - 2} ${top} ${left + 5} ${top + 1}z`,
    "#e3d7b5",
  ),
  filled(
    `M${right + 1} ${top + 8}C${right + 16} ${top + 6} ${right + 18} ${top - 10} ${right + 13} ${top - 16}C${right + 10} ${top - 6} ${right + 2} ${top} ${right - 5} ${top + 1}z`,
    "#b9ab86",
  ),
];

/** @param {Features} features @param {HeadBox} box @returns {Shape[]} */
function hood({ cloth }, { left, right, top, bottom, x, y }) {
  const inner = `C${right + 3} ${y + 6} ${right + 1} ${top + 8} ${x} ${top + 5}`;
  return [
    filled(
      `M${left - 6} ${bottom + 8}C${left - 12} ${y} ${x - 19} ${top - 10} ${x} ${top - 12}C${x + 19} ${top - 10} ${right + 12} ${y} ${right + 6} ${bottom + 8}${inner}C${left - 1} ${top + 8} ${left - 3} ${y + 6} ${left - 6} ${bottom + 8}z`,
      cloth,
    ),
    filled(
      `M${x} ${top - 12}C${x + 19} ${top - 10} ${right + 12} ${y} ${right + 6} ${bottom + 8}${inner}z`,
      darker(cloth, 0.32),
    ),
    filled(
      `M${left - 2} ${y - 2}C${left} ${top + 6} ${right} ${top + 6} ${right + 2} ${y - 2}C${right} ${top + 14} ${left} ${top + 14} ${left - 2} ${y - 2}z`,
      "#000000",
      0.35,
    ),
  ];
}

/** @param {Features} features @param {HeadBox} box @returns {Shape[]} */
const hat = ({ cloth }, { left, right, top, x, y }) => [
  filled(
    `M${left - 10} ${y - 9}Q${x} ${y - 19} ${right + 10} ${y - 9}Q${x} ${y - 4} ${left - 10} ${y - 9}z`,
    darker(cloth, 0.2),
  ),
  filled(
    `M${left} ${y - 12}C${x - 8} ${top - 12} ${x + 2} ${top - 18} ${x + 12} ${top - 20}C${x + 8} ${top - 12} ${right} ${y - 16} ${right} ${y - 12}Q${x} ${y - 17} ${left} ${y - 12}z`,
    cloth,
  ),
  filled(
    `M${left} ${y - 13}Q${x} ${y - 19} ${right} ${y - 13}L${right} ${y - 10}Q${x} ${y - 15} ${left} ${y - 10}z`,
    BRASS,
  ),
];

/** @param {Features} features @param {HeadBox} box @returns {Shape[]} */
const cap = ({ cloth }, { left, right, top, x, y }) => [
  filled(
    `M${left - 5} ${y - 7}C${left - 4} ${top - 8} ${right + 2} ${top - 10} ${right + 9} ${y - 11}C${x + 8} ${y - 13} ${x - 8} ${y - 13} ${left - 5} ${y - 7}z`,
    cloth,
  ),
  filled(
    `M${x} ${top - 7}C${right} ${top - 8} ${right + 2} ${top - 4} ${right + 9} ${y - 11}C${x + 14} ${y - 14} ${x + 4} ${y - 14} ${x} ${y - 13}z`,
    darker(cloth, 0.3),
  ),
  filled(
    `M${right - 2} ${y - 12}C${right + 10} ${top - 12} ${right + 4} ${top - 16} ${right - 6} ${top - 6}z`,
    "#e4ddca",
  ),
];
