/** The program of a saved log: plays the battle that is in the page, without a server. */

import {
  gridMarks,
  groundMarks,
  paintedTerrainMarks,
  regionMarks,
  terrainMarks,
} from "../../core/draw/board-marks.js";
import { paintMarks } from "../../core/draw/canvas-painter.js";
import { boardSize } from "../../core/map/geometry.js";
import { stepMarks, tokenMarks } from "../../core/draw/token-marks.js";
import { maxHitPoints } from "../../core/game/hit-points.js";
import { doorMarks, wallMarks } from "../../core/draw/wall-marks.js";
import { momentsOf } from "../../core/game/past.js";
import { setTranslator, translatorFor } from "../../core/ui/i18n.js";
import { TimeBar } from "../../core/ui/time-bar.js";
import { portraitCanvas } from "../../core/portraits/portrait.js";
import { initialsOf } from "../page/token-art.js";

/** @import {Area, LogEntry, Mark, ReplayPage, Scene, Token} from "../../../types/contract.js" */
/** @import {Moment} from "../../core/game/past.js" */

/** The longest side of the picture in pixels; a smaller board is drawn as large as its cells are. */
const MAX_PX = 1600;

const data = document.getElementById("battle");
if (data) start(JSON.parse(data.textContent ?? "{}"));

/**
 * @param {{pages: ReplayPage[], language: any}} battle `language` has the texts of the bar, in the shape of a language file
 */
async function start({ pages, language }) {
  setTranslator(translatorFor(language, document.documentElement.lang || undefined));
  const moments = pages.flatMap((page, i) => momentsOf(page).slice(i ? 1 : 0));
  const log = pages.flatMap(({ entries }) => entries);
  const canvas = document.createElement("canvas");
  const host = /** @type {HTMLElement} */ (document.getElementById("replay"));
  const barHost = document.createElement("div");
  host.append(canvas, barHost);
  const picture = /** @type {HTMLImageElement | null} */ (document.getElementById("map-picture"));
  // Also a picture that is in the page is there only once it is decoded: drawn before, the map would be blank.
  await picture?.decode().catch(() => {});
  const draw = drawer(canvas, picture, log);
  const bar = new TimeBar(barHost, {
    last: moments.length - 1,
    moment: async (number) => moments[number],
    peek: (number) => moments[number],
    onShow: (moment) => {
      draw(moment);
      history.replaceState(null, "", `#at=${moment.number}`);
    },
    onFail: (error) => {
      throw error;
    },
  });
  const at = Number(new URLSearchParams(location.hash.slice(1)).get("at") ?? bar.last);
  bar.go(Number.isFinite(at) ? at : bar.last);
  for (const item of document.querySelectorAll("[data-seq]"))
    item.addEventListener("click", () => bar.go(Number(/** @type {HTMLElement} */ (item).dataset.seq)));
}

/**
 * Draw the board without tokens: over a picture, over a painted map, which has its walls, or on plain ground.
 * @param {Scene} scene
 * @param {Area[]} regions
 * @param {HTMLImageElement | null} picture
 * @returns {Mark[]}
 */
function boardMarks(scene, regions, picture) {
  const light = /** @type {"" | "night" | "day"} */ (picture?.dataset.painted ?? "");
  const borders = regionMarks(scene.grid, regions);
  if (light)
    return [
      ...paintedTerrainMarks(scene),
      ...gridMarks(scene, light),
      ...borders,
      ...doorMarks(scene.grid, scene.walls),
    ];
  const shown = picture ? scene : { ...scene, background: "" };
  return [
    ...groundMarks(shown),
    ...terrainMarks(shown),
    ...gridMarks(shown),
    ...borders,
    ...wallMarks(scene.grid, scene.walls, picture !== null),
  ];
}

/** @param {HTMLCanvasElement} canvas @param {HTMLImageElement | null} picture @param {LogEntry[]} log */
function drawer(canvas, picture, log) {
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  /** @type {{scene: Scene, ground: HTMLCanvasElement} | null} the board without tokens, drawn once */
  let kept = null;
  let zoom = 1;
  return (/** @type {Moment} */ { scene, entry, regions }) => {
    const [width, height] = boardSize(scene.grid);
    const scale = Math.min(1, MAX_PX / Math.max(width, height));
    const isSame =
      kept &&
      kept.scene.grid === scene.grid &&
      kept.scene.walls === scene.walls &&
      kept.scene.terrain === scene.terrain;
    if (!kept || !isSame) {
      const ground = document.createElement("canvas");
      [canvas.width, canvas.height] = [ground.width, ground.height] = [width * scale, height * scale];
      zoom = canvas.clientWidth / width || 1; // the page shows the canvas smaller than it is
      const brush = /** @type {CanvasRenderingContext2D} */ (ground.getContext("2d"));
      brush.scale(scale, scale);
      if (picture) brush.drawImage(picture, 0, 0, width, height);
      paintMarks(brush, boardMarks(scene, regions, picture), zoom);
      kept = { scene, ground };
    }
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(kept.ground, 0, 0);
    pen.scale(scale, scale);
    const labels = initialsOf(scene.tokens);
    const lookOf = (/** @type {Token} */ token) => {
      const side = scene.sides.findIndex(({ id }) => id === token.side);
      const sideName = scene.sides[side]?.name ?? "";
      const isDown = "downed" in token.conditions;
      return {
        label: labels.get(token.id) ?? "",
        // A unit's own picture is at the server, so the page has the drawn face of each.
        portrait: portraitCanvas(token, { side, sideName, isDown, picture: null }),
      };
    };
    const { token = "", target = "" } = entry?.facts ?? {};
    const marks = [
      ...tokenMarks(scene, { selected: null, maxHitPoints: maxHitPoints(scene, log), lookOf }),
      ...(token ? stepMarks(scene, { text: "", token, target, changes: [] }) : []),
    ];
    paintMarks(pen, marks, zoom);
  };
}
