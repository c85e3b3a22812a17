/**
 * The wire contract in TypeScript; schemas/ is its source.
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
  /** Only the GM sees hidden terrain. */
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
  /** The ids of the players who own it. */
  owners: string[];
  /** Its footprint, if `size` does not describe it. Set by the page, never on the wire. */
  body?: Body;
}

/** The cells a token fills, and the cell that its moves refer to. */
export interface Body {
  cells: Cell[];
  anchor: Cell;
}

/** A token's hit points: their track, and its maximum. */
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
  /** The table's own catalog; empty for all but the GM. */
  units: OwnUnit[];
}

export interface OwnUnit extends Unit {
  image: string;
}

export type Setting = boolean | number | string;

export type TableEvent =
  | { type: "scene_set"; scene: Scene; was: Scene | null }
  | { type: "map_set"; walls: Wall[]; terrain: Terrain[] }
  | { type: "rules_set"; house_rules: Record<string, Setting>; enforcement: Enforcement }
  | { type: "sides_set"; sides: Side[] }
  | { type: "units_set"; units: OwnUnit[] }
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

/** A link of a chain, and all other inputs of the dice. */
interface Proof {
  epoch: string;
  index: number;
  link: string;
  command: string;
  random: string;
  rules: { ruleset: string; house_rules: Record<string, Setting> };
  void: string;
  /** The hash of the players' contributions; older logs have none. */
  players: string;
  is_hidden: boolean;
}

/** A player's contribution to the dice; its value is empty until it is revealed. */
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

/** An entry's note on the table's dice (schemas/log-entry.json). */
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
  /** Null at a table without hidden rolls so far. */
  hidden: HiddenHead | null;
  /** The hash of the players' current contributions. */
  players: string;
}

/** An enemy that a move provokes, and its attack; null where the game does not work the odds out. */
export interface Provocation {
  token: string;
  act: string;
  chance: Chance | null;
  damage: Chance | null;
}

export interface Ruling {
  allowed: boolean;
  cost: number | null;
  budget: number;
  reasons: string[];
  path: Cell[];
  steps: { at: Cell; how: string; cost: number; provokes: Provocation[] }[];
}

/** The cost of each leg of a path, null where no path leads, and the ruling on the whole. */
export interface PathCost {
  token: string;
  seq: number;
  costs: (number | null)[];
  ruling: Ruling;
}

/** The cells in reach with their costs; `provokes` has indices in `provocations`. */
export interface Reach {
  budget: number;
  cells: [number, number, number][];
  provocations: Provocation[];
  provokes: [number, number, number[]][];
  safe: [number, number, number][];
  /** The outlines of the reach on a gridless board, the smallest first; several while dice are still to be rolled. */
  bands?: Area[];
}

export interface Facts {
  token?: string;
  target?: string;
  act?: string;
  ruling?: Ruling;
  rolls?: Roll[];
  modifiers?: Modifier[];
  defenses?: Modifier[];
  total?: number;
  needed?: number;
  result?: string;
  damage?: number;
  hit_points?: [number, number];
  override?: string;
  /** The act step by step; the first step has the tokens as they were. */
  steps?: ActStep[];
}

/** A step of an act: its sentences, who acts on whom, and the tokens that it changes. */
export interface ActStep {
  text: string;
  token: string;
  target: string;
  changes: {
    token: string;
    at: Cell | null;
    facing: number | null;
    tracks: Record<string, number>;
    conditions: Record<string, string>;
  }[];
}

/** A part of a battle: the scene after the entry `start`, and the entries after it (schemas/replay-page.json). */
export interface ReplayPage {
  start: number;
  last: number;
  scene: Scene;
  entries: LogEntry[];
  /** For the scene, and after each entry; null repeats the ones before. */
  bodies: (Record<string, Run[]> | null)[];
  rounds: number[];
  regions: Area[];
}

/** A branch of a table as a seat may know it (schemas/branch.json). */
export interface BranchInfo {
  branch: string;
  owner: string;
  is_own: boolean;
  is_shown: boolean;
  at: number;
  entries: number;
}

export interface BranchComparison extends BranchInfo {
  differences: { token: string; name: string; now: Token | null; then: Token | null }[];
}

/** The verdicts of a battle that change under other house rules (schemas/rules-diff.json). */
export interface RulesDiff {
  house_rules: Record<string, Setting>;
  entries: number;
  acts: number;
  same: number;
  verdicts: {
    seq: number;
    kind: "changed" | "refused" | "unanswered" | "unrepeatable";
    was: string;
    now: string;
    rule: string;
    is_direct: boolean;
  }[];
}

export interface RulesDiffJob {
  job: string;
  done: number;
  of: number;
  result: RulesDiff | null;
  failed: string;
}

/** One attack: what came of it and what was to be expected; null without odds. */
export interface AttackRecord {
  seq: number;
  token: string;
  target: string;
  side: string;
  is_hit: boolean;
  damage: number;
  chance: Chance | null;
  expected: number | null;
}

/** The numbers of a unit or a side; `known...` and `expected...` are about the attacks with odds. */
export interface Totals {
  id: string;
  name: string;
  side: string;
  attacks: number;
  hits: number;
  known: number;
  known_hits: number;
  expected_hits: number;
  at_least: number;
  at_most: number;
  known_damage: number;
  expected_damage: number;
  dealt: number;
  taken: number;
  downed: number;
  lost: number;
}

/** The statistics in a seat's view, so far: `done` of `of` entries are counted. */
export interface BattleStatistics {
  done: number;
  of: number;
  units: Totals[];
  sides: Totals[];
  attacks: AttackRecord[];
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
  /** Sealed answers: the commitments when the question closes, and with the answers at the reveal. */
  sealed?: SealedAnswers[];
}

export interface SealedAnswer {
  choice: string;
  token: string;
  /** The key of the seat that answered; empty for a default that the GM's close took. */
  seat: string;
  commitment: string;
  answer: string;
  /** The answer in words; empty for numbers. */
  label: string;
  salt: string;
}

export interface SealedAnswers {
  question: string;
  answers: SealedAnswer[];
  is_open: boolean;
}

/** The numbers of a token's answers against each likely answer of each opponent. */
export interface Matchups {
  token: string;
  columns: { label: string; is_own: boolean; is_amount: boolean }[];
  opponents: { token: string; name: string; rows: { label: string; values: Chance[]; exact: boolean }[] }[];
}

/** A split of a pool over a choice's options; all lists are in their order. */
export interface Allocation {
  pool: number;
  least: number;
  limits: [number, number][];
  default: number[];
  /** For each option the chance of success with 0, 1, 2 and so on, as (numerator, denominator); may be empty. */
  chances: [number, number][][];
}

/** An answer that a choice offers, and what it is about. */
export interface ChoiceOption {
  key: string;
  label: string;
  tokens?: string[];
  at?: Cell | null;
}

export interface Choice {
  id: string;
  side: string;
  question: string;
  options: ChoiceOption[];
  default: string;
  /** The deciding token; empty if the side decides. */
  token: string;
  facts: Facts;
  /** With an allocation the answer is a number for each option's key, and `default` is empty. */
  allocation?: Allocation | null;
  /** The log proves the answers; the server tells the odds of an answer. */
  is_sealed?: boolean;
  has_odds?: boolean;
  /** This seat's answer, which waits for those of others; empty before it. */
  given?: string;
  /** This seat's other choices at the same time. */
  others?: Choice[];
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
  catalog: Unit[];
  house_rules: HouseRule[];
  /** `body` is the JSON Schema of the form that acts of this kind have; null without one. */
  acts: { kind: string; label: string; body: Record<string, unknown> | null }[];
  profile_schema: Record<string, unknown>;
  tracks: Record<string, string>;
  conditions: Record<string, string>;
  /** The kinds of grid that it is played on. */
  grids: GridKind[];
  /** The overlay layers that it supports. */
  layers: LayerKey[];
  /** The named faces of its dice; none if they show numbers. */
  faces: string[];
}

export interface Snapshot {
  role: Role;
  /** The player's id, as in the owners of tokens; empty for GM and spectators. */
  seat: string;
  scene: Scene;
  log: LogEntry[];
  choice: Choice | null;
  ruleset: Ruleset;
  /** The larger parts of the board, such as Hexons. */
  regions: Area[];
  bodies: Record<string, Run[]>;
  bars: Record<string, Bar>;
  dice: ChainHead | null;
  /** The hash of the scene (replica.js, stateHash). */
  hash: string;
  /** Null for all but the GM, and if the server allows no webhooks. */
  webhook: WebhookState | null;
  turn: TurnState;
  /** Null for all but the GM. */
  history: History | null;
}

/** The turn order as this seat sees it; without a token any of the sides' tokens may act. */
export interface TurnState {
  round: number;
  sides: string[];
  token: string;
  is_over: boolean;
  winners: string[];
}

/** The entries that undo and redo would take next, and the first that undo can reach. */
export interface History {
  undo: number | null;
  redo: number | null;
  first: number | null;
}

/** The state of the table's webhook, without its URL. */
export interface WebhookState {
  hosts: string[];
  /** Empty if none is set. */
  host: string;
  outcome: string;
  at_ms: number;
  is_stopped: boolean;
}

export interface Entries {
  entries: LogEntry[];
  choice: Choice | null;
  /** Null if unchanged. */
  regions: Area[] | null;
  bodies: Record<string, Run[]>;
  bars: Record<string, Bar>;
  /** The hash of the scene after these; null if not sent. */
  hash: string | null;
  webhook: WebhookState | null;
  turn: TurnState;
  history: History | null;
}

export interface Act {
  kind: string;
  token: string;
  target: string;
  weapon: string;
  at: Cell | null;
  facing: number | null;
  /** By the schema of its kind. */
  body?: Record<string, unknown> | null;
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
  defenses: Modifier[];
  outcomes: { outcome: string; chance: Chance }[];
  /** The tokens that an area of effect catches beside the target. */
  caught?: string[];
  /** The result for each of several tokens, and in words; `fallen` has the chance of each number that falls. */
  area?: AreaResult | null;
  /** Why the odds of a legal act are not known; empty if they are. */
  no_odds?: string;
}

export interface AreaResult {
  tokens: { token: string; damage: Chance; down: Chance }[];
  fallen: [number, Chance][];
  text: string;
}

/**
 * Cells, or an outline on a gridless board: `rings` and `lines` are x, y, x, y, ... on the plane. A point is in the
 * area if a ring goes around it; rings may overlap. Lines are the border where no wall makes it.
 */
export interface Area {
  layer: string;
  label: string;
  runs: Run[];
  rings?: number[][];
  lines?: number[][];
}

export interface Overlay {
  token: string;
  seq: number;
  card: { label: string; value: string; note: string }[];
  reach: Reach | null;
  areas: Area[];
  engagements: Engagement[];
  targets: Target[];
}

/** Two engaged tokens, and the effect on them. */
export interface Engagement {
  tokens: [string, string];
  label: string;
}

/** The thing that blocks a line of sight; the id is empty if it is not part of the scene. */
export interface Blocker {
  kind: "wall" | "door" | "token" | "terrain" | "corner";
  id: string;
  name: string;
}

/** Sight from one token to another (null: undefined in this game), with its line; lengths as for walls. */
export interface Sight {
  is_seen: boolean | null;
  why: string;
  cover: string;
  distance: string;
  line: [number, number, number, number] | null;
  at: Cell | null;
  blocker: Blocker | null;
}

/** The verdict of one token on another (schemas/verdict.json). */
export interface Verdict {
  token: string;
  target: string;
  seq: number;
  sentence: string;
  sight: Sight;
  acts: Target[];
}

/** A place of a decision map; damage in thousandths of a point (schemas/decision-map.json). */
export interface MapCell {
  at: Cell;
  facing: number | null;
  cost: number;
  dealt: number;
  taken: number;
  provoked: number;
  attackers: number;
  may_come: boolean;
}

/** An attack to come, with its chance to hit and its expected damage. */
export interface AttackOutlook {
  token: string;
  target: string;
  act: Act;
  label: string;
  chance: Chance;
  damage: Chance;
  exact: boolean;
}

/** Everything about one place, and why to go there or not. */
export interface PlaceOutlook {
  cell: MapCell;
  own: AttackOutlook | null;
  suffered: AttackOutlook[];
  provokes: { token: string; act: string; chance: Chance | null; damage: Chance | null }[];
  watchers: {
    token: string;
    is_seen: boolean | null;
    saw: boolean | null;
    cover: string;
    distance: string;
    is_in_arc: boolean;
  }[];
  text: string;
}

/** The places in the reach of a token: what it could do and would suffer there (schemas/decision-map.json). */
export interface DecisionMap {
  token: string;
  seq: number;
  is_next_turn: boolean;
  is_whole: boolean;
  /** The acts and places that the numbers leave out, in sentences. */
  notes?: string[];
  cells: MapCell[];
  here: PlaceOutlook | null;
  advice: PlaceOutlook[];
  places: PlaceOutlook[];
}

/** The result of attackers in order on a target (schemas/focus-fire.json). */
export interface FocusFire {
  target: string;
  seq: number;
  steps: { token: string; act: Act | null; label: string; chance: Chance }[];
  chance: Chance;
  left: { hit_points: number | null; chance: Chance }[];
  used: Chance;
  exact: boolean;
  best: string[];
  best_chance: Chance;
  best_used: Chance;
}

/** The state of a forecast: what is counted of many continuations of the battle. */
export interface Forecast {
  forecast: string;
  seq: number;
  state: "waiting" | "running" | "done" | "cancelled" | "failed";
  total: number;
  played: number;
  undecided: Chance;
  margin: number;
  sides: { side: string; name: string; chance: Chance }[];
  rounds: [number, number][];
  tokens: { token: string; name: string; side: string; chance: Chance }[];
}

/** The last entry that a reconnecting client has. */
export interface ResumePoint {
  epoch: string;
  seq: number;
  hash?: string;
}

/** The check by which a client noticed a desync. */
export type DesyncReason = "gap" | "hash" | "stale";

export type Update = { v: 1; table: string; epoch: string; seq: number } & (
  | { kind: "snapshot"; body: Snapshot }
  | { kind: "entries"; body: Entries }
  | { kind: "overlay"; body: Overlay }
  | { kind: "hello"; body: Hello }
  | { kind: "players"; body: Players }
  | { kind: "ping"; body: { at: Cell; name: string } }
  | { kind: "branch"; body: { branch: string; name: string; is_shown: boolean } }
);

/** The seat of a connection, and the token for the next one. */
export interface Hello {
  seat: string;
  role: Role;
  name: string;
  resume: string;
}

/** A member of the table, or a player who waits for the GM. */
export interface Member {
  seat: string;
  role: Role;
  name: string;
  seated: boolean;
  online: boolean;
}

/** A link that admits players until it expires. The server returns its secret once, to its creator. */
export interface Invitation {
  id: string;
  role: "player" | "spectator";
  expires_ms: number;
  secret?: string;
}

/** The table's members and open links, for the GM. */
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
  /** The entries that a stale command missed; null if they are too many. */
  missing?: Entries | null;
  retry_after_ms?: number;
  process?: string;
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
 * A page's replica of a table: the snapshot with all later entries folded in. `seq` is the last of them; numbers
 * count within an epoch.
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
  fill?: number; // opacity of the fill, 0 to 1
  pattern?: Pattern;
  line?: number; // opacity of the outline, 0 to 1
  width?: number; // of the outline, in 64ths of a cell
  dash?: boolean;
}

/** One thing to draw; points are [x, y, x, y, ...] in 64ths of a cell. */
export type Mark =
  | { kind: "polygon"; points: number[]; style: Style }
  | { kind: "cells"; grid: Grid; cells: CellSet; style: Style; shift?: [number, number] } // filled, shifted
  | { kind: "lines"; points: number[]; style: Style } // a pair of points for each line
  | { kind: "circle"; at: Cell; radius: number; style: Style }
  | { kind: "region"; rings: number[][]; style: Style } // filled where any ring goes around
  | { kind: "texts"; grid: Grid; cells: number[][]; text: string; color: number } // the same text in many cells
  | { kind: "picture"; at: Cell; size: number; key: string; source: HTMLCanvasElement; alpha: number }
  | { kind: "icon"; at: Cell; size: number; path: string; color: number } // a path in a box of 24 by 24
  | { kind: "text"; at: Cell; text: string; size: number; color: number; grows?: boolean }; // grows: readable from afar

export interface DrawnLayer {
  key: string;
  marks: Mark[];
}
