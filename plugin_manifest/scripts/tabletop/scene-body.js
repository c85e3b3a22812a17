/** A tabletop's scene as the table takes it: `scene.sync`, and the least command for one token. */

import { localize } from "../core/ui/i18n.js";
import { cellsIn, facingOn, gridOf, placeOf, wireLine } from "./placed-grid.js";
import { terrainOf } from "./terrain-words.js";

/** @import {Replica, Token} from "../../types/contract.js" */
/** @import {TabletopScene, TabletopToken} from "./tabletop.js" */

/** The letters of a name that the table takes. */
const NAME_LETTERS = 200;
const MAX_SIZE = 20;
const MAX_WALLS = 10_000;

/**
 * Returns the body of `scene.sync`.
 * @param {TabletopScene} scene
 * @param {Replica} replica the table, which decides the sides of tokens that it knows
 */
export function sceneBody(scene, replica) {
  const known = new Map(replica.scene.tokens.map((token) => [token.id, token]));
  const tokens = scene.tokens.map((token) => tokenBody(scene, token, known.get(token.id)));
  const used = new Set(tokens.map(({ side }) => side));
  const listed = new Map(replica.scene.sides.map(({ id, name }) => [id, name]));
  const sides = [...used].map((id) => ({ id, name: listed.get(id) ?? localize(`Tabletop.Side.${id}`) }));
  /** @type {Record<string, number>} */
  const hitPoints = {};
  for (const { id, hitPoints: points } of scene.tokens) if (points) hitPoints[id] = points.value;
  return {
    scene: {
      version: 1,
      ruleset: replica.ruleset.key,
      name: cleanName(scene.name),
      grid: gridOf(scene.grid),
      sides,
      tokens,
      walls: wallBodies(scene),
      terrain: terrainBodies(scene),
    },
    hit_points: hitPoints,
  };
}

/** @param {TabletopScene} scene */
export const wallBodies = ({ grid, walls }) =>
  walls
    .flatMap(({ line, ...wall }) => {
      const cut = wireLine(grid, line);
      return cut ? [{ ...wall, line: cut }] : [];
    })
    .slice(0, MAX_WALLS);

/** @param {TabletopScene} scene */
export const terrainBodies = ({ grid, terrain }) =>
  terrain.flatMap(({ id, name, outline }) => {
    const ground = terrainOf(name);
    const cells = ground ? cellsIn(grid, outline) : [];
    return ground && cells.length ? [{ ...ground, name: cleanName(ground.name), id, cells }] : [];
  });

/**
 * Returns a token as `scene.sync` and `token.place` take it. What only the table knows stays as it is there.
 * @param {TabletopScene} scene
 * @param {TabletopToken} token
 * @param {Token} [known] the table's
 */
export function tokenBody({ grid }, token, known) {
  const size = /** @type {[number, number]} */ (
    token.size.map((n) => Math.max(1, Math.min(MAX_SIZE, Math.ceil(n - 0.1))))
  );
  const facing = facingOn(grid, token.facing);
  return {
    id: token.id,
    name: cleanName(token.name) || localize("Tabletop.Unnamed"),
    side: known?.side ?? token.side,
    at: placeOf(grid, token.center, grid.kind === "square" ? size : [1, 1]),
    facing: known?.facing === null ? null : facing, // one that the rules took away, as from a downed fighter
    size: grid.kind === "square" ? size : /** @type {[number, number]} */ ([1, 1]),
    hidden: token.hidden,
    profile: known?.profile ?? token.profile ?? {},
  };
}

/**
 * Returns the command that brings one token to the tabletop's state; null if the table has it already.
 * @param {TabletopScene} scene
 * @param {TabletopToken} token
 * @param {Replica} replica
 * @returns {{kind: string, body: object} | null}
 */
export function commandFor(scene, token, { scene: { tokens }, bars }) {
  const known = tokens.find(({ id }) => id === token.id);
  const given = tokenBody(scene, token, known);
  if (!known) return { kind: "token.place", body: { token: given } };
  const { body: _, ...kept } = known;
  const track = bars[token.id]?.track;
  const points = token.hitPoints?.value;
  const isPossible =
    points !== undefined && Number.isInteger(points) && points >= 0 && points <= (bars[token.id]?.most ?? -1);
  const tracks =
    track && isPossible ? { ...known.tracks, [track]: /** @type {number} */ (points) } : known.tracks;
  const after = { ...kept, ...given, profile: known.profile, tracks };
  const isMoved = String(after.at) !== String(known.at) || after.facing !== known.facing;
  const isEdited =
    after.name !== known.name ||
    after.hidden !== known.hidden ||
    String(after.size) !== String(known.size) ||
    (track !== undefined && tracks[track] !== known.tracks[track]);
  const isOnBoard = known.at !== null && after.at !== null;
  if (isMoved && !isEdited && isOnBoard)
    return { kind: "token.move", body: { token: token.id, at: after.at, facing: after.facing } };
  return isMoved || isEdited ? { kind: "token.place", body: { token: after } } : null;
}

/** @param {string} name */
const cleanName = (name) =>
  name
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, " ")
    .trim()
    .slice(0, NAME_LETTERS);
