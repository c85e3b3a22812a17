/** The faces of portraits, by race: head, ears, eyes, nose, mouth, hair and beard. */

import { bodyShapes, headgearShapes, hoodBack } from "./gear.js";
import { darker, ellipse, filled, lighter, lined } from "./shapes.js";

/** @import {Features, Race} from "./features.js" */
/** @import {Shape} from "./shapes.js" */

/** The head's box and middle. @typedef {{left: number, right: number, top: number, bottom: number, x: number, y: number}} HeadBox */

/**
 * @typedef {{skin: string, width: number, height: number, ears?: "elf" | "bat" | "small", nose?: "big" | "long",
 *   mouth?: "grin" | "tusks", eye?: string, hasJaw?: boolean, isSkull?: boolean}} Build half the head's size, and its forms
 */

/** @type {Record<Exclude<Race, "wolf">, Build>} */
const BUILDS = {
  human: { skin: "#d8a27a", width: 16.5, height: 21 },
  elf: { skin: "#e3bd97", width: 14.5, height: 22, ears: "elf" },
  dwarf: { skin: "#c98a63", width: 19, height: 19 },
  halfling: { skin: "#dfab80", width: 17.5, height: 18.5 },
  gnome: { skin: "#d99f80", width: 15, height: 18, nose: "big" },
  goblin: {
    skin: "#8fa548",
    width: 17,
    height: 17.5,
    ears: "bat",
    nose: "big",
    mouth: "grin",
    eye: "#ffd94a",
  },
  orc: {
    skin: "#6d8a58",
    width: 19.5,
    height: 22,
    ears: "small",
    mouth: "tusks",
    eye: "#ffb43a",
    hasJaw: true,
  },
  troll: {
    skin: "#7f9390",
    width: 19,
    height: 24,
    ears: "small",
    nose: "long",
    mouth: "tusks",
    eye: "#ff7a4a",
    hasJaw: true,
  },
  skeleton: { skin: "#ddd5bd", width: 16.5, height: 20, isSkull: true },
  returned: { skin: "#93a596", width: 16.5, height: 21, eye: "#9dfff0" },
};

/** Return the shapes of a head and shoulders. @param {Features} features @returns {Shape[]} */
export function faceShapes(features) {
  if (features.race === "wolf") return wolf();
  const build = BUILDS[features.race];
  const { width, height } = build;
  const [x, y] = [50, 43];
  const box = { left: x - width, right: x + width, top: y - height, bottom: y + height, x, y };
  return [
    ...bodyShapes(features),
    ...(features.hairstyle === "long" && !build.isSkull ? longHair(features, box) : []),
    ...hoodBack(features, box),
    filled("M42 58h16v15c-4 5-12 5-16 0z", darker(build.skin, 0.55)),
    ...ears(build, features, box),
    ...head(build, box),
    ...(build.isSkull
      ? skull(box)
      : [...eyes(build, features, box), ...nose(build, box), ...mouth(build, box)]),
    ...(features.hasBeard ? beard(features, box) : []),
    ...(features.head || build.isSkull ? [] : hair(features, box)),
    ...headgearShapes(features, box),
    ...(features.isPainted ? [lined(`M${x - 13} ${y + 7}l9 3M${x + 13} ${y + 7}l-9 3`, "#b5302a", 3)] : []),
  ];
}

/** @param {Build} build @param {HeadBox} box @returns {Shape[]} */
function head({ skin, hasJaw }, { left, right, top, bottom, x, y }) {
  const brow = `M${left} ${y - 4}C${left} ${top} ${right} ${top} ${right} ${y - 4}`;
  const jaw = `C${right + 1} ${y + 8} ${right - 1} ${bottom - 4} ${x + 11} ${bottom + 2}C${x + 5} ${bottom + 5} ${x - 5} ${bottom + 5} ${x - 11} ${bottom + 2}C${left + 1} ${bottom - 4} ${left - 1} ${y + 8} ${left} ${y - 4}z`;
  const chin = `C${right} ${y + 10} ${x + 9} ${bottom + 2} ${x} ${bottom + 2}C${x - 9} ${bottom + 2} ${left} ${y + 10} ${left} ${y - 4}z`;
  const shade = `M${x + 3} ${top + 6}C${right} ${top} ${right} ${y - 12} ${right} ${y - 4}C${right} ${y + 10} ${x + 9} ${bottom + 2} ${x} ${bottom + 3}C${x + 8} ${bottom - 10} ${x + 7} ${y + 8} ${x + 4} ${y + 2}z`;
  return [filled(brow + (hasJaw ? jaw : chin), skin), filled(shade, darker(skin, 0.3), 0.75)];
}

/** @param {Build} build @param {Features} features @param {HeadBox} box @returns {Shape[]} */
function ears({ skin, ears: form, isSkull }, features, { left, right, y }) {
  const [side, deep] = [darker(skin, 0.3), darker(skin, 0.55)];
  if (form === "bat")
    return [
      filled(
        `M${left + 3} ${y - 6}L${left - 25} ${y - 17}C${left - 22} ${y} ${left - 12} ${y + 8} ${left + 3} ${y + 7}z`,
        skin,
      ),
      filled(
        `M${left} ${y - 3}L${left - 18} ${y - 11}C${left - 15} ${y} ${left - 8} ${y + 3} ${left} ${y + 3}z`,
        deep,
      ),
      filled(
        `M${right - 3} ${y - 6}L${right + 25} ${y - 17}C${right + 22} ${y} ${right + 12} ${y + 8} ${right - 3} ${y + 7}z`,
        side,
      ),
      filled(
        `M${right} ${y - 3}L${right + 18} ${y - 11}C${right + 15} ${y} ${right + 8} ${y + 3} ${right} ${y + 3}z`,
        deep,
      ),
    ];
  if (form === "elf")
    return [
      filled(`M${left + 2} ${y - 5}L${left - 15} ${y - 21}L${left - 3} ${y + 7}L${left + 3} ${y + 6}z`, skin),
      filled(
        `M${right - 2} ${y - 5}L${right + 15} ${y - 21}L${right + 3} ${y + 7}L${right - 3} ${y + 6}z`,
        side,
      ),
    ];
  if (isSkull || features.head === "hood") return [];
  return [filled(ellipse(left, y + 1, 4.4, 6), skin), filled(ellipse(right, y + 1, 4.4, 6), side)];
}

/** @param {Build} build @param {Features} features @param {HeadBox} box @returns {Shape[]} */
function eyes({ eye = "#f7f1e2", hasJaw, ears: form, skin }, { hair: color }, { x, y }) {
  const middle = y + 1;
  const isStern = hasJaw || form === "bat";
  const brows = isStern ? darker(skin, 0.55) : darker(color, 0.35);
  const [outer, inner] = isStern ? [6, 2.6] : [5, 4];
  return [
    filled(
      `M${x - 12} ${middle - 1.5}Q${x - 7} ${middle - 4.5} ${x - 3} ${middle + 1}Q${x - 8} ${middle + 3.4} ${x - 12} ${middle - 1.5}z`,
      eye,
    ),
    filled(
      `M${x + 12} ${middle - 1.5}Q${x + 7} ${middle - 4.5} ${x + 3} ${middle + 1}Q${x + 8} ${middle + 3.4} ${x + 12} ${middle - 1.5}z`,
      eye,
    ),
    filled(ellipse(x - 7, middle - 0.4, 2.1), "#1d1712"),
    filled(ellipse(x + 7, middle - 0.4, 2.1), "#1d1712"),
    lined(`M${x - 13.5} ${middle - outer}Q${x - 8} ${middle - 7.5} ${x - 2.5} ${middle - inner}`, brows, 3.2),
    lined(`M${x + 13.5} ${middle - outer}Q${x + 8} ${middle - 7.5} ${x + 2.5} ${middle - inner}`, brows, 3.2),
  ];
}

/** @param {Build} build @param {HeadBox} box @returns {Shape[]} */
function nose({ skin, nose: form }, { x, y }) {
  const middle = y + 1;
  const length = form === "long" ? 15 : form === "big" ? 11 : 8;
  const [half, tip] = form ? [6, 4] : [3.6, 2];
  return [
    filled(
      `M${x - 1} ${middle - 1}L${x - half} ${middle + length}Q${x} ${middle + length + tip} ${x + half} ${middle + length}L${x + 2} ${middle - 1}z`,
      darker(skin, 0.17),
    ),
    lined(`M${x - 1} ${middle}L${x - 2.6} ${middle + length - 2}`, lighter(skin, 0.25), 1.6),
  ];
}

/** @param {Build} build @param {HeadBox} box @returns {Shape[]} */
function mouth({ skin, mouth: form }, { x, bottom }) {
  if (form === "tusks")
    return [
      filled(
        `M${x - 9} ${bottom - 5}Q${x} ${bottom - 9} ${x + 9} ${bottom - 5}L${x + 7} ${bottom - 2}Q${x} ${bottom - 5} ${x - 7} ${bottom - 2}z`,
        "#2a1712",
      ),
      filled(
        `M${x - 9} ${bottom - 3}L${x - 8} ${bottom - 13}L${x - 4.6} ${bottom - 4}zM${x + 9} ${bottom - 3}L${x + 8} ${bottom - 13}L${x + 4.6} ${bottom - 4}z`,
        "#f3ead0",
      ),
    ];
  if (form === "grin")
    return [
      filled(
        `M${x - 10} ${bottom - 6}Q${x} ${bottom - 1} ${x + 10} ${bottom - 7}Q${x + 4} ${bottom + 2} ${x - 4} ${bottom}z`,
        "#2a1712",
      ),
      filled(`M${x - 7} ${bottom - 4.6}l2 3 2-2.2 2 2.8 2-2.7 2 2.2 2-3z`, "#f3ead0"),
    ];
  return [
    lined(`M${x - 5} ${bottom - 6}Q${x} ${bottom - 4.4} ${x + 5} ${bottom - 6.4}`, darker(skin, 0.55), 2),
  ];
}

/** @param {HeadBox} box @returns {Shape[]} */
function skull({ x, y, bottom }) {
  const middle = y + 1;
  return [
    filled(ellipse(x - 7, middle, 5.6, 6.4), "#1a1512"),
    filled(ellipse(x + 7, middle, 5.6, 6.4), "#1a1512"),
    filled(ellipse(x - 7, middle + 1, 1.7), "#ff9a4a"),
    filled(ellipse(x + 7, middle + 1, 1.7), "#ff9a4a"),
    filled(`M${x} ${middle + 6}l3.4 7h-6.8z`, "#1a1512"),
    filled(`M${x - 9} ${bottom - 6}h18v9h-18z`, "#cfc6ab"),
    lined(
      `M${x - 9} ${bottom - 2}h18M${x - 5} ${bottom - 6}v9M${x} ${bottom - 6}v9M${x + 5} ${bottom - 6}v9`,
      "#3a3128",
      1.3,
    ),
  ];
}

/** @param {Features} features @param {HeadBox} box @returns {Shape[]} */
function beard({ hair: color, race }, { left, right, bottom, x, y }) {
  const long = race === "dwarf" ? 24 : 8;
  const shadow = darker(color, 0.35);
  return [
    filled(
      `M${left} ${y + 4}C${left + 1} ${y + 14} ${x - 8} ${bottom - 12} ${x - 7} ${bottom - 9}Q${x} ${bottom - 12} ${x + 7} ${bottom - 9}C${x + 8} ${bottom - 12} ${right - 1} ${y + 14} ${right} ${y + 4}C${right + 3} ${bottom} ${x + 10} ${bottom + long} ${x} ${bottom + long}C${x - 10} ${bottom + long} ${left - 3} ${bottom} ${left} ${y + 4}z`,
      color,
    ),
    filled(
      `M${x + 2} ${bottom - 9}C${x + 8} ${bottom - 12} ${right - 1} ${y + 14} ${right} ${y + 4}C${right + 3} ${bottom} ${x + 10} ${bottom + long} ${x} ${bottom + long}z`,
      shadow,
    ),
    filled(
      `M${x - 9} ${bottom - 8}Q${x - 4} ${bottom - 13} ${x} ${bottom - 9}Q${x + 4} ${bottom - 13} ${x + 9} ${bottom - 8}Q${x + 4} ${bottom - 5} ${x} ${bottom - 7}Q${x - 4} ${bottom - 5} ${x - 9} ${bottom - 8}z`,
      lighter(color, 0.18),
    ),
    ...(race === "dwarf" ? [filled(`M${x - 4} ${bottom + 10}h8v5h-8z`, "#c79a3e")] : []),
  ];
}

/** @param {Features} features @param {HeadBox} box @returns {Shape[]} */
const longHair = ({ hair: color }, { left, right, top, bottom, x, y }) => [
  filled(
    `M${left - 5} ${y - 6}C${left - 6} ${top - 8} ${right + 6} ${top - 8} ${right + 5} ${y - 6}L${right + 8} ${bottom + 16}C${x + 8} ${bottom + 8} ${x - 8} ${bottom + 8} ${left - 8} ${bottom + 16}z`,
    darker(color, 0.35),
  ),
];

/** @param {Features} features @param {HeadBox} box @returns {Shape[]} */
function hair({ hair: color, hairstyle }, { left, right, top, x, y }) {
  const shadow = darker(color, 0.35);
  if (hairstyle === "bald") return [];
  if (hairstyle === "topknot")
    return [
      filled(
        `M${x - 5} ${top + 4}C${x - 10} ${top - 18} ${x + 14} ${top - 16} ${x + 6} ${top + 3}z`,
        lighter(shadow, 0.1),
      ),
      filled(
        `M${x - 9} ${top + 6}Q${x} ${top - 1} ${x + 9} ${top + 6}Q${x} ${top + 3} ${x - 9} ${top + 6}z`,
        color,
      ),
    ];
  if (hairstyle === "curly")
    return Array.from({ length: 8 }, (_, i) =>
      filled(
        ellipse(left + ((right - left) * i) / 7, y - 12 - Math.sin((i / 7) * Math.PI) * 10, 7),
        i < 4 ? color : shadow,
      ),
    );
  return [
    filled(
      `M${left - 2} ${y + 1}C${left - 6} ${top - 6} ${right + 6} ${top - 6} ${right + 2} ${y + 1}C${right - 1} ${y - 9} ${x + 8} ${y - 13} ${x + 2} ${y - 14}C${x - 6} ${y - 12} ${left + 2} ${y - 9} ${left - 2} ${y + 1}z`,
      color,
    ),
    filled(
      `M${x + 2} ${y - 14}C${x + 8} ${y - 13} ${right - 1} ${y - 9} ${right + 2} ${y + 1}C${right + 5} ${top + 2} ${x + 12} ${top - 2} ${x} ${top - 1}z`,
      shadow,
    ),
  ];
}

/** @returns {Shape[]} */
const wolf = () => [
  filled("M14 100C16 76 30 66 50 66S84 76 86 100z", "#4b4843"),
  filled("M24 40L18 10L40 24zM76 40L82 10L60 24z", "#55524c"),
  filled("M25 34L22 17L35 26zM75 34L78 17L65 26z", "#2e2b28"),
  filled(
    "M22 46C24 26 38 20 50 20S76 26 78 46C78 58 66 62 62 72C60 80 55 84 50 84S40 80 38 72C34 62 22 58 22 46z",
    "#77736b",
  ),
  filled("M50 20C62 20 76 26 78 46C78 58 66 62 62 72C60 80 55 84 50 84z", "#5a5650"),
  filled("M41 52C44 46 56 46 59 52L58 72C57 79 54 81 50 81S43 79 42 72z", "#a39d90"),
  filled("M44 68h12l-3 6h-6z", "#1c1a18"),
  filled("M28 42l14 5-9 4zM72 42l-14 5 9 4z", "#ffd35a"),
  filled(ellipse(37, 47, 1.8), "#111111"),
  filled(ellipse(63, 47, 1.8), "#111111"),
  lined("M26 36l16 6M74 36l-16 6", "#2e2b28", 3.4),
];
