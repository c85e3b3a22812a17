// The rules in which the stand-in is as strict as the strictest Foundry. A world's `rules` may leave only some of them:
// the mutation run shows that the module from before them fails each.

/** @type {{name: string, says: string, source: string, generations: number[]}[]} */
export const RULES = [
  {
    name: "abstract-draw",
    says: "`CanvasLayer#_draw` is abstract: a layer that calls it stops the whole canvas",
    source: "issues fantasycalendar/FoundryVTT-Sequencer#97 and otigon/automated-jb2a-animations#526; D13",
    generations: [12, 13, 14],
  },
  {
    name: "z-index",
    says: "the base class of layers assigns `zIndex`",
    source: "D14 foundry.canvas.layers.CanvasLayer",
    generations: [14],
  },
  {
    name: "namespace",
    says: "`foundry.canvas` has no `layers` in 12",
    source: "I#11553",
    generations: [12],
  },
  {
    name: "controls",
    says: "only `render({reset: true})` asks for the tools again; `initialize` is deprecated and does not",
    source: "D13 foundry.applications.ui.SceneControls",
    generations: [13, 14],
  },
  {
    name: "region-polygons",
    says: "a region's polygons belong to its placeable in 12 and to its document from 13 on",
    source: "I#11819, I#11851",
    generations: [12],
  },
  {
    name: "pending-movement",
    says: "a stopped or paused movement keeps its pending waypoints",
    source: "I#13044, issue foundryvtt/dnd5e#5990; D14 hookEvents.stopToken, pauseToken",
    generations: [13, 14],
  },
  {
    name: "chat-rolls",
    says: "rolls are drawn only where a message's content has no child elements",
    source: "C modules that copy core's chat renderer",
    generations: [12, 13, 14],
  },
  {
    name: "private-rolls",
    says: "a whisper with rolls is shown to all as a private roll",
    source: "C modules that copy core's chat renderer; D13 ChatMessage#visible",
    generations: [12, 13, 14],
  },
  {
    name: "hex-size",
    says: "a token of several hexes is 0.75 of a hex and a quarter high for each row",
    source: "C Wibble199/FoundryVTT-Terrain-Height-Tools:src/utils/token-utils.mjs",
    generations: [12, 13, 14],
  },
  {
    name: "core-keys",
    says: "Alt with a digit swaps the hotbar's page, and Alt highlights objects",
    source: "foundryvtt.com/article/controls",
    generations: [12, 13, 14],
  },
  {
    name: "status",
    says: "`toggleStatusEffect` throws at an ID that is not in this page's `CONFIG.statusEffects`",
    source: "D12 D13 D14 foundry.documents.Actor#toggleStatusEffect",
    generations: [12, 13, 14],
  },
  {
    name: "animation",
    says: "a token's document has the values of its animation while it moves; `_source` has its place",
    source: "I#11398, I#11122",
    generations: [12, 13, 14],
    file: "foundry-truth",
    before: "16e616e671e7",
  },
  {
    name: "displacement",
    says: 'the movement of macros, teleports and mounts has the method "api", a paste and an undo have theirs; 12 marks a teleport',
    source: "D13 D14 TokenMovementMethod, CONFIG.Token.movement.actions; D12 TeleportTokenRegionBehaviorType",
    generations: [12, 13, 14],
    file: "foundry-displacement",
    before: "16e616e671e7",
  },
  {
    name: "active-gm",
    says: "the active GM is the connected one of the highest role, whether or not that page has a link",
    source: "I#11242, I#11678",
    generations: [12, 13, 14],
    file: "foundry-gms",
    before: "16e616e671e7",
  },
  {
    name: "viewed-scene",
    says: "each page views a scene of its own, apart from the active one, and `canvasReady` tells of it",
    source: "D12 D13 D14 Scene#view, hookEvents.canvasReady",
    generations: [12, 13, 14],
    file: "foundry-table-scene",
    before: "16e616e671e7",
  },
  {
    name: "viewed-level",
    says: "each page views a level of its own",
    source: "D14 foundry.documents.types.SceneViewOptions",
    generations: [14],
    file: "foundry-table-scene",
    before: "16e616e671e7",
  },
];
