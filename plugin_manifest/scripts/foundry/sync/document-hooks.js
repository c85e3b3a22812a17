/** Foundry's hooks for changed documents. Changes that this module wrote itself are skipped. */

import { onHook } from "../boundary.js";
import { isByHand, isDisplacement, isMarkedDisplacement } from "./displacement.js";
import { changesTable, hasNewPicture, hasNewProfile } from "../read/scene.js";
import { tokensOf } from "../read/live-scene.js";
import { isAtTable, tableScene } from "../read/table-scene.js";

/** @import {Bridge} from "./bridge.js" */

const BOARD_KEYS = [
  ...["name", "width", "height", "padding", "grid", "levels", "shiftX", "shiftY", "background"],
  "foregroundElevation",
];
const MOVEMENT_KEYS = ["x", "y"];
/** Hooks that end a movement: it arrived, or was stopped or paused at a waypoint (13 and later). */
const MOVEMENT_ENDS = ["stopToken", "pauseToken"];
const ACTIONS = ["create", "update", "delete"];
/** The behaviors of regions that the table's importer reads as terrain. */
const TERRAIN = new Set(["modifyMovementCost", "dnd5e.difficultTerrain"]);
/** The end of a region's name that makes it terrain, such as "Hill [height 10]". */
const WORDS = /\[[^[\]]+\]\s*$/;

/**
 * Passes every change to the current bridge.
 * @param {() => Bridge | null} bridge
 */
export function registerDocumentHooks(bridge) {
  const sendScene = () => bridge()?.outbox.addScene();
  onHook("updateScene", (scene, changes) => {
    if (scene.id === tableScene()?.id && BOARD_KEYS.some((key) => key in changes)) sendScene();
  });
  registerTokenHooks(bridge);
  registerWallHooks(bridge);
  registerActorHooks(bridge);
  for (const action of ACTIONS) {
    onHook(`${action}Level`, (level) => isAtTable(level) && sendScene());
    onHook(`${action}Region`, (region, changes) => {
      if (isAtTable(region) && (hasTerrain(region) || "name" in (changes ?? {}))) sendScene();
    });
    onHook(`${action}Tile`, (tile, changes) => {
      if (isAtTable(tile) && (tile.elevation > 0 || "elevation" in (changes ?? {}))) sendScene();
    });
    onHook(`${action}RegionBehavior`, (behavior) => {
      if (behavior.parent && isAtTable(behavior.parent) && isTerrain(behavior)) sendScene();
    });
  }
}

/** @param {() => Bridge | null} bridge */
function registerActorHooks(bridge) {
  onHook("updateActor", async (actor, changes, options) => {
    if (isOwnChange(options)) return;
    bridge()?.renewProfiles(actor);
    if (!("system" in changes)) return;
    // One after the other: the table gives linked tokens the hit points of the first.
    for (const token of tokensOf(actor)) await bridge()?.sendHitPoints(token);
  });
  // What an actor wears, holds or suffers changes its values without a change of the actor itself.
  for (const part of ["Item", "ActiveEffect"])
    for (const action of ACTIONS)
      onHook(`${action}${part}`, ({ parent }) => {
        // An effect may be that of an item, and an item that of the world.
        const actor = parent?.documentName === "Item" ? parent.parent : parent;
        if (actor?.documentName === "Actor") bridge()?.renewProfiles(actor);
      });
}

/** Tells whether a behavior makes terrain, the only kind that the table reads. @param {{type: string}} behavior */
const isTerrain = ({ type }) => TERRAIN.has(type);

/** @param {Foundry.RegionDocument} region */
const hasTerrain = (region) =>
  WORDS.test(region.name ?? "") || region.behaviors.find(isTerrain) !== undefined;

/** @param {() => Bridge | null} bridge */
function registerTokenHooks(bridge) {
  onHook("createToken", (token) => isAtTable(token) && bridge()?.sendProfile(token.id));
  onHook("deleteToken", (token) => isAtTable(token) && bridge()?.outbox.addRemoval(token.id));
  onHook("updateToken", (token, changes, options) => {
    if (!isAtTable(token) || isOwnChange(options) || !changesTable(changes)) return;
    bridge()?.tellChanged(token);
    if (isCheckpoint(token, changes)) return;
    if (isMarkedDisplacement(options)) bridge()?.outbox.addDisplaced(token.id);
    if (hasNewPicture(changes)) bridge()?.pictures.change(token.id);
    if (hasNewProfile(changes)) bridge()?.sendProfile(token.id);
    else bridge()?.outbox.addToken(token.id);
  });
  for (const hook of MOVEMENT_ENDS)
    onHook(hook, (token) => isAtTable(token) && bridge()?.outbox.addToken(token.id));
  // The places that the user set on the way, so that the rules judge the path that was taken (13 and later).
  onHook("moveToken", (token, /** @type {Foundry.TokenMovementOperation} */ movement, options) => {
    if (!isAtTable(token) || isOwnChange(options)) return undefined;
    if (isDisplacement(movement) && !isByHand(options)) return bridge()?.outbox.addDisplaced(token.id);
    const places = movement.passed.waypoints.filter(({ explicit, checkpoint }) => explicit || checkpoint);
    return bridge()?.outbox.addWaypoints(
      token.id,
      places.map(({ x, y }) => ({ x, y })),
    );
  });
}

/** @param {() => Bridge | null} bridge */
function registerWallHooks(bridge) {
  for (const hook of ["createWall", "deleteWall"])
    onHook(hook, (wall) => isAtTable(wall) && bridge()?.outbox.addScene());
  onHook("updateWall", (wall, changes, options) => {
    if (!isAtTable(wall) || isOwnChange(options)) return;
    const isDoorState = Object.keys(changes).every((key) => key === "ds" || key === "_id");
    if (isDoorState && wall.door) bridge()?.outbox.addDoor(wall.id);
    else bridge()?.outbox.addScene();
  });
}

/** @param {Foundry.ChangeOptions} options whether this module wrote the change itself */
export const isOwnChange = (options) => options.enfilade?.origin === "server";

/**
 * Tells whether an update only brings a token to a waypoint on its way (13 and later). A stopped movement keeps its
 * pending waypoints, so they say nothing about any other change.
 * @param {Foundry.TokenDocument} token
 * @param {Record<string, unknown>} changes
 */
const isCheckpoint = (token, changes) =>
  MOVEMENT_KEYS.some((key) => key in changes) && (token.movement?.pending.waypoints.length ?? 0) > 0;
