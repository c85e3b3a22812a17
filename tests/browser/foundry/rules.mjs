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
    name: "no-effects",
    says: "`toggleStatusEffect` does nothing where a system has no free effects",
    source: "issue foundryvtt/pf2e#14501",
    generations: [12, 13, 14],
    file: "foundry-effects",
    before: "16e616e671e7",
  },
  {
    name: "enriched-chat",
    says: "a chat message's text is enriched: inline rolls, links to documents, enrichers of systems, addresses",
    source: "D12 D13 D14 TextEditor.enrichHTML, CONFIG.TextEditor.enrichers",
    generations: [12, 13, 14],
    file: "foundry-quiet",
    before: "16e616e671e7",
  },
  {
    name: "next-turn",
    says: "a GM advances the turn in the tracker, and no module is asked",
    source: "D12 D13 D14 Combat#nextTurn, hookEvents.updateCombat",
    generations: [12, 13, 14],
    file: "foundry-turns",
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
  {
    name: "actor-models",
    says: "an actor's values are those that its system prepares: in no source, behind fields and getters, and in other places in each version; an unlinked token's actor is updated without a hook of the token",
    source:
      "C foundryvtt/dnd5e:module/data/actor/templates/attributes.mjs, common.mjs, module/data/fields/local-document-field.mjs, module/data/shared/senses-field.mjs at release-4.0.4 to release-5.3.3, issue foundryvtt/dnd5e#7201; C foundryvtt/pf2e:src/module/actor/creature/document.ts, issue foundryvtt/pf2e#20176; C javierriveracastro/betteroll-swade:scripts; I#8973, I#9131",
    generations: [12, 13, 14],
    file: "foundry-actor-models",
    before: "16e616e671e7",
  },
  {
    name: "late-moves",
    says: "a movement goes on by checkpoints after the call that began it: 13 answers at the first, 14 at the end; it may be stopped, paused, replaced by another move, or refused by a hook of another module",
    source:
      "I#13572, I#12240; D13 D14 TokenMovementWaypoint#checkpoint, hookEvents.stopToken, pauseToken, preMoveToken; D12 hookEvents.preUpdateDocument",
    generations: [12, 13, 14],
    file: "foundry-late-moves",
    before: "16e616e671e7",
  },
  {
    name: "hosted",
    says: "the page of a hosted Foundry reaches the GM's computer only over https and with the user's permission, and no plain http elsewhere",
    source:
      "wicg.github.io/local-network-access, w3.org/TR/mixed-content; Chromium 142 and later enforce both",
    generations: [12, 13, 14],
    file: "foundry-hosted",
    before: "16e616e671e7",
  },
  {
    name: "attack-copy",
    says: "an attack copies its targets with their armor class before its hooks and does not wait for them; midi-qol reads the armor class after one that it waits for; pf2e puts what the attacker's rules give to the roll on a copy of the target",
    source:
      "C foundryvtt/dnd5e:module/documents/activity/attack.mjs rollAttack, module/utils.mjs getTargetDescriptors; C tposney/midi-qol:src/module/workflow.ts; C foundryvtt/pf2e:src/module/rules/rule-element/ephemeral-effect.ts, src/module/rules/helpers.ts",
    generations: [12, 13, 14],
    file: "foundry-rolls",
    before: "16e616e671e7",
  },
  {
    name: "roll-messages",
    says: "messages keep what they tell of a roll in flags before dnd5e 6, in data since; a reroll of pf2e deletes its message and makes another; dnd5e tells all pages of hit points that change; settings of the systems hide results from players",
    source:
      "C foundryvtt/dnd5e:module/documents/activity/mixin.mjs, module/data/chat-message/fields/targets-field.mjs, module/data/actor/templates/attributes.mjs onUpdateHP, module/settings.mjs; C foundryvtt/pf2e:src/module/chat-message/data.ts, src/module/system/check/check.ts, src/module/system/settings/metagame.ts",
    generations: [12, 13, 14],
    file: "foundry-rolls",
    before: "16e616e671e7",
  },
  {
    name: "area-previews",
    says: "an area that is being placed is a preview: a template with a shape relative to its place and its activity (12, 13), a region with polygons and without an origin (14); hooks tell of each step and of the end",
    source:
      "D13 MeasuredTemplate, D14 hookEvents.refreshObject, RegionPlacementOptions; C foundryvtt/dnd5e:module/canvas/ability-template.mjs, module/canvas/template-placement.mjs, I foundryvtt/dnd5e#6778",
    generations: [12, 13, 14],
    file: "foundry-area-judge",
    before: "16e616e671e7",
  },
  {
    name: "core-price",
    says: "a placed token measures a path with the cost function of the world's system, which its own ruler shows",
    source:
      "D13 D14 Token#measureMovementPath; C foundryvtt/dnd5e:module/canvas/token.mjs, module/canvas/ruler.mjs",
    generations: [13, 14],
    file: "foundry-provoked-drag",
    before: "16e616e671e7",
  },
];
