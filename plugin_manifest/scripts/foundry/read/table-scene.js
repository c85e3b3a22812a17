/**
 * The scene that the table plays: the one that the GM has put it to, else that of the started combat, else the active
 * one. What a user looks at does not matter, so a GM prepares the next scene unseen. Every page works out the same from
 * the world's documents and settings.
 */

import { keptLevels, pinnedPlace, saveKeptLevel, savePinnedPlace } from "../settings.js";

/**
 * A scene and, from 14 on, one of its levels.
 * @typedef {object} TablePlace
 * @property {Foundry.Scene} scene
 * @property {string | null} level null before 14
 */

/** @returns {TablePlace | null} where the table is; null if no scene is active */
export function tablePlace() {
  const pinned = pinnedPlace();
  const scene = (pinned && game.scenes.get(pinned.scene)) || followedScene();
  if (!scene) return null;
  const isPinned = scene.id === pinned?.scene;
  return { scene, level: levelOf(scene, (isPinned && pinned?.level) || keptLevels()[scene.id]) };
}

/** @returns {Foundry.Scene | null} */
export const tableScene = () => tablePlace()?.scene ?? null;

/** @returns {string} names the place, so that a change shows */
export function placeName() {
  const place = tablePlace();
  return place ? `${place.scene.id} ${place.level ?? ""}` : "";
}

/** The scene of the battle: a started combat in the active scene counts before one elsewhere. */
function followedScene() {
  const { active } = game.scenes;
  const fought = game.combats.filter(({ started, scene }) => started && scene !== null);
  const shown = fought.find(({ scene }) => scene?.id === active?.id) ?? fought.find((one) => one.active);
  return (shown ?? fought[0])?.scene ?? active ?? null;
}

/**
 * Returns the level that counts: the one that was kept, else the one that this page views, else the first.
 * @param {Foundry.Scene} scene
 * @param {string | undefined} kept
 * @returns {string | null}
 */
function levelOf(scene, kept) {
  const { levels } = scene;
  if (!levels) return null;
  if (kept && levels.has(kept)) return kept;
  const viewed = canvas.scene?.id === scene.id ? canvas.level?.id : null;
  return viewed ?? levels.contents[0]?.id ?? null;
}

/** @param {{parent: Foundry.Scene | null}} document @returns {boolean} whether it belongs to the table's scene */
export const isAtTable = ({ parent }) => parent !== null && parent.id === tableScene()?.id;

/** @returns {boolean} whether this page shows the table's scene, and its level */
export function isTableShown() {
  const place = tablePlace();
  if (!place || !canvas.ready || canvas.scene?.id !== place.scene.id) return false;
  return place.level === null || !canvas.level || canvas.level.id === place.level;
}

/** Shows the table's scene and level on this page. */
export async function showTable() {
  const place = tablePlace();
  if (place) await place.scene.view(place.level === null ? {} : { level: place.level });
}

/** Puts the table to the scene and level that this page views. The scene that the battle follows needs no pin. */
export async function moveTableHere() {
  const { scene } = canvas;
  if (!scene) return;
  const level = canvas.level?.id ?? null;
  if (level) await saveKeptLevel(scene.id, level);
  await savePinnedPlace(followedScene()?.id === scene.id ? null : { scene: scene.id, level });
}

/** Keeps the level of a scene that comes to the table for the first time, so that all pages have the same. */
export async function keepLevel() {
  const place = tablePlace();
  if (place?.level && keptLevels()[place.scene.id] !== place.level && pinnedPlace()?.scene !== place.scene.id)
    await saveKeptLevel(place.scene.id, place.level);
}
