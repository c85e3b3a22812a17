/** Foundry's hooks that bring news for the table; what this module wrote itself is none. */

import { isViewed, tokensOf } from "../read/live.js";
import { hasNewProfile, isNews } from "../read/scene.js";

/** @import {Bridge} from "./bridge.js" */

const BOARD = ["name", "width", "height", "padding", "grid", "levels", "shiftX", "shiftY", "background"];

/**
 * Has the bridge that there is at the time hear of every change.
 * @param {() => Bridge | null} bridge
 */
export function listenToWorld(bridge) {
  const whole = () => bridge()?.outbox.whole();
  Hooks.on("canvasReady", whole);
  Hooks.on("userConnected", () => bridge()?.claim());
  Hooks.on("updateScene", (scene, changes) => {
    if (scene.id === canvas.scene?.id && BOARD.some((key) => key in changes)) whole();
  });
  listenToTokens(bridge);
  listenToWalls(bridge);
  Hooks.on("updateActor", (actor, changes, options) => {
    if (!("system" in changes) || isOurs(options)) return;
    for (const token of tokensOf(actor)) bridge()?.hitPoints(token);
  });
  for (const type of ["Region", "Level"])
    for (const deed of ["create", "update", "delete"])
      Hooks.on(`${deed}${type}`, (document) => isViewed(document) && whole());
  for (const deed of ["create", "update", "delete"]) Hooks.on(`${deed}RegionBehavior`, whole);
}

/** @param {() => Bridge | null} bridge */
function listenToTokens(bridge) {
  Hooks.on(
    "createToken",
    (token) => isViewed(token) && bridge()?.outbox.token(token.id, { isRenewed: true }),
  );
  Hooks.on("deleteToken", (token) => isViewed(token) && bridge()?.outbox.gone(token.id));
  Hooks.on("updateToken", (token, changes, options) => {
    if (!isViewed(token) || isOurs(options) || !isNews(changes) || isOnItsWay(token)) return;
    bridge()?.outbox.token(token.id, { isRenewed: hasNewProfile(changes) });
  });
}

/** @param {() => Bridge | null} bridge */
function listenToWalls(bridge) {
  for (const deed of ["createWall", "deleteWall"])
    Hooks.on(deed, (wall) => isViewed(wall) && bridge()?.outbox.whole());
  Hooks.on("updateWall", (wall, changes, options) => {
    if (!isViewed(wall) || isOurs(options)) return;
    const isDoor = Object.keys(changes).every((key) => key === "ds" || key === "_id");
    if (isDoor && wall.door) bridge()?.outbox.door(wall.id);
    else bridge()?.outbox.whole();
  });
}

/** @param {Foundry.ChangeOptions} options whether they say that this module wrote it */
const isOurs = (options) => options.enfilade?.origin === "server";

/** @param {Foundry.TokenDocument} token whether it is between two points of a longer way (13 and later) */
const isOnItsWay = (token) => (token.movement?.pending.waypoints.length ?? 0) > 0;
