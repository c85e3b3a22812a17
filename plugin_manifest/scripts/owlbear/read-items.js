/** Owlbear Rodeo's items as the tabletop's scene: tokens, the map's area, terrain by names. */

import { localize } from "../core/ui/i18n.js";
import { placeGrid } from "../tabletop/placed-grid.js";
import { UnfitScene } from "../tabletop/refusals.js";
import { terrainOf } from "../tabletop/terrain-words.js";
import { fogWalls, usesDynamicFog } from "./fog-walls.js";
import { contoursOf, toScene } from "./outlines.js";
import { readHitPoints } from "./trackers.js";

/** @import {GridKind} from "../../types/contract.js" */
/** @import {Area} from "../tabletop/placed-grid.js" */
/** @import {Point, TabletopScene, TabletopToken} from "../tabletop/tabletop.js" */
/** @import {Item} from "./outlines.js" */

/** @type {Record<string, GridKind>} @source owlbear-rodeo/sdk types/Grid.ts: a vertical hex stands on a corner */
const KINDS = { SQUARE: "square", HEX_VERTICAL: "hex_odd_r", HEX_HORIZONTAL: "hex_odd_q" };
const TOKEN_LAYERS = new Set(["CHARACTER", "MOUNT"]);
const TERRAIN_LAYERS = new Set(["DRAWING", "PROP"]);

/**
 * The scene as the host answers.
 * @typedef {object} HostScene
 * @property {Item[]} items
 * @property {string} type of its grid
 * @property {number} dpi the width of a cell in pixels
 * @property {Point} middle the middle of a cell, where the host snaps to
 * @property {{multiplier: number, unit: string}} scale
 * @property {{id: string, hasFogWalls: boolean | null}} own what the scene's metadata say
 * @property {Set<string>} gms the users who are GMs
 * @property {{profile: string, out: string}} keys of a token's metadata
 */

/** Reads a scene. Throws UnfitScene for a grid without square or hexagonal cells. @param {HostScene} host @returns {TabletopScene} */
export function readScene(host) {
  const { items, type, dpi, middle, scale, own } = host;
  const kind = KINDS[type];
  if (!kind) throw new UnfitScene(localize("Owlbear.Grid", { type }));
  const grid = placeGrid({
    ...{ kind, size: dpi, middle, area: mapArea(items, dpi) },
    distance: scale.multiplier > 0 ? scale.multiplier : 1,
    units: scale.unit,
  });
  const [map] = items.filter(({ layer }) => layer === "MAP");
  return {
    id: own.id,
    name: `${map?.name || localize("Owlbear.Scene")} ${own.id.slice(0, 6)}`.trim(),
    grid,
    tokens: items.filter(isToken).map((item) => token(item, host)),
    walls: (own.hasFogWalls ?? usesDynamicFog(items)) ? fogWalls(items) : [],
    terrain: items
      .filter(({ layer, name }) => TERRAIN_LAYERS.has(layer) && terrainOf(name ?? ""))
      .flatMap((item) =>
        contoursOf(item)
          .slice(0, 1)
          .map(({ points }) => ({
            id: item.id,
            name: item.name,
            outline: points.flatMap((point) => {
              const { x, y } = toScene(item, point);
              return [x, y];
            }),
          })),
      ),
  };
}

/** @param {Item} item */
export const isToken = ({ type, layer, attachedTo }) =>
  type === "IMAGE" && TOKEN_LAYERS.has(layer) && !attachedTo;

/** @param {Item} item @param {HostScene} host @returns {TabletopToken} */
function token(item, { dpi, gms, keys }) {
  const [wide, high] = imageSize(item, dpi);
  const profile = item.metadata?.[keys.profile];
  return {
    id: item.id,
    name: item.text?.plainText?.trim() || item.name,
    center: imageCenter(item, dpi),
    size: [wide / dpi, high / dpi],
    facing: item.rotation ?? 0,
    hidden: item.visible === false,
    side: gms.has(item.createdUserId) ? "foes" : "players",
    hitPoints: readHitPoints(item.metadata ?? {}),
    profile: typeof profile === "object" && profile !== null ? profile : null,
    isOut: item.metadata?.[keys.out] === true,
  };
}

/** Returns an image's width and height in the scene's pixels; mirrored images count as they are. @param {Item} item @param {number} dpi @returns {[number, number]} */
function imageSize({ image, grid, scale }, dpi) {
  const ratio = dpi / (grid?.dpi || dpi);
  return [
    Math.abs((image?.width ?? dpi) * ratio * scale.x),
    Math.abs((image?.height ?? dpi) * ratio * scale.y),
  ];
}

/** Returns an image's center: `position` is where the point `grid.offset` of the image lies. @param {Item} item @param {number} dpi @returns {Point} */
export function imageCenter(item, dpi) {
  const { image, grid } = item;
  if (!image || !grid?.offset) return item.position;
  const ratio = dpi / (grid.dpi || dpi);
  return toScene(item, {
    x: (image.width / 2 - grid.offset.x) * ratio,
    y: (image.height / 2 - grid.offset.y) * ratio,
  });
}

/** Returns the area of the map's pictures that all can see; null without any. @param {Item[]} items @param {number} dpi @returns {Area | null} */
function mapArea(items, dpi) {
  const maps = items.filter(
    ({ type, layer, visible }) => type === "IMAGE" && layer === "MAP" && visible !== false,
  );
  if (!maps.length) return null;
  const corners = maps.flatMap((item) => {
    const ratio = dpi / (item.grid?.dpi || dpi);
    const { x = 0, y = 0 } = item.grid?.offset ?? {};
    const { width, height } = item.image;
    return [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ].map(([px, py]) => toScene(item, { x: (px - x) * ratio, y: (py - y) * ratio }));
  });
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}
