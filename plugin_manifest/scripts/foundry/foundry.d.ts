/**
 * The members of Foundry that this module uses, in versions 12 to 14, written by hand from Foundry's published API
 * reference. Members that only some versions have are optional (`?`).
 *
 * The stand-in host of the browser tests (tests/browser/foundry) reads this file: its objects have the members
 * declared here and throw at any other. Keep one member a line, four spaces deep.
 */
declare namespace Foundry {
  /** A Foundry collection: a Map that iterates over its values. */
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

  interface Game {
    release: { generation: number };
    version: string;
    ready: boolean;
    world: { id: string; title: string };
    system: { id: string; title: string };
    user: User;
    users: Users;
    scenes: Collection<Scene>;
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

  interface Module {
    id: string;
    version: string;
    active: boolean;
    api: unknown;
  }

  interface User {
    id: string;
    name: string;
    isGM: boolean;
    isSelf: boolean;
    active: boolean;
    targets: Set<Token>;
    getFlag(scope: string, key: string): any;
    setFlag(scope: string, key: string, value: unknown): Promise<unknown>;
  }

  interface Users extends Collection<User> {
    activeGM: User | null;
  }

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

  interface SettingMenuConfig {
    name: string;
    label: string;
    hint?: string;
    icon?: string;
    type: typeof ApplicationV2;
    restricted: boolean;
  }

  interface Settings {
    register(scope: string, key: string, config: SettingConfig): void;
    registerMenu(scope: string, key: string, config: SettingMenuConfig): void;
    get(scope: string, key: string): any;
    set(scope: string, key: string, value: unknown): Promise<unknown>;
  }

  interface KeybindingConfig {
    name: string;
    hint?: string;
    editable?: { key: string; modifiers?: string[] }[];
    onDown?: () => boolean | void;
    onUp?: () => boolean | void;
    restricted?: boolean;
  }

  interface Keybindings {
    register(scope: string, action: string, config: KeybindingConfig): void;
  }

  interface I18n {
    localize(key: string): string;
    format(key: string, data: Record<string, unknown>): string;
    has(key: string): boolean;
    lang: string;
  }

  /** The modules' socket between a world's pages. A message goes to the other pages, never back. */
  interface ModuleSocket {
    /** From 13 on `options.recipients` names the receiving users; 12 ignores it and sends to all. */
    emit(channel: string, data: unknown, options?: { recipients?: string[] }): void;
    /** The sender's ID comes from Foundry's server; trust nothing else. */
    on(channel: string, handler: (data: any, senderId: string) => void): void;
  }

  /** Options of a document change, passed to all its hooks. */
  interface ChangeOptions {
    /** Marks this module's own changes, so that it does not send them to the table. */
    enfilade?: { origin: string; seq: number };
    [option: string]: unknown;
  }

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

  interface SceneDimensions {
    sceneX: number;
    sceneY: number;
    sceneWidth: number;
    sceneHeight: number;
    size: number;
    distance: number;
    distancePixels: number;
  }

  interface Scene extends Document {
    name: string;
    active: boolean;
    grid: Grid;
    dimensions: SceneDimensions;
    tokens: Collection<TokenDocument>;
    walls: Collection<WallDocument>;
    regions: Collection<RegionDocument>;
    levels?: Collection<Level>;
    createEmbeddedDocuments(type: string, data: object[], options?: ChangeOptions): Promise<unknown>;
    updateEmbeddedDocuments(type: string, changes: object[], options?: ChangeOptions): Promise<unknown>;
    deleteEmbeddedDocuments(type: string, ids: string[], options?: ChangeOptions): Promise<unknown>;
  }

  /** A grid: type 0 none, 1 square, 2 to 5 hexes (odd rows, even rows, odd columns, even columns). */
  interface Grid {
    type: number;
    size: number;
    sizeX: number;
    sizeY: number;
    distance: number;
    units: string;
    diagonals?: number;
  }

  interface Level extends Document {
    name: string;
    elevation: { bottom: number | null; top: number | null };
  }

  interface TokenDocument extends Document {
    name: string;
    parent: Scene | null;
    object: Token | null;
    actor: Actor | null;
    actorId: string | null;
    actorLink: boolean;
    x: number;
    y: number;
    width: number;
    height: number;
    rotation: number;
    elevation: number;
    hidden: boolean;
    disposition: number;
    texture: { src: string | null };
    /** 12 */
    hexagonalShape?: number;
    /** 13 */
    shape?: number;
    movement?: { pending: { waypoints: unknown[] } };
    move?(waypoints: object | object[], options?: object): Promise<boolean>;
    /** 14 */
    depth?: number;
    level?: string;
    getBarAttribute(bar: string): { attribute: string; value: number; max?: number } | null;
  }

  interface WallDocument extends Document {
    parent: Scene | null;
    c: [number, number, number, number];
    door: number;
    ds: number;
  }

  interface RegionDocument extends Document {
    name: string;
    parent: Scene | null;
    polygons: { points: number[] }[];
    behaviors: Collection<RegionBehavior>;
  }

  interface RegionBehavior extends Document {
    type: string;
    disabled: boolean;
    system: Record<string, any>;
  }

  interface Actor extends Document {
    name: string;
    system: Record<string, any>;
    statuses: Set<string>;
    toggleStatusEffect(id: string, options?: { active?: boolean; overlay?: boolean }): Promise<unknown>;
  }

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

  interface Combatant extends Document {
    tokenId: string | null;
    sceneId: string | null;
    actorId: string | null;
    initiative: number | null;
    hidden: boolean;
    defeated: boolean;
    isDefeated: boolean;
  }

  interface ChatMessageDocument extends Document {
    content: string;
    whisper: string[];
  }

  interface ChatMessageData {
    content: string;
    speaker?: object;
    author?: string;
    whisper?: string[];
    flavor?: string;
    rolls?: Roll[];
    flags?: Record<string, object>;
  }

  interface ChatMessageClass {
    create(data: ChatMessageData, options?: ChangeOptions): Promise<unknown>;
    getSpeaker(of: { token?: TokenDocument; alias?: string }): object;
    getWhisperRecipients(name: string): User[];
  }

  interface Roll {
    formula: string;
    total: number;
    toJSON(): object;
  }

  interface RollClass {
    fromData(data: object): Roll;
  }

  /** The canvas of the viewed scene. */
  interface Canvas {
    ready: boolean;
    scene: Scene | null;
    level?: Level | null;
    grid: Grid;
    dimensions: SceneDimensions;
    stage: import("pixi.js").Container;
    app: { view: HTMLCanvasElement; renderer: { render(of: import("pixi.js").Container): void } };
    tokens: TokenLayer;
    interface: InterfaceGroup;
    mousePosition: { x: number; y: number };
    animatePan(view: { x?: number; y?: number; scale?: number; duration?: number }): Promise<unknown>;
    /** The module's layer, registered in CONFIG.Canvas.layers. */
    enfilade?: CanvasLayer;
  }

  interface TokenLayer {
    placeables: Token[];
    controlled: Token[];
    get(id: string): Token | undefined;
    releaseAll(): number;
  }

  interface InterfaceGroup {
    createScrollingText(
      origin: { x: number; y: number },
      content: string,
      options?: Record<string, unknown>,
    ): Promise<unknown>;
  }

  /** A token's object on the canvas. */
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
    control(options?: { releaseOthers?: boolean }): boolean;
    release(): boolean;
    setTarget(targeted: boolean, options?: { releaseOthers?: boolean; user?: User }): void;
  }

  interface Hooks {
    on(name: string, act: (...args: any[]) => unknown): number;
    once(name: string, act: (...args: any[]) => unknown): number;
    off(name: string, id: number): void;
    callAll(name: string, ...args: unknown[]): boolean;
  }

  /** A tool of the scene controls: 12 calls `onClick`, 13 and later `onChange`. */
  interface ControlTool {
    name: string;
    title: string;
    icon: string;
    order?: number;
    toggle?: boolean;
    button?: boolean;
    active?: boolean;
    visible?: boolean;
    onClick?: (isActive: boolean) => void;
    onChange?: (event: Event, isActive: boolean) => void;
  }

  /** An array with arrays of tools in 12, a record of records from 13 on. */
  type SceneControls =
    | { name: string; tools: ControlTool[] }[]
    | Record<string, { name: string; tools: Record<string, ControlTool> }>;

  interface StatusEffect {
    id: string;
    name: string;
    img?: string;
  }

  interface Config {
    Canvas: { layers: Record<string, { group: string; layerClass: typeof CanvasLayer }> };
    /** An array in 12 and 13, a record in 14. */
    statusEffects: StatusEffect[] | Record<string, StatusEffect>;
    specialStatusEffects: Record<string, string>;
  }

  interface Const {
    CHAT_MESSAGE_STYLES: { OTHER: number; OOC: number; IC: number; EMOTE: number };
  }

  interface Ui {
    notifications: Notifications;
    controls: ControlsApplication;
  }

  interface Notifications {
    info(message: string, options?: { permanent?: boolean }): unknown;
    warn(message: string, options?: { permanent?: boolean }): unknown;
    error(message: string, options?: { permanent?: boolean }): unknown;
  }

  /** Redraws by `initialize` in 12, by `render` with `reset` from 13 on. */
  interface ControlsApplication {
    initialize?(): void;
    render(options?: { reset?: boolean } | boolean): unknown;
  }

  interface ApplicationOptions {
    id?: string;
    classes?: string[];
    tag?: string;
    window?: { title?: string; icon?: string; resizable?: boolean };
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

  class CanvasLayer {
    visible: boolean;
    eventMode: string;
    interactiveChildren: boolean;
    addChild(...children: import("pixi.js").DisplayObject[]): unknown;
    removeChildren(): import("pixi.js").DisplayObject[];
    protected _draw(options?: object): Promise<void>;
    protected _tearDown(options?: object): Promise<void>;
  }

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
    setPosition(position: { width?: number; height?: number; left?: number; top?: number }): unknown;
    protected _prepareContext(options: object): Promise<object>;
    protected _renderHTML(context: object, options: object): Promise<HTMLElement>;
    protected _replaceHTML(result: HTMLElement, content: HTMLElement, options: object): void;
    protected _onRender(context: object, options: object): void;
    protected _onClose(options: object): void;
  }

  /** `content` and `label` are HTML: escape outside text. */
  interface DialogV2Class {
    confirm(config: {
      window: { title: string };
      content: string;
      rejectClose?: boolean;
    }): Promise<boolean | null>;
  }

  interface Namespace {
    applications: { api: { ApplicationV2: typeof ApplicationV2; DialogV2: DialogV2Class } };
    /** From 13 on; in 12 the class is a global. */
    canvas?: { layers: { CanvasLayer: typeof CanvasLayer } };
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
