/**
 * The wire contract as the JavaScript house sees it (schemas/ is its source).
 * Lengths are 64ths of a cell, facings compass degrees (0 up the board, clockwise), cells [column, row].
 */
import type { CellSet } from "../scripts/core/draw/cell-set.js";

export type Cell = [number, number];
export type Chance = [number, number];
export type GridKind = "square" | "hex_odd_r" | "hex_even_r" | "hex_odd_q" | "hex_even_q" | "gridless";
export type Role = "gm" | "player" | "spectator";
export type LayerKey =
  | "reach"
  | "arc"
  | "ranges"
  | "sight"
  | "blind"
  | "defense"
  | "reactions"
  | "targets"
  | "threat"
  | "cover"
  | "engagement";
export type Enforcement = "advise" | "warn" | "enforce";

export interface Grid {
  kind: GridKind;
  columns: number;
  rows: number;
  distance: number;
  units: string;
}

export interface Wall {
  id: string;
  line: [number, number, number, number];
  move: "none" | "normal";
  sight: "none" | "limited" | "normal" | "proximity" | "distance";
  one_way: "both" | "left" | "right";
  door: "none" | "door" | "secret";
  state: "closed" | "open" | "locked";
}

export interface Terrain {
  id: string;
  name: string;
  cells: Cell[];
  cost: number;
  blocks_sight: boolean;
  kind: string;
  /** Only the game master is told of hidden ground. */
  hidden: boolean;
}

export interface Holder {
  tracks: Record<string, number>;
  conditions: Record<string, string>;
}

export interface Side extends Holder {
  id: string;
  name: string;
  team: string;
}

export interface Token extends Holder {
  id: string;
  name: string;
  side: string;
  at: Cell | null;
  facing: number | null;
  size: [number, number];
  elevation: number;
  hidden: boolean;
  image: string;
  profile: Record<string, unknown>;
  /** The ids of the players whose it is. */
  owners: string[];
  /** Put here by the page: what it fills, where its size does not say it. Never sent. */
  body?: Body;
}

/** The cells a token fills, and the one of them that it is moved by. */
export interface Body {
  cells: Cell[];
  anchor: Cell;
}

/** A token's hit points: which track they are, and the most it may be. */
export interface Bar {
  track: string;
  most: number;
}

export type Run = [number, number, number]; // row, first column, last column

export interface Scene extends Holder {
  version: 1;
  ruleset: string;
  grid: Grid;
  name: string;
  background: string;
  enforcement: Enforcement;
  house_rules: Record<string, Setting>;
  walls: Wall[];
  terrain: Terrain[];
  sides: Side[];
  tokens: Token[];
}

export type Setting = boolean | number | string;

export type TableEvent =
  | { type: "scene_set"; scene: Scene; was: Scene | null }
  | { type: "map_set"; walls: Wall[]; terrain: Terrain[] }
  | { type: "rules_set"; house_rules: Record<string, Setting>; enforcement: Enforcement }
  | { type: "sides_set"; sides: Side[] }
  | { type: "token_placed"; token: Token; was?: Token | null }
  | { type: "token_removed"; was: Token }
  | { type: "token_moved"; token: string; at: Cell | null; facing: number | null }
  | { type: "door_set"; wall: string; state: Wall["state"] }
  | { type: "track_set"; holder: string; track: string; value: number | null }
  | { type: "condition_set"; holder: string; condition: string; note: string | null }
  | { type: "dice_rolled"; label: string; die: string; faces: (number | string)[]; typed: boolean }
  | { type: "choice_made"; side: string; question: string; answer: string; automatic: boolean }
  | { type: "explained"; kind: string; facts: Record<string, unknown> };

export interface Modifier {
  reason: string;
  value: number;
  rule: string;
  counts: boolean;
}

export interface Roll {
  label: string;
  die: string;
  faces: (number | string)[];
  typed: boolean;
  die_faces?: (number | string)[];
}

/** A link of a chain, and all that the dice followed from. */
interface Proof {
  epoch: string;
  index: number;
  link: string;
  command: string;
  random: string;
  rules: { ruleset: string; house_rules: Record<string, Setting> };
  void: string;
  /** The hash of the players' parts; older logs have none. */
  players: string;
  is_hidden: boolean;
}

/** A player's part in the dice; its value is empty until it is given. */
export interface Part {
  seat: string;
  commitment: string;
  value: string;
}

export interface HiddenHead {
  epoch: string;
  head: string;
  links: number;
}

/** What an entry says of the table's dice (schemas/log-entry.json). */
export type ChainNote =
  | {
      type: "opened";
      epoch: string;
      head: string;
      links: number;
      reason: string;
      hidden: HiddenHead | null;
    }
  | ({ type: "used" } & Proof)
  | ({ type: "shown" } & Proof)
  | { type: "hidden"; epoch: string; index: number }
  | { type: "sealed"; epoch: string }
  | { type: "committed"; epoch: string; parts: Part[] }
  | { type: "given"; epoch: string; parts: Part[]; players: string };

export interface ChainHead {
  epoch: string;
  head: string;
  links: number;
  next: number;
  /** Null at a table that had none yet. */
  hidden: HiddenHead | null;
  /** The hash of the players' parts that go into the dice now. */
  players: string;
}

export interface Ruling {
  allowed: boolean;
  cost: number | null;
  budget: number;
  reasons: string[];
}

export interface Facts {
  token?: string;
  target?: string;
  act?: string;
  ruling?: Ruling;
  rolls?: Roll[];
  modifiers?: Modifier[];
  defences?: Modifier[];
  total?: number;
  needed?: number;
  result?: string;
  damage?: number;
  hit_points?: [number, number];
  override?: string;
}

export interface LogEntry {
  seq: number;
  id: string;
  seat: string;
  kind: string;
  at_ms: number;
  text: string;
  facts: Facts;
  events: TableEvent[];
  undoes: number | null;
  secret: boolean;
  dice: ChainNote | null;
}

export interface Choice {
  id: string;
  side: string;
  question: string;
  options: { key: string; label: string }[];
  default: string;
  /** The miniature whose own decision it is; empty where it is the side's. */
  token: string;
  facts: Facts;
}

export interface Unit {
  key: string;
  name: string;
  profile: Record<string, unknown>;
}

export interface HouseRule {
  key: string;
  default: Setting;
  options: Setting[];
  sentence: string;
  rule: string;
}

export interface Ruleset {
  key: string;
  title: string;
  catalogue: Unit[];
  house_rules: HouseRule[];
  acts: { kind: string; label: string }[];
  profile_schema: Record<string, unknown>;
  tracks: Record<string, string>;
  conditions: Record<string, string>;
  /** The overlay layers it may have. */
  layers: LayerKey[];
  /** The words on its dice; none where they show numbers. */
  faces: string[];
}

export interface Snapshot {
  role: Role;
  /** The player's id, as in the owners of tokens; empty for others. */
  seat: string;
  scene: Scene;
  log: LogEntry[];
  choice: Choice | null;
  ruleset: Ruleset;
  /** The parts the board is divided into beyond its cells. */
  regions: Area[];
  bodies: Record<string, Run[]>;
  bars: Record<string, Bar>;
  dice: ChainHead | null;
  /** Of the scene (replica.js, stateHash). */
  hash: string;
  /** Null for all but the game master, and where the server posts nowhere. */
  webhook: WebhookState | null;
}

/** What a game master may know of the table's webhook: never its URL. */
export interface WebhookState {
  hosts: string[];
  /** Empty where none is set. */
  host: string;
  outcome: string;
  at_ms: number;
  is_stopped: boolean;
}

export interface Entries {
  entries: LogEntry[];
  choice: Choice | null;
  /** Null where they are still the same. */
  regions: Area[] | null;
  bodies: Record<string, Run[]>;
  bars: Record<string, Bar>;
  /** Of the scene after these; null where it is not told. */
  hash: string | null;
  webhook: WebhookState | null;
}

export interface Act {
  kind: string;
  token: string;
  target: string;
  weapon: string;
  at: Cell | null;
  facing: number | null;
}

export interface Target {
  act: Act;
  label: string;
  target: string;
  legal: boolean;
  why: string;
  cost: number;
  needed: number | null;
  chance: Chance;
  exact: boolean;
  modifiers: Modifier[];
  defences: Modifier[];
  outcomes: { outcome: string; chance: Chance }[];
}

export interface Area {
  layer: string;
  label: string;
  runs: Run[];
}

export interface Overlay {
  token: string;
  seq: number;
  card: { label: string; value: string; note: string }[];
  reach: { budget: number; cells: [number, number, number][] } | null;
  areas: Area[];
  engagements: Engagement[];
  targets: Target[];
}

/** Two tokens that are locked with one another, and what that means to them. */
export interface Engagement {
  tokens: [string, string];
  label: string;
}

/** What stops a line of sight; the id is empty where it is nothing of the scene. */
export interface Blocker {
  kind: "wall" | "door" | "token" | "terrain" | "corner";
  id: string;
  name: string;
}

/** Whether a token sees another (null: the game does not say) along which line; lengths as a wall's. */
export interface Sight {
  is_seen: boolean | null;
  why: string;
  cover: string;
  distance: string;
  line: [number, number, number, number] | null;
  at: Cell | null;
  blocker: Blocker | null;
}

/** What a token makes of another (schemas/verdict.json). */
export interface Verdict {
  token: string;
  target: string;
  seq: number;
  sentence: string;
  sight: Sight;
  acts: Target[];
}

/** What a client says it knows when it comes back. */
export interface Known {
  epoch: string;
  seq: number;
  hash?: string;
}

/** How a client notices that its copy went astray. */
export type DesyncReason = "gap" | "hash" | "stale";

export type Update = { v: 1; table: string; epoch: string; seq: number } & (
  | { kind: "snapshot"; body: Snapshot }
  | { kind: "entries"; body: Entries }
  | { kind: "overlay"; body: Overlay }
  | { kind: "hello"; body: Hello }
  | { kind: "players"; body: Players }
);

/** Whose seat a connection has, and the token to connect with next time. */
export interface Hello {
  seat: string;
  role: Role;
  name: string;
  resume: string;
}

/** Somebody who has a key of the table, or waits for the game master's answer. */
export interface Member {
  seat: string;
  role: Role;
  name: string;
  seated: boolean;
  online: boolean;
}

/** A link that lets somebody in until it expires; its secret is told to who made it, once. */
export interface Invitation {
  id: string;
  role: "player" | "spectator";
  expires_ms: number;
  secret?: string;
}

/** Who is at the table, as the game master is told. */
export interface Players {
  members: Member[];
  invitations: Invitation[];
}

export interface Problem {
  code: string;
  sentence: string;
  retryable?: boolean;
  rule?: string;
  fields?: Record<string, string[]>;
  current?: number;
  /** What was missed where a command was stale; null where it is too much. */
  missing?: Entries | null;
  retry_after_ms?: number;
}

export interface Ack {
  ok: boolean;
  id: string;
  seq?: number;
  result?: Record<string, any>;
  dup?: boolean;
  error?: Problem;
}

/**
 * A table as this page knows it: the snapshot, kept in step by folding entries. `seq` is the last one folded;
 * its number means something within its epoch.
 */
export interface Replica extends Snapshot {
  seq: number;
  epoch: string;
}

export type Pattern =
  | "solid"
  | "left"
  | "right"
  | "dots"
  | "cross"
  | "level"
  | "upright"
  | "zigzag"
  | "bricks"
  | "rings"
  | "none";

export interface Style {
  color: number;
  fill?: number; // opacity of the filling, 0 to 1
  pattern?: Pattern;
  line?: number; // opacity of the outline, 0 to 1
  width?: number; // of the outline, in 64ths of a cell
  dash?: boolean;
}

/** One thing to draw; points are [x, y, x, y, ...] in 64ths of a cell. */
export type Mark =
  | { kind: "polygon"; points: number[]; style: Style }
  | { kind: "cells"; grid: Grid; cells: CellSet; style: Style; shift?: [number, number] } // filled; moved on by so much
  | { kind: "lines"; points: number[]; style: Style } // pairs of points, each pair a line
  | { kind: "circle"; at: Cell; radius: number; style: Style }
  | { kind: "texts"; grid: Grid; cells: number[][]; text: string; color: number } // the same in many cells
  | { kind: "text"; at: Cell; text: string; size: number; color: number };

export interface DrawnLayer {
  key: string;
  marks: Mark[];
}
