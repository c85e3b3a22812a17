/**
 * Folds a table's events into a scene, in the same steps as the server, so that both hold the same scene.
 * Pure: a scene is never modified, and parts that an event does not change keep their identity.
 */

/** @import {Drawing, Holder, Scene, TableEvent, Token} from "../../../types/contract.js" */

/**
 * Return the scene after an event; the same scene if the event only explains.
 * @param {Scene} scene
 * @param {TableEvent} event
 * @returns {Scene}
 * @throws {RangeError} if the event names something that the scene does not have
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
    case "units_set":
      return { ...scene, units: event.units };
    case "token_placed":
      return { ...scene, tokens: place(scene.tokens, event.token) };
    case "token_removed":
      return { ...scene, tokens: scene.tokens.filter((token) => token.id !== event.was.id) };
    case "token_moved":
      return { ...scene, tokens: change(scene.tokens, event.token, { at: event.at, facing: event.facing }) };
    case "door_set":
      return { ...scene, walls: change(scene.walls, event.wall, { state: event.state }) };
    case "track_set":
      return setOnHolder(scene, event.holder, "tracks", event.track, event.value);
    case "condition_set":
      return setOnHolder(scene, event.holder, "conditions", event.condition, event.note);
    case "drawings_set":
      return { ...scene, drawings: redraw(scene.drawings, event.drawn, event.erased) };
    case "fog_set":
      return { ...scene, fog: event.fog };
    default:
      return scene;
  }
}

/** @param {Drawing[]} drawings @param {Drawing[]} drawn @param {Drawing[]} erased */
function redraw(drawings, drawn, erased) {
  const gone = new Set(erased.map(({ id }) => id));
  return [...drawings.filter(({ id }) => !gone.has(id)), ...drawn].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** @param {Token[]} tokens @param {Token} token */
function place(tokens, token) {
  const isThere = tokens.some((other) => other.id === token.id);
  if (isThere) return tokens.map((other) => (other.id === token.id ? token : other));
  return [...tokens, token].sort((a, b) => (a.id < b.id ? -1 : 1)); // by id, as on the server
}

/**
 * @template {{id: string}} T
 * @param {T[]} items
 * @param {string} id
 * @param {Partial<T>} properties
 * @returns {T[]}
 */
function change(items, id, properties) {
  if (!items.some((item) => item.id === id)) throw new RangeError(`The scene has no '${id}'.`);
  return items.map((item) => (item.id === id ? { ...item, ...properties } : item));
}

/**
 * @param {Scene} scene
 * @param {string} holder "table", "side:ID" or a token's id
 * @param {"tracks" | "conditions"} field
 * @param {string} key
 * @param {number | string | null} value null removes it
 * @returns {Scene}
 */
function setOnHolder(scene, holder, field, key, value) {
  if (holder === "table") return { ...scene, ...withValue(scene, field, key, value) };
  const list = holder.startsWith("side:") ? "sides" : "tokens";
  const id = holder.replace(/^side:/, "");
  const items = /** @type {(Holder & {id: string})[]} */ (scene[list]);
  const owner = items.find((item) => item.id === id);
  if (!owner) throw new RangeError(`The scene has no '${holder}'.`);
  return { ...scene, [list]: change(items, id, withValue(owner, field, key, value)) };
}

/**
 * @param {Holder} holder
 * @param {"tracks" | "conditions"} field
 * @param {string} key
 * @param {number | string | null} value
 */
function withValue(holder, field, key, value) {
  const { [key]: _, ...rest } = holder[field];
  return { [field]: value === null ? rest : { ...rest, [key]: value } };
}
