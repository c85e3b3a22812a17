/** The board's layers: each is painted again only if its part of the state has changed. */

import {
  gridMarks,
  groundMarks,
  paintedTerrainMarks,
  regionMarks,
  terrainMarks,
} from "../../core/draw/board-marks.js";
import { decisionMarks, placeAt } from "../../core/draw/decision-marks.js";
import { CELL, corners } from "../../core/map/geometry.js";
import { TOKEN_LAYERS, layerMarks, overlayLayers } from "../../core/draw/overlay-marks.js";
import { WHITE } from "../../core/draw/palette.js";
import { pickMarks } from "../../core/draw/pick-marks.js";
import { planMarks } from "../../core/draw/plan-marks.js";
import { drawingMarks, fogMarks } from "../../core/draw/sketch-marks.js";
import { ghostMarks, stepMarks, tokenMarks, wayMarks } from "../../core/draw/token-marks.js";
import { sightMarks } from "../../core/draw/verdict-marks.js";
import { bodyMarks, doorMarks } from "../../core/draw/wall-marks.js";
import { fullHitPoints } from "../../core/game/hit-points.js";
import { plannedMoves } from "../../core/game/planned-moves.js";
import { sceneAtStep } from "../../core/game/replay.js";
import { hasChanged } from "../../core/game/store.js";
import { lookOf } from "./token-looks.js";
import { toolMarks } from "./tool-marks.js";

/** @import {Cell, DecisionMap, LayerKey, Mark, Scene} from "../../../types/contract.js" */
/** @import {BoardState} from "../../../types/page.js" */
/** @import {Painter} from "../../core/draw/painter.js" */
/** @import {TokenPortraits} from "./token-portraits.js" */

/** The layers from bottom to top. The painted map lies over the flat ones: they show until its tiles are ready. */
export const FLAT = ["ground", "flat"];
export const ORDER = [
  ...FLAT,
  "terrain",
  "grid",
  "regions",
  "blind",
  "sight",
  "ranges",
  "arc",
  "threat",
  "cover",
  "defense",
  "reach",
  "decision",
  "walls",
  "fog",
  "drawings",
  "tokens",
  "engagement",
  "reactions",
  "targets",
  "verdict",
  "replay",
  "plans",
  "ghost",
  "picks",
  "cursor",
  "tools",
];

/** A plan is drawn so faintly. */
const PLAN_ALPHA = 0.62;
/** The size of the label of a place that is to be chosen. */
const LABEL_PX = 18;

/** Paints the layers of a board. */
export class BoardLayers {
  /** @type {"" | "night" | "day"} the light of the painted map; "" over a picture */
  light = "";

  /** @param {Painter} painter @param {TokenPortraits} portraits */
  constructor(painter, portraits) {
    this.painter = painter;
    this.portraits = portraits;
  }

  /** Paint the light of the theme, and the overlay as strong as the display wants it. @param {BoardState} state */
  paintAgain({ replica, overlay, hasReachCosts, hasAutoLayers }) {
    if (!replica) return;
    this.light = lightOf(replica.scene);
    this.painter.paint("grid", gridMarks(replica.scene, this.light));
    for (const { key, marks } of overlayLayers(
      replica.scene,
      overlay,
      writtenBy(hasReachCosts, hasAutoLayers),
    ))
      this.painter.paint(key, marks);
  }

  /** Paint what lies on the map. @param {Scene} scene @param {Scene | undefined} old @param {boolean} isMaster whether the fog is seen through */
  paintBoard(scene, old, isMaster) {
    const isNew = scene.grid !== old?.grid || scene.background !== old.background;
    const isPainted = scene.background === "";
    if (isNew) this.light = lightOf(scene);
    if (isNew) this.painter.paint("ground", groundMarks(scene));
    if (isNew) this.painter.paint("grid", gridMarks(scene, this.light));
    const isOther = isNew || scene.terrain !== old.terrain;
    if (isOther) this.painter.paint("terrain", isPainted ? paintedTerrainMarks(scene) : terrainMarks(scene));
    if (isOther || scene.walls !== old.walls) {
      const bodies = bodyMarks(scene.grid, scene.walls, !isPainted);
      this.painter.paint("flat", isPainted ? [...flatTerrain(scene), ...bodies] : []);
      this.painter.paint("walls", [...(isPainted ? [] : bodies), ...doorMarks(scene.grid, scene.walls)]);
    }
    if (isNew || scene.drawings !== old.drawings) this.painter.paint("drawings", drawingMarks(scene));
    if (isNew || scene.fog !== old.fog) this.painter.paint("fog", fogMarks(scene, isMaster));
  }

  /** @param {BoardState} state @param {BoardState} before */
  paintRegions({ replica }, before) {
    if (replica && replica.regions !== before.replica?.regions)
      this.painter.paint("regions", regionMarks(replica.scene.grid, replica.regions));
  }

  /** @param {BoardState} state @param {BoardState} before */
  paintOverlay(state, before) {
    const scene = /** @type {Scene} */ (state.replica?.scene);
    // The border and the cost at a move's end are enough, until a person switches the reach on.
    if (hasChanged(state, before, "overlay", "hasReachCosts", "hasAutoLayers"))
      for (const { key, marks } of overlayLayers(
        scene,
        state.overlay,
        writtenBy(state.hasReachCosts, state.hasAutoLayers),
      ))
        this.painter.paint(key, marks);
    else if (state.overlay && hasChanged(state, before, "replica"))
      for (const key of TOKEN_LAYERS) this.painter.paint(key, layerMarks(scene, state.overlay, key));
    if (hasChanged(state, before, "verdict", "replica"))
      this.painter.paint("verdict", state.verdict ? sightMarks(scene, state.verdict) : []);
    if (hasChanged(state, before, "decision", "pointed"))
      this.painter.paint("decision", state.decision ? heatMarks(scene, state, state.decision) : []);
    for (const [key, isVisible] of Object.entries(state.layers))
      this.painter.show(/** @type {LayerKey} */ (key), isVisible);
  }

  /** @param {BoardState} state @param {BoardState} before */
  paintTokens(state, before) {
    if (!state.replica) return;
    const { scene, bars } = state.replica;
    const { replay } = state;
    const shown = replay ? sceneAtStep(scene, replay.steps, replay.index) : scene;
    if (hasChanged(state, before, "replica", "selected", "replay", "picked"))
      this.painter.paint(
        "tokens",
        tokenMarks(shown, {
          selected: state.selected,
          picked: state.picked,
          maxHitPoints: fullHitPoints(bars),
          lookOf: lookOf(state, this.portraits),
        }),
      );
    if (hasChanged(state, before, "ghost", "replica"))
      this.painter.paint("ghost", dragMarks(state, scene, this.portraits));
    this.painter.show("ghost", true, 0.85);
    if (hasChanged(state, before, "planning", "replica", "past"))
      this.painter.paint("plans", ownPlanMarks(state, this.portraits));
    this.painter.show("plans", true, PLAN_ALPHA);
    if (hasChanged(state, before, "replay", "replica"))
      this.painter.paint("replay", replay ? stepMarks(shown, replay.steps[replay.index]) : []);
    if (hasChanged(state, before, "ruler", "draft", "edited", "pings", "frame", "replica"))
      this.painter.paint("tools", toolMarks(state, scene));
    if (hasChanged(state, before, "picking", "replica"))
      this.painter.paint("picks", state.picking ? choiceMarks(scene, state.picking) : []);
    if (hasChanged(state, before, "cursor")) this.painter.paint("cursor", cursorMarks(state, scene));
  }
}

/** Return what is written into layers: those that the page chooses by itself say in other places what may react. @param {boolean} hasCosts @param {boolean} isAuto */
const writtenBy = (hasCosts, isAuto) => ({ hasCosts, hasReactions: !isAuto });

/** Return the light of a scene's painted map, by the page's theme; "" over a picture. @param {Scene} scene @returns {"" | "night" | "day"} */
const lightOf = ({ background }) =>
  background ? "" : document.documentElement.dataset.theme === "light" ? "day" : "night";

/** Draw terrain until it is painted: without its name, which is drawn over the painted map. @param {Scene} scene @returns {Mark[]} */
const flatTerrain = (scene) =>
  terrainMarks({ ...scene, terrain: scene.terrain.filter(({ hidden }) => !hidden) }).filter(
    ({ kind }) => kind !== "text",
  );

/** @param {Scene} scene @param {BoardState} state @param {DecisionMap} map */
const heatMarks = ({ grid }, { pointed }, map) => decisionMarks(grid, map, placeAt(grid, map, pointed));

/** @param {BoardState} state @param {Scene} scene @param {TokenPortraits} portraits @returns {Mark[]} */
function dragMarks(state, scene, portraits) {
  const { ghost } = state;
  const token = scene.tokens.find((other) => other.id === ghost?.token);
  if (!token?.at || !ghost) return [];
  const look = lookOf(state, portraits);
  const [dx, dy] = [ghost.at[0] - token.at[0], ghost.at[1] - token.at[1]];
  const others = scene.tokens.filter((other) => other.at && ghost.group?.includes(other.id));
  return [
    ...others.flatMap((other) => {
      const [x, y] = /** @type {Cell} */ (other.at);
      const there = { at: /** @type {Cell} */ ([x + dx, y + dy]), facing: other.facing, text: "" };
      return ghostMarks(scene, other, there, look(other));
    }),
    ...(ghost.way ? wayMarks(scene.grid, token, ghost.way) : []),
    ...ghostMarks(scene, token, ghost, look(token)),
  ];
}

/** Draw the secret plans of this seat. @param {BoardState} state @param {TokenPortraits} portraits @returns {Mark[]} */
function ownPlanMarks(state, portraits) {
  const { replica, planning } = state;
  const plans = replica ? plannedMoves(replica.choice, planning) : [];
  return replica && plans.length ? planMarks(replica.scene, plans, lookOf(state, portraits)) : [];
}

/** @param {Scene} scene @param {NonNullable<BoardState["picking"]>} picking @returns {Mark[]} */
function choiceMarks(scene, { picks, chosen }) {
  const label = (/** @type {Cell} */ [x, y], /** @type {string[]} */ lines) =>
    lines.map((text, i) => {
      const at = /** @type {Cell} */ ([x, y - CELL * 0.75 - LABEL_PX * (lines.length - 1 - i)]);
      return /** @type {Mark} */ ({ kind: "text", at, text, size: LABEL_PX, color: WHITE });
    });
  return pickMarks(scene, picks, chosen, label);
}

/** @param {BoardState} state @param {Scene} scene @returns {Mark[]} */
function cursorMarks({ cursor: cell }, { grid }) {
  return cell
    ? [
        {
          kind: "polygon",
          points: corners(grid, cell),
          style: { color: WHITE, fill: 0.15, line: 1, width: 4 },
        },
      ]
    : [];
}
