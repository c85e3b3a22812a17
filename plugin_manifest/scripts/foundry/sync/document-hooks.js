/** Foundry's hooks for changed documents. Changes that this module wrote itself are skipped. */

import { changesTable, hasNewProfile } from "../read/scene.js";
import { isViewed, tokensOf } from "../read/viewed-scene.js";

/** @import {Bridge} from "./bridge.js" */

const BOARD_KEYS = ["name", "width", "height", "padding", "grid", "levels", "shiftX", "shiftY", "background"];
const ACTIONS = ["create", "update", "delete"];

/**
 * Passes every change to the current bridge.
 * @param {() => Bridge | null} bridge
 */
export function registerDocumentHooks(bridge) {
  const sendScene = () => bridge()?.outbox.addScene();
  Hooks.on("canvasReady", sendScene);
  Hooks.on("userConnected", () => bridge()?.claim());
  Hooks.on("updateScene", (scene, changes) => {
    if (scene.id === canvas.scene?.id && BOARD_KEYS.some((key) => key in changes)) sendScene();
  });
  registerTokenHooks(bridge);
  registerWallHooks(bridge);
  Hooks.on("updateActor", (actor, changes, options) => {
    if (!("system" in changes) || isOwnChange(options)) return;
    for (const token of tokensOf(actor)) bridge()?.sendHitPoints(token);
  });
  for (const type of ["Region", "Level"])
    for (const action of ACTIONS)
      Hooks.on(`${action}${type}`, (document) => isViewed(document) && sendScene());
  for (const action of ACTIONS) Hooks.on(`${action}RegionBehavior`, sendScene);
}

/** @param {() => Bridge | null} bridge */
function registerTokenHooks(bridge) {
  Hooks.on(
    "createToken",
    (token) => isViewed(token) && bridge()?.outbox.addToken(token.id, { isReprofiled: true }),
  );
  Hooks.on("deleteToken", (token) => isViewed(token) && bridge()?.outbox.addRemoval(token.id));
  Hooks.on("updateToken", (token, changes, options) => {
    if (!isViewed(token) || isOwnChange(options) || !changesTable(changes) || isMoving(token)) return;
    bridge()?.outbox.addToken(token.id, { isReprofiled: hasNewProfile(changes) });
  });
}

/** @param {() => Bridge | null} bridge */
function registerWallHooks(bridge) {
  for (const hook of ["createWall", "deleteWall"])
    Hooks.on(hook, (wall) => isViewed(wall) && bridge()?.outbox.addScene());
  Hooks.on("updateWall", (wall, changes, options) => {
    if (!isViewed(wall) || isOwnChange(options)) return;
    const isDoorState = Object.keys(changes).every((key) => key === "ds" || key === "_id");
    if (isDoorState && wall.door) bridge()?.outbox.addDoor(wall.id);
    else bridge()?.outbox.addScene();
  });
}

/** @param {Foundry.ChangeOptions} options */
const isOwnChange = (options) => options.enfilade?.origin === "server";

/** @param {Foundry.TokenDocument} token whether it has waypoints left (13 and later) */
const isMoving = (token) => (token.movement?.pending.waypoints.length ?? 0) > 0;
