// The messages of the extension to the host: their fields, and what the room answers. Every name and field is that of the
// SDK's public source (owlbear-rodeo/sdk 3.1.0, src/api); the file of each is named.

/** Fields of an item. @source SDK types/items/Item.ts */
export const ITEM_FIELDS = [
  "id type name visible locked createdUserId zIndex lastModified lastModifiedUserId position rotation scale metadata layer",
  "attachedTo disableHit disableAutoZIndex disableAttachmentBehavior description",
]
  .join(" ")
  .split(" ");

/** Fields of a kind of item. @source SDK types/items/*.ts */
export const KIND_FIELDS = {
  IMAGE: ["image", "grid", "text", "textItemType"],
  PATH: ["commands", "style", "fillRule"],
  TEXT: ["text"],
  LABEL: ["text", "style"],
  SHAPE: ["shapeType", "width", "height", "style"],
  CURVE: ["points", "style"],
  LINE: ["startPosition", "endPosition", "style"],
};

/** Layers. @source SDK types/items/Item.ts */
export const LAYERS =
  "MAP GRID DRAWING PROP MOUNT CHARACTER ATTACHMENT NOTE TEXT RULER FOG POINTER POST_PROCESS CONTROL POPOVER".split(
    " ",
  );

/** The numbers that follow each command of a path. @source SDK types/items/Path.ts */
export const PATH_NUMBERS = [2, 2, 4, 5, 6, 0];

/** "JSON exceeds array length limit". @source FN, bisected in a real room */
export const MOST_ENTRIES = 8192;

/** The fields that each message may have. @source the named file of SDK src/api */
export const MESSAGES = {
  // PlayerApi.ts
  OBR_PLAYER_GET_ROLE: [],
  OBR_PLAYER_GET_SELECTION: [],
  OBR_PLAYER_SUBSCRIBE: [],
  OBR_PLAYER_UNSUBSCRIBE: [],
  OBR_PLAYER_SELECT: ["items", "replace"],
  // PartyApi.ts
  OBR_PARTY_GET_PLAYERS: [],
  OBR_PARTY_SUBSCRIBE: [],
  OBR_PARTY_UNSUBSCRIBE: [],
  // scene/SceneApi.ts
  OBR_SCENE_IS_READY: [],
  OBR_SCENE_READY_SUBSCRIBE: [],
  OBR_SCENE_READY_UNSUBSCRIBE: [],
  OBR_SCENE_GET_METADATA: [],
  OBR_SCENE_SET_METADATA: ["update"],
  OBR_SCENE_METADATA_SUBSCRIBE: [],
  OBR_SCENE_METADATA_UNSUBSCRIBE: [],
  // scene/SceneItemsApi.ts and SceneLocalApi.ts
  OBR_SCENE_ITEMS_GET_ALL_ITEMS: [],
  OBR_SCENE_ITEMS_GET_ITEMS: ["ids"],
  OBR_SCENE_ITEMS_UPDATE_ITEMS: ["updates"],
  OBR_SCENE_ITEMS_SUBSCRIBE: [],
  OBR_SCENE_ITEMS_UNSUBSCRIBE: [],
  OBR_SCENE_LOCAL_GET_ALL_ITEMS: [],
  OBR_SCENE_LOCAL_ADD_ITEMS: ["items"],
  OBR_SCENE_LOCAL_DELETE_ITEMS: ["ids"],
  // scene/SceneGridApi.ts
  OBR_SCENE_GRID_GET_DPI: [],
  OBR_SCENE_GRID_GET_TYPE: [],
  OBR_SCENE_GRID_GET_SCALE: [],
  OBR_SCENE_GRID_SNAP_POSITION: ["position", "snappingSensitivity", "useCorners", "useCenter"],
  OBR_SCENE_GRID_SUBSCRIBE: [],
  OBR_SCENE_GRID_UNSUBSCRIBE: [],
  // ContextMenuApi.ts, ToolApi.ts, ActionApi.ts, NotificationApi.ts
  OBR_CONTEXT_MENU_CREATE: ["id", "shortcut", "icons", "embed"],
  OBR_TOOL_CREATE: ["id", "shortcut", "defaultMode", "defaultMetadata", "icons", "disabled"],
  OBR_TOOL_MODE_CREATE: ["id", "shortcut", "icons", "preventDrag", "disabled", "cursors"],
  OBR_ACTION_OPEN: [],
  OBR_NOTIFICATION_SHOW: ["message", "variant"],
};

/** Messages that the SDK sends without a nonce, so that nothing answers them. @source SDK src/api, `messageBus.send` */
export const UNANSWERED = /_(UN)?SUBSCRIBE$/;

/** The subscription that an event needs. @source SDK src/api */
export const SUBSCRIPTIONS = {
  OBR_PLAYER_EVENT_CHANGE: "OBR_PLAYER_SUBSCRIBE",
  OBR_PARTY_EVENT_CHANGE: "OBR_PARTY_SUBSCRIBE",
  OBR_SCENE_EVENT_READY_CHANGE: "OBR_SCENE_READY_SUBSCRIBE",
  OBR_SCENE_METADATA_EVENT_CHANGE: "OBR_SCENE_METADATA_SUBSCRIBE",
  OBR_SCENE_ITEMS_EVENT_CHANGE: "OBR_SCENE_ITEMS_SUBSCRIBE",
  OBR_SCENE_GRID_EVENT_CHANGE: "OBR_SCENE_GRID_SUBSCRIBE",
};

/** A message that Owlbear's host could not have got from its SDK. */
export class Violation extends Error {}

/** A refusal, in the shape that the SDK rejects with: no Error. @source GG, DU: `error.name` is compared */
export class Refused extends Error {
  constructor(name, message) {
    super(message);
    this.body = { error: { name, message } };
  }
}

/** Throws Violation unless a message has an ID and fields of the SDK. */
export function checkMessage({ id, data, nonce }) {
  const fields = MESSAGES[id];
  if (!fields) throw new Violation(`unknown message ${id}`);
  if (UNANSWERED.test(id) !== (nonce === undefined)) throw new Violation(`${id} and its nonce`);
  if (nonce !== undefined && !/^_[0-9a-f-]{36}$/.test(nonce)) throw new Violation(`nonce of ${id}`);
  for (const key of Object.keys(data ?? {}))
    if (!fields.includes(key)) throw new Violation(`field ${key} of ${id}`);
}

/** Throws Violation or Refused unless the host could store an item. */
export function checkItem(item) {
  const known = [...ITEM_FIELDS, ...(KIND_FIELDS[item.type] ?? [])];
  if (!KIND_FIELDS[item.type]) throw new Refused("RecordValidationError", `unknown type ${item.type}`);
  for (const key of Object.keys(item))
    if (!known.includes(key)) throw new Refused("RecordValidationError", `unknown key ${key}`);
  if (!LAYERS.includes(item.layer)) throw new Refused("RecordValidationError", `unknown layer ${item.layer}`);
  for (const [x, y] of [
    [item.position?.x, item.position?.y],
    [item.scale?.x, item.scale?.y],
  ])
    if (!Number.isFinite(x) || !Number.isFinite(y)) throw new Refused("RecordValidationError", "no number");
  if (!Number.isFinite(item.rotation)) throw new Refused("RecordValidationError", "rotation");
  for (const [command, ...numbers] of item.commands ?? [])
    if (numbers.length !== PATH_NUMBERS[command] || !numbers.every(Number.isFinite))
      throw new Refused("RecordValidationError", `command ${command}`);
  checkLengths(item);
}

function checkLengths(value) {
  if (Array.isArray(value) && value.length > MOST_ENTRIES)
    throw new Refused("RecordValidationError", "JSON exceeds array length limit");
  if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) checkLengths(part);
}
