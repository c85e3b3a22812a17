/**
 * The members of Foundry that this module uses, in versions 12 to 14, written by hand from Foundry's published API
 * reference. Members that only some versions have are optional (`?`).
 *
 * The stand-in host of the browser tests (tests/browser/foundry) reads this file: its objects have the members
 * declared here and throw at any other. Keep one member a line, four spaces deep. Each interface names its public
 * source (`@source`); a member of its own generations or with its own source has a comment `// 13-14: source`.
 *
 * D12, D13, D14: the API reference of that generation at foundryvtt.com/api. I#: an issue of foundryvtt/foundryvtt.
 * C: the code of a public module or system.
 */
declare namespace Foundry {
  /**
   * A Foundry collection: a Map that iterates over its values.
   * @source D12 D13 D14 foundry.utils.Collection
   */
  interface Collection<T> {
    size: number;
    contents: T[];
    get(id: string): T | undefined;
    has(id: string): boolean;
    find(test: (value: T) => boolean): T | undefined;
    filter(test: (value: T) => boolean): T[];
    map<U>(change: (value: T) => U): U[];
    [Symbol.iterator](): Iterator<T>;
  }

  /** @source D12 client.Game, D13 D14 foundry.Game */
  interface Game {
    release: { generation: number };
    version: string;
    ready: boolean;
    world: { id: string; title: string };
    system: { id: string; title: string };
    user: User;
    users: Users;
    scenes: Scenes;
    actors: Collection<Actor>;
    combats: Collection<Combat>;
    combat: Combat | null;
    messages: Collection<ChatMessageDocument>;
    modules: Collection<Module>;
    settings: Settings;
    keybindings: Keybindings;
    i18n: I18n;
    socket: ModuleSocket;
  }

  /** @source D12 D13 D14 foundry.packages.Module (12: client.Module); api is set by modules, as in C fantasycalendar/FoundryVTT-Sequencer:src/module.js */
  interface Module {
    id: string;
    version: string;
    active: boolean;
    api: unknown;
  }

  /** @source D12 D13 D14 foundry.documents.User */
  interface User {
    id: string;
    name: string;
    isGM: boolean;
    role: number; // 12-14: D12 D13 D14 CONST.USER_ROLES
    isSelf: boolean;
    active: boolean;
    targets: Set<Token>;
    getFlag(scope: string, key: string): any;
    setFlag(scope: string, key: string, value: unknown): Promise<unknown>;
  }

  /** @source D12 D13 D14 foundry.documents.collections.Users#activeGM */
  interface Users extends Collection<User> {
    activeGM: User | null;
  }

  /** @source D12 D13 D14 SettingConfig */
  interface SettingConfig {
    name?: string;
    hint?: string;
    scope: "world" | "client";
    config: boolean;
    type: StringConstructor | NumberConstructor | BooleanConstructor | ObjectConstructor | ArrayConstructor;
    default: unknown;
    choices?: Record<string, string>;
    requiresReload?: boolean;
    onChange?: (value: any) => void;
  }

  /** @source D12 D13 D14 SettingSubmenuConfig */
  interface SettingMenuConfig {
    name: string;
    label: string;
    hint?: string;
    icon?: string;
    type: typeof ApplicationV2;
    restricted: boolean;
  }

  /** @source D12 D13 D14 ClientSettings */
  interface Settings {
    register(scope: string, key: string, config: SettingConfig): void;
    registerMenu(scope: string, key: string, config: SettingMenuConfig): void;
    get(scope: string, key: string): any;
    set(scope: string, key: string, value: unknown): Promise<unknown>;
  }

  /** @source D12 D13 D14 KeybindingActionConfig */
  interface KeybindingConfig {
    name: string;
    hint?: string;
    editable?: { key: string; modifiers?: string[] }[];
    onDown?: () => boolean | void;
    onUp?: () => boolean | void;
    restricted?: boolean;
  }

  /** @source D12 D13 D14 ClientKeybindings#register */
  interface Keybindings {
    register(scope: string, action: string, config: KeybindingConfig): void;
  }

  /** @source D12 D13 D14 Localization */
  interface I18n {
    localize(key: string): string;
    format(key: string, data: Record<string, unknown>): string;
    has(key: string): boolean;
    lang: string;
  }

  /**
   * The modules' socket between a world's pages. A message goes to the other pages, never back.
   * @source C farling42/foundryvtt-socketlib:src/socketlib.js, foundryvtt.wiki/en/development/api/sockets
   */
  interface ModuleSocket {
    /** From 13 on `options.recipients` names the receiving users; 12 ignores it and sends to all. */
    emit(channel: string, data: unknown, options?: { recipients?: string[] }): void;
    /** The sender's ID comes from Foundry's server; trust nothing else. */
    on(channel: string, handler: (data: any, senderId: string) => void): void;
  }

  /**
   * Options of a document change, passed to all its hooks.
   * @source D12 D13 D14 DatabaseUpdateOperation: other keys reach all hooks
   */
  interface ChangeOptions {
    /** Marks this module's own changes, so that it does not send them to the table. */
    enfilade?: { origin: string; seq: number };
    teleport?: boolean; // 12-13: D12 D13 DatabaseUpdateOperation of tokens, regionBehaviors.TeleportTokenRegionBehaviorType
    isUndo?: boolean; // 12-14: D12 D13 D14 DatabaseUpdateOperation#isUndo
    [option: string]: unknown;
  }

  /** @source D12 D13 D14 foundry.abstract.Document */
  interface Document {
    id: string;
    uuid: string;
    documentName: string;
    flags: Record<string, any>;
    isOwner: boolean;
    toObject(): Record<string, any>;
    update(changes: Record<string, unknown>, options?: ChangeOptions): Promise<unknown>;
    delete(options?: ChangeOptions): Promise<unknown>;
    getFlag(scope: string, key: string): any;
    setFlag(scope: string, key: string, value: unknown): Promise<unknown>;
    unsetFlag(scope: string, key: string): Promise<unknown>;
    testUserPermission(user: User, permission: "OWNER" | "OBSERVER" | "LIMITED"): boolean;
  }

  /** @source D12 D13 D14 SceneDimensions */
  interface SceneDimensions {
    sceneX: number;
    sceneY: number;
    sceneWidth: number;
    sceneHeight: number;
    size: number;
    distance: number;
    distancePixels: number;
  }

  /** @source D12 D13 D14 foundry.documents.collections.Scenes#active */
  interface Scenes extends Collection<Scene> {
    active: Scene | null;
  }

  /** @source D12 D13 D14 foundry.documents.Scene */
  interface Scene extends Document {
    _source: Record<string, any>; // 12-14: D12 D13 D14 foundry.abstract.DataModel#_source
    name: string;
    active: boolean;
    grid: Grid;
    dimensions: SceneDimensions;
    tokens: Collection<TokenDocument>;
    walls: Collection<WallDocument>;
    regions: Collection<RegionDocument>;
    levels?: Collection<Level>; // 14-14: D14 foundry.documents.types.SceneData
    view(options?: { level?: string }): Promise<unknown>; // 12-14: D12 D13 D14 Scene#view; the level: D14 foundry.documents.types.SceneViewOptions
    createEmbeddedDocuments(type: string, data: object[], options?: ChangeOptions): Promise<unknown>;
    updateEmbeddedDocuments(type: string, changes: object[], options?: ChangeOptions): Promise<unknown>;
    deleteEmbeddedDocuments(type: string, ids: string[], options?: ChangeOptions): Promise<unknown>;
  }

  /**
   * A grid: type 0 none, 1 square, 2 to 5 hexes (odd rows, even rows, odd columns, even columns).
   * @source D12 D13 D14 foundry.grid.BaseGrid
   */
  interface Grid {
    type: number;
    size: number;
    sizeX: number;
    sizeY: number;
    distance: number;
    units: string;
    diagonals?: number; // 12-14: C caewok/fvtt-elevation-ruler:scripts/measurement/Grid.js
  }

  /** @source D14 foundry.documents.types.LevelData */
  interface Level extends Document {
    name: string;
    elevation: { bottom: number | null; top: number | null };
  }

  /** @source D12 D13 D14 foundry.documents.TokenDocument */
  interface TokenDocument extends Document {
    name: string;
    parent: Scene | null;
    object: Token | null;
    actor: Actor | null;
    actorId: string | null;
    actorLink: boolean;
    _source: TokenSource; // 12-14: D12 D13 D14 foundry.abstract.DataModel#_source
    x: unknown; // 12-14: I#11398, I#11122: animated while the token moves; only `_source` is where it is
    y: unknown; // 12-14: I#11398
    width: unknown; // 12-14: I#11398
    height: unknown; // 12-14: I#11398
    rotation: unknown; // 12-14: I#11398
    elevation: unknown; // 12-14: I#11122
    hidden: boolean;
    disposition: number;
    texture: { src: string | null };
    hexagonalShape?: number; // 12-12: D12 foundry.documents.BaseToken
    shape?: number; // 13-14: I#11701
    movement?: TokenMovement; // 13-14: D13 D14 foundry.documents.TokenDocument#movement
    move?(waypoints: Waypoint | Waypoint[], options?: object): Promise<boolean>; // 13-14: D14 TokenDocument#move
    depth?: number; // 14-14: D14 foundry.documents.types.TokenData
    level?: string; // 14-14: D14 foundry.documents.types.TokenData
    getBarAttribute(bar: string): { attribute: string; value: number; max?: number } | null;
  }

  /**
   * A token's saved values. Read them by read/saved-place.js.
   * @source D12 D13 D14 foundry.documents.types.TokenData
   */
  interface TokenSource {
    x: number;
    y: number;
    width: number;
    height: number;
    rotation: number;
    elevation: number;
  }

  /**
   * A token's current or last movement. `pending` keeps its waypoints when the movement is stopped: I#13044.
   * @source D13 D14 foundry.documents.types.TokenMovementData
   */
  interface TokenMovement {
    pending: { waypoints: Waypoint[] };
  }

  /**
   * The movement that the hooks `preMoveToken` and `moveToken` get, with the waypoints that the update passes.
   * @source D13 D14 foundry.documents.types.TokenMovementOperation, hookEvents.preMoveToken
   */
  interface TokenMovementOperation {
    /** "dragging", "keyboard", "hud" and "config" are the user's; "api" is a program's, and "paste" and "undo" place a token: TokenMovementMethod. */
    method: string;
    passed: { waypoints: Waypoint[] };
    pending: { waypoints: Waypoint[] };
  }

  /** @source D13 D14 foundry.documents.types.TokenMovementWaypoint */
  interface Waypoint {
    x: number;
    y: number;
    elevation?: number;
    action?: string;
    checkpoint?: boolean;
    explicit?: boolean;
  }

  /** @source D12 D13 D14 foundry.documents.types.WallData */
  interface WallDocument extends Document {
    parent: Scene | null;
    c: [number, number, number, number];
    door: number;
    ds: number;
  }

  /** @source D12 D13 D14 foundry.documents.RegionDocument */
  interface RegionDocument extends Document {
    name: string;
    parent: Scene | null;
    polygons?: Polygon[]; // 13-14: I#11819 moved from the placeable to the document, I#11851
    shapes?: { x?: number; y?: number }[]; // 14-14: D14 foundry.documents.types.RegionData
    object?: Region | null; // 12-14: D12 RegionDocument#object
    behaviors: Collection<RegionBehavior>;
  }

  /**
   * A region's object on the canvas.
   * @source D12 client.Region
   */
  interface Region {
    polygons?: Polygon[]; // 12-12: D12 client.Region#polygons
    document?: RegionDocument; // 14-14: D14 foundry.canvas.placeables.Region
    isPreview?: boolean; // 14-14: D14 PlaceableObject#isPreview
  }

  /** @source PIXI 7 Polygon */
  interface Polygon {
    points: number[];
  }

  /**
   * A template, in the hook `createMeasuredTemplate`. From 14 on there are only regions.
   * @source D12 D13 foundry.documents.MeasuredTemplateDocument, C EndlesNights/dnd4eBeta pull 609
   */
  interface TemplateDocument extends Document {
    parent: Scene | null;
    x: number;
    y: number;
  }

  /**
   * A template's object on the canvas: its shape is one of PIXI, relative to its place.
   * @source D13 MeasuredTemplate, C foundryvtt/dnd5e:module/canvas/ability-template.mjs
   */
  interface TemplateObject {
    document: TemplateDocument;
    shape: TemplateShape | null;
    isPreview: boolean; // 12-14: D12 D13 D14 PlaceableObject#isPreview
    activity?: object; // 12-14: C foundryvtt/dnd5e:module/canvas/ability-template.mjs fromActivity
  }

  /** @source PIXI 7 Polygon, Circle, Rectangle */
  interface TemplateShape {
    points?: number[];
    radius?: number;
    x?: number;
    y?: number;
    width?: number;
    height?: number;
  }

  /** @source D12 D13 D14 foundry.documents.RegionBehavior */
  interface RegionBehavior extends Document {
    parent: RegionDocument | null;
    type: string;
    disabled: boolean;
    system: Record<string, any>;
  }

  /** @source D12 D13 D14 foundry.documents.Actor */
  interface Actor extends Document {
    name: string;
    type: string;
    parent: TokenDocument | null; // 12-14: the token of an actor that is a copy of its own: I#8973
    system: Record<string, any>;
    items: Collection<Item>; // 12-14: D12 D13 D14 foundry.documents.Actor#items
    statuses: Set<string>;
    synthetics?: { ephemeralEffects: Record<string, Record<"target" | "origin", object[]>> }; // 12-14: C foundryvtt/pf2e:src/module/rules/rule-element/ephemeral-effect.ts
    toggleStatusEffect(id: string, options?: { active?: boolean; overlay?: boolean }): Promise<unknown>;
  }

  /** @source D12 D13 D14 foundry.documents.Item */
  interface Item extends Document {
    name: string;
    type: string;
    parent: Actor | null;
    system: Record<string, any>;
  }

  /**
   * An effect on an actor, or on an item.
   * @source D12 D13 D14 foundry.documents.ActiveEffect
   */
  interface ActiveEffect extends Document {
    parent: Actor | Item | null;
  }

  /** @source D12 D13 D14 foundry.documents.Combat */
  interface Combat extends Document {
    scene: Scene | null;
    round: number;
    turn: number | null;
    started: boolean;
    active: boolean;
    combatant: Combatant | null;
    combatants: Collection<Combatant>;
    turns: Combatant[];
    startCombat(): Promise<unknown>;
    setInitiative(combatant: string, value: number): Promise<unknown>;
    createEmbeddedDocuments(type: string, data: object[], options?: ChangeOptions): Promise<unknown>;
    updateEmbeddedDocuments(type: string, changes: object[], options?: ChangeOptions): Promise<unknown>;
  }

  /** @source D12 D13 D14 foundry.documents.Combatant */
  interface Combatant extends Document {
    tokenId: string | null;
    sceneId: string | null;
    actorId: string | null;
    initiative: number | null;
    hidden: boolean;
    defeated: boolean;
    isDefeated: boolean;
  }

  /** @source D12 D13 D14 foundry.documents.ChatMessage */
  interface ChatMessageDocument extends Document {
    content: string;
    whisper: string[];
    blind: boolean;
    speaker: { scene?: string | null; token?: string | null; actor?: string | null; alias?: string };
    rolls: Roll[];
    type?: string | number; // 12-14: a system's own kind from 13 on: C foundryvtt/dnd5e:module/data/chat-message/attack-message-data.mjs
    system?: Record<string, any>; // 12-14: C foundryvtt/dnd5e:module/data/chat-message/fields/targets-field.mjs
    author: User | null; // 12-14: I#13436
  }

  /** @source D12 D13 D14 foundry.documents.types.ChatMessageData; I#13436 author for user */
  interface ChatMessageData {
    content: string;
    speaker?: object;
    author?: string;
    whisper?: string[];
    flavor?: string;
    rolls?: Roll[];
    flags?: Record<string, object>;
  }

  /** @source D12 D13 D14 foundry.documents.ChatMessage */
  interface ChatMessageClass {
    create(data: ChatMessageData, options?: ChangeOptions): Promise<unknown>;
    getSpeaker(of: { token?: TokenDocument; alias?: string }): object;
    getWhisperRecipients(name: string): User[];
  }

  /** @source D12 D13 D14 foundry.dice.Roll */
  interface Roll {
    formula: string;
    total: number;
    options?: Record<string, any>; // 12-14: D12 D13 D14 foundry.dice.Roll#options
    isCritical?: boolean; // 12-14: C foundryvtt/dnd5e:module/dice/d20-roll.mjs
    instances?: { total: number; type: string }[]; // 12-14: C 7H3LaughingMan/foundry-pf2e types
    isFumble?: boolean; // 12-14: C foundryvtt/dnd5e:module/dice/d20-roll.mjs
    toJSON(): object;
  }

  /** @source D12 D13 D14 foundry.dice.Roll.fromData, C kakaroto/Beyond20:src/fvtt/page-script.js */
  interface RollClass {
    fromData(data: object): Roll;
  }

  /**
   * The canvas of the viewed scene.
   * @source D12 D13 D14 foundry.canvas.Canvas
   */
  interface Canvas {
    ready: boolean;
    scene: Scene | null;
    level?: Level | null; // 14-14: C foundryvtt/crucible:module/documents/token.mjs
    grid: Grid;
    dimensions: SceneDimensions;
    stage: import("pixi.js").Container;
    app: {
      view: HTMLCanvasElement;
      screen: { width: number; height: number };
      renderer: { render(of: import("pixi.js").Container): void };
    };
    tokens?: TokenLayer; // 12-14: D12 D13 D14 foundry.canvas.Canvas; none while the canvas is disabled: issue crnormand/gurps#2449
    interface: InterfaceGroup;
    templates?: { active: boolean }; // 12-13: D12 D13 TemplateLayer, InteractionLayer#active
    regions?: { active: boolean }; // 12-14: D12 D13 D14 RegionLayer, InteractionLayer#active
    mousePosition: { x: number; y: number };
    animatePan(view: { x?: number; y?: number; scale?: number; duration?: number }): Promise<unknown>;
    /** The module's layer, registered in CONFIG.Canvas.layers. */
    enfilade?: CanvasLayer;
  }

  /** @source D12 D13 D14 foundry.canvas.layers.TokenLayer */
  interface TokenLayer {
    placeables: Token[];
    controlled: Token[];
    get(id: string): Token | undefined;
    releaseAll(): number;
  }

  /** @source D12 D13 D14 foundry.canvas.groups.InterfaceCanvasGroup */
  interface InterfaceGroup {
    createScrollingText(
      origin: { x: number; y: number },
      content: string,
      options?: Record<string, unknown>,
    ): Promise<unknown>;
  }

  /**
   * A token's object on the canvas.
   * @source D12 D13 D14 foundry.canvas.placeables.Token
   */
  interface Token {
    id: string;
    document: TokenDocument;
    actor: Actor | null;
    name: string;
    controlled: boolean;
    hover: boolean;
    isOwner: boolean;
    visible: boolean;
    center: { x: number; y: number };
    renderFlags?: { set(flags: Record<string, boolean>): void }; // 13-14: D13 D14 foundry.canvas.interaction.RenderFlags#set
    isPreview: boolean; // 12-14: D12 D13 D14 PlaceableObject#isPreview
    control(options?: { releaseOthers?: boolean }): boolean;
    release(): boolean;
    measureMovementPath?(waypoints: object[], options?: { preview?: boolean }): { cost: number }; // 13-14: D13 D14 Token#measureMovementPath
    setTarget(targeted: boolean, options?: { releaseOthers?: boolean; user?: User }): void;
  }

  /** @source D12 D13 D14 Hooks */
  interface Hooks {
    on(name: string, act: (...args: any[]) => unknown): number;
    once(name: string, act: (...args: any[]) => unknown): number;
    off(name: string, id: number): void;
    callAll(name: string, ...args: unknown[]): boolean;
  }

  /**
   * A tool of the scene controls: 12 calls `onClick`, 13 and later `onChange`.
   * @source D12 SceneControlTool, D13 D14 SceneControlTool
   */
  interface ControlTool {
    name: string;
    title: string;
    icon: string;
    order?: number;
    toggle?: boolean;
    button?: boolean;
    active?: boolean;
    visible?: boolean;
    onClick?: (isActive: boolean) => void; // 12-12: D12 SceneControlTool
    onChange?: (event: Event, isActive: boolean) => void; // 13-14: D13 D14 SceneControlTool
  }

  /** An array with arrays of tools in 12, a record of records from 13 on. */
  type SceneControls =
    | (ControlGroup & { tools: ControlTool[] })[]
    | Record<string, ControlGroup & { tools: Record<string, ControlTool> }>;

  /**
   * A group of the scene controls. Its active tool is one of its tools, and no button.
   * @source D12 client.SceneControl, D13 D14 foundry.SceneControl
   */
  interface ControlGroup {
    name: string;
    title?: string;
    icon?: string;
    visible?: boolean;
    activeTool?: string;
    layer?: string; // 12-12: D12 client.SceneControl#layer
    order?: number; // 13-14: D13 D14 foundry.SceneControl#order
  }

  /** @source D12 D13 D14 StatusEffectConfig */
  interface StatusEffect {
    id: string;
    name: string;
    img?: string;
  }

  /**
   * A segment of a measuring ruler: `ray.B` is its end.
   * @source C caewok/fvtt-elevation-ruler:scripts/segments.js
   */
  interface RulerSegment {
    ray: { B: { x: number; y: number } };
  }

  /**
   * The measuring ruler of 12, which measures from a token if it begins on one. A subclass writes the labels.
   * @source D12 client.Ruler, C caewok/fvtt-elevation-ruler:scripts/Ruler.js
   */
  class Ruler {
    user: User;
    token: Token | null; // 12-12: D12 client.Ruler#token
    segments: RulerSegment[]; // 12-12: D12 client.Ruler#segments
    destination: { x: number; y: number } | null; // 12-12: D12 client.Ruler#destination
    measure(destination: { x: number; y: number }, options?: { force?: boolean }): unknown;
    _getSegmentLabel(segment: RulerSegment): string; // 12-12: D12 client.Ruler#_getSegmentLabel
  }

  /**
   * A waypoint of a token's ruler. Waypoints that the user has not set are not explicit.
   * @source D13 D14 foundry.canvas.placeables.tokens.TokenRuler, C foundryvtt/crucible:module/canvas/token-ruler.mjs
   */
  interface RulerWaypoint {
    center: { x: number; y: number };
    stage: string;
    explicit: boolean;
    previous: RulerWaypoint | null;
    next: RulerWaypoint | null;
  }

  /**
   * The values in the template of a waypoint's label.
   * @source C foundryvtt/crucible:module/canvas/token-ruler.mjs
   */
  interface RulerLabel {
    cost: { total: string; units: string; delta?: string | null };
  }

  /**
   * The ruler of a dragged token from 13 on, created when the token is first drawn.
   * @source D13 D14 foundry.canvas.placeables.tokens.TokenRuler
   */
  class TokenRuler {
    token: Token;
    _getWaypointLabelContext(waypoint: RulerWaypoint, state: object): RulerLabel | void;
  }

  /** @source D12 D13 D14 CONFIG */
  interface Config {
    Canvas: {
      layers: Record<string, { group: string; layerClass: typeof CanvasLayer }>;
      rulerClass?: typeof Ruler;
    };
    Token?: {
      rulerClass?: typeof TokenRuler;
      movement?: { actions: Record<string, { teleport?: boolean }> };
    }; // 12-14: rulerClass from 13 on: C foundryvtt/dnd5e:dnd5e.mjs; D13 D14 CONFIG.Token.movement
    /** An array in 12 and 13, a record in 14. */
    statusEffects: StatusEffect[] | Record<string, StatusEffect>;
    specialStatusEffects: Record<string, string>;
  }

  /** @source D12 D13 D14 CONST.CHAT_MESSAGE_STYLES */
  interface Const {
    CHAT_MESSAGE_STYLES: { OTHER: number; OOC: number; IC: number; EMOTE: number };
  }

  /** @source D12 D13 D14 ui */
  interface Ui {
    notifications: Notifications;
    controls: ControlsApplication;
  }

  /** @source D12 D13 D14 Notifications */
  interface Notifications {
    info(message: string, options?: { permanent?: boolean }): unknown;
    warn(message: string, options?: { permanent?: boolean }): unknown;
    error(message: string, options?: { permanent?: boolean }): unknown;
  }

  /**
   * Redraws by `initialize` in 12, by `render` with `reset` from 13 on.
   * @source D12 client.SceneControls, D13 D14 foundry.applications.ui.SceneControls
   */
  interface ControlsApplication {
    initialize?(): void; // 12-14: deprecated from 13 on, and does not ask for the tools again: D13
    render(options?: { reset?: boolean } | boolean): unknown;
  }

  /**
   * An entry of the menu in a window's header; `action` names one of the window's actions.
   * @source D12 D13 D14 ApplicationHeaderControlsEntry
   */
  interface HeaderControl {
    icon: string;
    label: string;
    action: string;
  }

  /** @source D12 D13 D14 ApplicationConfiguration */
  interface ApplicationOptions {
    id?: string;
    classes?: string[];
    tag?: string;
    window?: { title?: string; icon?: string; resizable?: boolean; controls?: HeaderControl[] };
    position?: { width?: number | "auto"; height?: number | "auto"; left?: number; top?: number };
    actions?: Record<string, (this: any, event: Event, target: HTMLElement) => unknown>;
    form?: {
      handler?: (
        this: any,
        event: Event,
        form: HTMLFormElement,
        data: { object: Record<string, any> },
      ) => unknown;
      submitOnChange?: boolean;
      closeOnSubmit?: boolean;
    };
  }

  /**
   * The HUD beside a token: its left and right columns take more buttons.
   * @source D12 D13 D14 TokenHUD, C Unarekin/FoundryVTT-Sprite-Animations:src/tokenHUD.ts
   */
  interface TokenHUD {
    object: Token | null;
  }

  /** @source D12 client.CanvasLayer, D13 D14 foundry.canvas.layers.CanvasLayer; abstract _draw: issue fantasycalendar/FoundryVTT-Sequencer#97 */
  class CanvasLayer {
    /** 14 assigns it in the base class, so a getter without a setter fails there. */
    zIndex: number;
    visible: boolean;
    eventMode: string;
    interactiveChildren: boolean;
    addChild(...children: import("pixi.js").DisplayObject[]): unknown;
    removeChildren(): import("pixi.js").DisplayObject[];
    protected _draw(options?: object): Promise<void>;
    protected _tearDown(options?: object): Promise<void>;
  }

  /** @source D12 D13 D14 foundry.applications.api.ApplicationV2 */
  class ApplicationV2 {
    static DEFAULT_OPTIONS: ApplicationOptions;
    constructor(options?: ApplicationOptions);
    id: string;
    element: HTMLElement;
    rendered: boolean;
    options: ApplicationOptions;
    title: string;
    render(options?: { force?: boolean }): Promise<this>;
    close(options?: object): Promise<this>;
    bringToFront(): void;
    /** Without `left` and `top` a window opens in the middle of the screen: revolutionarygamesco/common-foundryvtt wiki. */
    position: { left?: number; top?: number }; // 12-14: D12 D13 D14 ApplicationV2#position
    setPosition(position: { width?: number; height?: number; left?: number; top?: number }): unknown;
    protected _prepareContext(options: object): Promise<object>;
    protected _renderHTML(context: object, options: object): Promise<HTMLElement>;
    protected _replaceHTML(result: HTMLElement, content: HTMLElement, options: object): void;
    protected _onRender(context: object, options: object): void;
    protected _onClose(options: object): void;
  }

  /**
   * `content` and `label` are HTML: escape outside text.
   * @source D12 D13 D14 foundry.applications.api.DialogV2
   */
  interface DialogV2Class {
    confirm(config: {
      window: { title: string };
      content: string;
      rejectClose?: boolean;
    }): Promise<boolean | null>;
  }

  /** @source D12 D13 D14 foundry */
  interface Namespace {
    applications: { api: { ApplicationV2: typeof ApplicationV2; DialogV2: DialogV2Class } };
    /** In 12 without `layers`: there the class is a global. */
    canvas?: { layers?: { CanvasLayer: typeof CanvasLayer } }; // 12-14: `layers` from 13 on: I#11553
  }
}

declare const game: Foundry.Game;
declare const canvas: Foundry.Canvas;
declare const Hooks: Foundry.Hooks;
declare const CONFIG: Foundry.Config;
declare const CONST: Foundry.Const;
declare const ui: Foundry.Ui;
declare const foundry: Foundry.Namespace;
/** In 12 only; from 13 on it is in `foundry.canvas.layers`. */
declare const CanvasLayer: typeof Foundry.CanvasLayer;
declare const ChatMessage: Foundry.ChatMessageClass;
declare const Roll: Foundry.RollClass;
