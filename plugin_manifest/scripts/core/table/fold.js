/**
 * Folding a table's events into a scene: the same steps as the server's, so that both stay in step.
 * Pure: a scene is never changed, and what an event does not touch keeps its identity.
 */

/** @import {Holder, Scene, TableEvent, Token} from "../../../types/contract.js" */

/**
 * The scene after an event; the same scene where the event only explains.
 * @param {Scene} scene
 * @param {TableEvent} event
 * @returns {Scene}
 * @throws {RangeError} where the event names something that the scene does not hold
 */
export function fold(scene, event) {
  switch (event.type) {
    case "scene_set":
      return event.scene;
    case "map_set":
      return { ...scene, walls: event.walls, terrain: event.terrain };
    case "rules_set":
      return { ...scene, house_rules: event.house_rules, enforcement: event.enforcement };
    case "sides_set":
      return { ...scene, sides: event.sides };
    case "token_placed":
      return { ...scene, tokens: placed(scene.tokens, event.token) };
    case "token_removed":
      return { ...scene, tokens: scene.tokens.filter((token) => token.id !== event.was.id) };
    case "token_moved":
      return { ...scene, tokens: changed(scene.tokens, event.token, { at: event.at, facing: event.facing }) };
    case "door_set":
      return { ...scene, walls: changed(scene.walls, event.wall, { state: event.state }) };
    case "track_set":
      return held(scene, event.holder, "tracks", event.track, event.value);
    case "condition_set":
      return held(scene, event.holder, "conditions", event.condition, event.note);
    default:
      return scene;
  }
}

/**
 * @param {Token[]} tokens
 * @param {Token} token
 */
function placed(tokens, token) {
  const isThere = tokens.some((other) => other.id === token.id);
  if (isThere) return tokens.map((other) => (other.id === token.id ? token : other));
  return [...tokens, token].sort((a, b) => (a.id < b.id ? -1 : 1)); // by id, as the server keeps them
}

/**
 * @template {{id: string}} T
 * @param {T[]} things
 * @param {string} id
 * @param {Partial<T>} change
 * @returns {T[]}
 */
function changed(things, id, change) {
  if (!things.some((thing) => thing.id === id)) throw new RangeError(`There is no '${id}' in this scene.`);
  return things.map((thing) => (thing.id === id ? { ...thing, ...change } : thing));
}

/**
 * @param {Scene} scene
 * @param {string} holder "table", "side:ID" or a token's id
 * @param {"tracks" | "conditions"} shelf
 * @param {string} key
 * @param {number | string | null} value
 * @returns {Scene}
 */
function held(scene, holder, shelf, key, value) {
  if (holder === "table") return { ...scene, ...put(scene, shelf, key, value) };
  const family = holder.startsWith("side:") ? "sides" : "tokens";
  const id = holder.replace(/^side:/, "");
  const things = /** @type {(Holder & {id: string})[]} */ (scene[family]);
  const owner = things.find((thing) => thing.id === id);
  if (!owner) throw new RangeError(`There is no '${holder}' in this scene.`);
  return { ...scene, [family]: changed(things, id, put(owner, shelf, key, value)) };
}

/**
 * @param {Holder} holder
 * @param {"tracks" | "conditions"} shelf
 * @param {string} key
 * @param {number | string | null} value
 */
function put(holder, shelf, key, value) {
  const { [key]: _, ...rest } = holder[shelf];
  return { [shelf]: value === null ? rest : { ...rest, [key]: value } };
}
