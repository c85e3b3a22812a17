// Written by `make schemas` from the types of the server's messages.
/** The answer to a command: its result, or the error. */
export interface Ack {
  /** The command had been done before; this is the answer of the first time. */
  dup?: true;
  error?: Problem;
  id: string;
  ok: boolean;
  result?: Record<string, unknown>;
  /** The last entry of this view after the command. */
  seq?: number;
}

/**
 * An act of a token: its kind, and the weapon, target and place that its ruleset needs.
 *
 * `body` has what only acts of this kind say, in the struct that its `ActKind` declares; read it with
 * `body_of`. `path` has the waypoints of a move: cells that it leads through in order, the last of them
 * `at`. It is empty for a move by the cheapest path.
 */
export interface Act {
  kind: string;
  token: string;
  target: string;
  weapon: string;
  at: [number, number] | null;
  facing: number | null;
  path: [number, number][];
  body: Record<string, unknown> | null;
}

/** A kind of act: the label of its button, and the JSON Schema of its form, or null without a form. */
export interface ActInfo {
  body: Record<string, unknown> | null;
  kind: string;
  label: string;
}

/**
 * A step of an act that pages play: its sentences, who acts on whom, and the miniatures that it changes.
 *
 * The first step has no text, and the miniatures as they were before the act.
 */
export interface ActStep {
  changes: TokenChange[];
  /** The arithmetic behind the sentences, which pages fold away. */
  detail?: string;
  target: string;
  text: string;
  token: string;
}

/**
 * The numbers of a choice that splits a pool over its options; the lists are in their order.
 *
 * The sum is from `least` to `pool`, the number of each option within its `limits`. `default` is the split
 * that the ruleset recommends. `chances` has for each option the chance of success with 0, 1, 2 and so on;
 * it is empty if the ruleset does not work them out, or hidden things have a part in them.
 */
export interface Allocation {
  pool: number;
  least: number;
  limits: [number, number][];
  default: number[];
  chances: [number, number][][];
}

/**
 * A part of the board in one overlay layer under one label: cells, or an outline on a gridless board.
 *
 * `rings` and `lines` are x, y, x, y, ... in 64ths of an inch. A point is in the area if a ring goes around
 * it; rings may overlap, and all go clockwise on the board. The lines are the border where no wall makes it.
 */
export interface Area {
  layer: string;
  label: string;
  runs: [number, number, number][];
  rings: number[][];
  lines: number[][];
}

/** The result of an act at several tokens: for each, the chances of how many fall, and in words. */
export interface AreaResult {
  tokens: TokenResult[];
  fallen: [number, [number, number]][];
  text: string;
}

/** An attack to come: who attacks whom with what, its chance and expected damage, exact or sampled. */
export interface AttackOutlook {
  token: string;
  target: string;
  act: Act;
  label: string;
  chance: [number, number];
  damage: [number, number];
  exact: boolean;
}

/** A blow of an act on several units; what its result says is as in the facts of an entry. */
export interface AttackPart {
  act?: string;
  /** The chance to hit, part and whole. */
  chance?: [number, number];
  damage?: number;
  dealt?: number;
  hit_points?: [number, number];
  hits?: number;
  is_hit?: boolean;
  needed?: number;
  negated?: string[];
  result?: string;
  /** Dice for several are with the first alone. */
  rolls: AttackRoll[];
  target: string;
  token: string;
  weapon?: string;
}

/**
 * One attack: attacker, target, result, and the expected result.
 *
 * `chance` is the chance to hit and `expected` the mean damage, both from the odds before the roll; null if
 * the rules did not allow the act and the GM overrode them.
 */
export interface AttackRecord {
  seq: number;
  token: string;
  target: string;
  side: string;
  is_hit: boolean;
  damage: number;
  chance: [number, number] | null;
  expected: number | null;
}

/** The dice of a blow. */
export interface AttackRoll {
  die: string;
  faces: (number | string)[];
}

/** A token's bar on a tabletop: a track and its maximum. */
export interface Bar {
  track: string;
  most: number;
}

/** The statistics in a seat's view, so far: `done` of `of` entries that the seat knows of are counted. */
export interface BattleStatistics {
  done: number;
  of: number;
  units: Totals[];
  sides: Totals[];
  attacks: AttackRecord[];
}

/**
 * A thing that blocks a line of sight, by its ID and its name.
 *
 * `id` is empty if it is not a thing of the scene, such as the corner between two bodies.
 */
export interface Blocker {
  kind: "corner" | "door" | "terrain" | "token" | "wall";
  id: string;
  name: string;
}

/** A branch with the units that it has otherwise than the table now. */
export interface BranchComparison {
  branch: string;
  owner: string;
  is_own: boolean;
  is_shown: boolean;
  at: number;
  entries: number;
  differences: Difference[];
}

/**
 * A branch as a seat may know it: its ID, its owner's name ("" for the GM), and its size in entries.
 *
 * `at` is the entry of the table that it starts after, in the view of the owner; others get 0.
 */
export interface BranchInfo {
  branch: string;
  owner: string;
  is_own: boolean;
  is_shown: boolean;
  at: number;
  entries: number;
}

/**
 * A branch that a seat shows or shows no longer, or that ended, with the player's name ("" for the GM).
 *
 * The GM is told of those that are not shown, too.
 */
export interface BranchNews {
  branch: string;
  name: string;
  is_shown: boolean;
}

/** A part of a turn that a token may still spend: its name, how much is left, and of how much. */
export interface Budget {
  label: string;
  left: number;
  of: number;
}

/** A line of a miniature's card: a label, a value, and its source. */
export interface CardLine {
  label: string;
  value: string;
  note: string;
}

/** A token in a drawn area, by ID, and its cover from the area's origin; spared behind total cover. */
export interface Caught {
  token: string;
  cover: string;
  cover_level: "" | "half" | "lesser" | "three_quarters" | "total";
  cover_bonus: number | null;
  is_spared: boolean;
}

/**
 * The commitment to a table's dice: the chain's name, head and length, and the next link.
 *
 * `hidden` is the chain of hidden rolls, whose next link stays secret. `players` is the hash of the players'
 * contributions in use, or "".
 */
export interface ChainHead {
  epoch: string;
  head: string;
  links: number;
  next: number;
  hidden: HiddenHead | null;
  players: string;
}

/**
 * The server made a chain and committed to its head (hexadecimal); `reason` says why.
 *
 * `hidden` is the chain of hidden rolls made with it; older logs have none.
 */
export interface ChainOpened {
  type: "opened";
  epoch: string;
  head: string;
  links: number;
  reason: string;
  hidden: HiddenHead | null;
}

/**
 * An entry whose verdict is another under the changed rules, or is not known.
 *
 * `was` is the recorded sentence, `now` the new one: of the act, of its refusal (`refused`, with the ID of
 * the `rule`), or of what the recorded dice and decisions do not answer (`unanswered`). An `unrepeatable`
 * entry does not come to its recorded result under its own rules either, so nothing can be said of it.
 * `is_direct` tells a change on the recorded scene from one that only follows from earlier changes.
 */
export interface ChangedVerdict {
  seq: number;
  kind: "changed" | "refused" | "unanswered" | "unrepeatable";
  was: string;
  now: string;
  rule: string;
  is_direct: boolean;
}

/**
 * A decision that the table waits for: the side, the question, the answers and the default.
 *
 * `token` is the token that decides, or "" for the side. `facts` holds the modifiers and dice so far. With
 * an `allocation` the answer is a split over the options, and `default` is "". `others` are the choices that
 * the seat has at the same time, `given` is its answer that waits for those of others. `is_sealed`: the log
 * proves the answers. `has_odds`: the seat may ask for the odds of its answers.
 */
export interface Choice {
  id: string;
  side: string;
  question: string;
  options: ChoiceOption[];
  default: string;
  token: string;
  facts: Facts;
  allocation: Allocation | null;
  is_sealed: boolean;
  has_odds: boolean;
  given: string;
  others: Choice[];
}

/** A side decided; `automatic` if the ruleset's default did. */
export interface ChoiceMade {
  type: "choice_made";
  side: string;
  question: string;
  answer: string;
  automatic: boolean;
}

/** One answer that a choice offers. `tokens` and `at` are what it is about, so that a map can show it. */
export interface ChoiceOption {
  key: string;
  label: string;
  tokens: string[];
  at: [number, number] | null;
}

/** A condition is set with a note, or cleared (`note` null); `was` is the note before. */
export interface ConditionSet {
  type: "condition_set";
  holder: string;
  condition: string;
  note: string | null;
  was: string | null;
}

/** The links of a new table: its ID, the GM's key, and the spectators' key. */
export interface CreatedTable {
  table: string;
  gm_key: string;
  spectator_key: string;
}

/**
 * The decision map of a token at one entry of a table (`seq`).
 *
 * `is_next_turn` means that it is not the token's turn: the map is that of its next one, as if it began now.
 * `here` is the place where it stands, `advice` the best places in order. `places` has the facings of the
 * one cell that was asked for, the best first. `is_whole` is false if it has only some of the cells, those
 * that were asked for or that there was time for. `notes` say what the numbers leave out.
 */
export interface DecisionMap {
  token: string;
  seq: number;
  is_next_turn: boolean;
  is_whole: boolean;
  notes: string[];
  cells: MapCell[];
  here: PlaceOutlook | null;
  advice: PlaceOutlook[];
  places: PlaceOutlook[];
}

/**
 * Dice were rolled: every face in order. `typed` marks the faces of physical dice.
 *
 * `die_faces` holds every face of the die; it is empty if the name says it all, like d6 with 1 to 6.
 */
export interface DiceRolled {
  type: "dice_rolled";
  label: string;
  die: string;
  faces: (number | string)[];
  typed: boolean;
  die_faces: (number | string)[];
}

/** A unit that a branch and the present have otherwise: null on the side that lacks it. */
export interface Difference {
  token: string;
  name: string;
  now: Token | null;
  then: Token | null;
}

/** A door was opened, closed or locked. */
export interface DoorSet {
  type: "door_set";
  wall: string;
  state: "closed" | "locked" | "open";
  was: "closed" | "locked" | "open";
}

/**
 * A line drawn freely on the map, or a text at a place: no rule knows it.
 *
 * `points` are x, y, x, y, ... in 64ths of a cell; a text stands at its only point. `by` is the seat that
 * drew it. It goes when the round after `round` begins; 0 stays. Only the GM sees one that is `hidden`.
 */
export interface Drawing {
  id: string;
  points: number[];
  text: string;
  color: "black" | "blue" | "green" | "red" | "white" | "yellow";
  by: string;
  round: number;
  hidden: boolean;
}

/** Drawings came onto the map and left it. */
export interface DrawingsSet {
  type: "drawings_set";
  drawn: Drawing[];
  erased: Drawing[];
}

/** The tokens in a drawn area at one entry of a table (`seq`), with their cover from its origin. */
export interface DrawnArea {
  seq: number;
  caught: Caught[];
}

/** Two tokens that are engaged with each other, by ID, and the effect. */
export interface Engagement {
  tokens: [string, string];
  label: string;
}

/**
 * New entries in a seat's view, with the open choice, the bodies, the bars and the turn.
 *
 * `regions` is null if they did not change, `hash` is null if it is not due.
 */
export interface Entries {
  entries: LogEntry[];
  choice: Choice | null;
  regions: Area[] | null;
  bodies: Record<string, [number, number, number][]>;
  bars: Record<string, Bar>;
  turn: TurnState;
  webhook: WebhookState | null;
  history: History | null;
  hash: string | null;
}

/** A ruleset's account of an event for the log: its kind and its facts. */
export interface Explained {
  type: "explained";
  kind: string;
  facts: Record<string, unknown>;
}

/** The facts that the log shows beside an entry's sentences. Each part is optional. */
export interface Facts {
  act?: string;
  advantages?: string[];
  /** The rules allow the move. */
  allowed?: boolean;
  /** The IDs of those who shoot the arrows of a volley. */
  archers?: string[];
  band?: string;
  /** Each attack of an act with several, as a volley or the clashes of a secret round. */
  blows?: AttackPart[];
  bonus?: number;
  budget?: number;
  by_critical?: boolean;
  caught?: string[];
  change?: number;
  /** Null without a path. */
  cost?: number | null;
  counts?: Record<string, number>;
  criticals?: number;
  damage?: number;
  damage_modifiers?: Modifier[];
  dead?: string[];
  dealt?: number;
  defenders?: string[];
  defense?: number;
  defenses?: Modifier[];
  /** The arithmetic behind the sentences, which pages fold away. */
  detail?: string;
  /** A number of dice, or a die such as "d4". */
  dice?: unknown;
  difference?: number;
  disadvantage?: string;
  disadvantages?: string[];
  distance?: number;
  easy?: boolean;
  effect?: string;
  ethereal?: boolean;
  evades?: boolean;
  event?: string;
  facing?: number | null;
  /** The height or the length of a fall, a rise or a jump. */
  feet?: number;
  fleeing?: string[];
  flight?: boolean;
  gained?: number;
  hands?: number;
  hexes?: number;
  /** Before and after. */
  hit_points?: [number, number];
  hits?: number;
  incapacitated?: boolean;
  inches?: number;
  intent?: string;
  is_hit?: boolean;
  is_kept?: boolean;
  is_success?: boolean;
  is_up?: boolean;
  /** A number, or a list: what an attack leaves, at the end of a battle the units that are left. */
  left?: unknown;
  /** The distance that a push or a sweep moved a model, in 64ths of an inch. */
  length?: number;
  loss?: number;
  mark?: string;
  minion?: boolean;
  modifier?: number;
  modifiers?: Modifier[];
  moved?: boolean;
  natural?: number;
  /** The face that the die needed. */
  needed?: number;
  negated?: string[];
  next?: string;
  on_criticals?: number;
  order?: InitiativeFacts[];
  outcomes?: ReportedOutcome[];
  /** The GM's reason for overruling the rules. */
  override?: string;
  owed?: string[];
  part?: string;
  parts?: ReportedPart[];
  passes?: boolean;
  plans?: PlanFacts[];
  points?: number;
  pool?: Record<string, number>;
  pools?: Record<string, unknown>[];
  reason?: string;
  /** The reasons against the move. */
  reasons?: string[];
  reported?: string;
  result?: string;
  returned?: number;
  rolls?: Roll[];
  round?: number;
  rule?: string;
  ruling?: RulingFacts;
  score?: number;
  shifted?: string[];
  side?: string;
  skill?: number;
  skill_used?: number;
  slowest?: string;
  /** A later entry of the same source counts instead of this one. */
  source?: string;
  state?: string;
  /** The act step by step. */
  steps?: ActStep[];
  /** In order: how (`walk`, `vault`, `leap`, `climb`, `descend`), and the cost in feet. */
  sub_actions?: [string, number][];
  successes?: number;
  target?: string;
  targets?: string[];
  test?: string;
  text?: string;
  throw?: number;
  /** A cell, or a word for the effect that a unit is immune to. */
  to?: unknown;
  token?: string;
  /** The die with all modifiers. */
  total?: number;
  toughness?: number;
  type?: string;
  unit?: string;
  value?: number;
  /** The cell that a unit meant to reach. */
  wanted?: [number, number] | null;
  weapon?: string;
  weapon_damage?: string;
  winner?: string;
  wins?: boolean;
  wounds?: number;
}

/**
 * The result of some attackers in order on a target at one entry of a table (`seq`).
 *
 * `chance` is the chance that it is down in the end, `left` its hit points if it is not, `used` the mean
 * number of attackers that it takes. `best` is the order with the highest chance, and among equals the one
 * that takes the fewest attackers.
 */
export interface FocusFire {
  target: string;
  seq: number;
  steps: FocusStep[];
  chance: [number, number];
  left: Remainder[];
  used: [number, number];
  exact: boolean;
  best: string[];
  best_chance: [number, number];
  best_used: [number, number];
}

/**
 * An attacker's part: its attack on the unhurt target, and the chance that the target is down after it.
 *
 * `act` is null if it cannot attack the target as that stands now.
 */
export interface FocusStep {
  token: string;
  act: Act | null;
  label: string;
  chance: [number, number];
}

/**
 * The cells that players and spectators do not see, in runs: (row, first column, last column).
 *
 * With `by_sight` the units of players lift it where they see. The map's picture is shown to them only if
 * `has_picture`, because it is one file with what lies under the fog.
 */
export interface Fog {
  cells: [number, number, number][];
  by_sight: boolean;
  has_picture: boolean;
}

/** The fog covers other cells, or is lifted by other things. */
export interface FogSet {
  type: "fog_set";
  fog: Fog;
  was: Fog;
}

/**
 * The outcome of a battle from one entry of a table (`seq`) on, as far as it is counted.
 *
 * `state` is "waiting", "running", "done", "cancelled" or "failed". `margin` bounds the error of each
 * chance: 95 of 100 counts stay below it. `rounds` has the share of each number of further rounds.
 */
export interface Forecast {
  forecast: string;
  seq: number;
  state: string;
  total: number;
  played: number;
  undecided: [number, number];
  margin: number;
  sides: SideForecast[];
  rounds: [number, number][];
  tokens: TokenForecast[];
}

/** The board's kind and size in cells; one cell is `distance` `units` on the map. */
export interface Grid {
  kind: "gridless" | "hex_even_q" | "hex_even_r" | "hex_odd_q" | "hex_odd_r" | "square";
  columns: number;
  rows: number;
  distance: number;
  units: string;
}

/** The first update of a connection: its seat. */
export interface Hello {
  seat: string;
  role: "gm" | "player" | "spectator";
  name: string;
}

/** The commitment to hidden rolls: the name, head and length of their chain. */
export interface HiddenHead {
  epoch: string;
  head: string;
  links: number;
}

/** The entries that undo and redo would take next, and the first one that can be undone; null for none. */
export interface History {
  undo: number | null;
  redo: number | null;
  first: number | null;
}

/**
 * One option of a ruleset: its settings, the default first, and a sentence for the GM.
 *
 * Without a `sentence` it is the text of `house_rules.KEY` in the server's catalog. With `led_by` another
 * option sets the default: its key, its setting, and what is the default then.
 */
export interface HouseRule {
  key: string;
  default: boolean | number | string;
  options: (boolean | number | string)[];
  sentence: string;
  rule: string;
  led_by: [string, boolean | number | string, boolean | number | string] | null;
}

/** A command used a link of the open chain for an event that this seat may not know. */
export interface IndexHidden {
  type: "hidden";
  epoch: string;
  index: number;
}

/** The dice belong to the hidden chain; the reveal tells which link. */
export interface IndexSealed {
  type: "sealed";
  epoch: string;
}

/** The GM revealed a hidden roll. */
export interface IndexShown {
  type: "shown";
  epoch: string;
  index: number;
  link: string;
  command: string;
  random: string;
  rules: RulesVersion;
  void: string;
  players: string;
  is_hidden: boolean;
}

/** A command used this link for its dice; the note publishes it. */
export interface IndexUsed {
  type: "used";
  epoch: string;
  index: number;
  link: string;
  command: string;
  random: string;
  rules: RulesVersion;
  void: string;
  players: string;
  is_hidden: boolean;
}

/** A creature's place in the order of a round: its initiative, and by how much it lowered it. */
export interface InitiativeFacts {
  initiative: number;
  lowered: number;
  token: string;
}

/** An invitation that is valid until `expires_ms`. */
export interface Invitation {
  id: string;
  role: "gm" | "player" | "spectator";
  expires_ms: number;
}

/** A new seat and its key, which is sent only once. A player's key is useless until the GM approves. */
export interface Joined {
  seat: string;
  role: "gm" | "player" | "spectator";
  seated: boolean;
  key: string;
}

/** An entry as one seat receives it: `seq` and `undoes` are numbers of that seat's view. */
export interface LogEntry {
  seq: number;
  id: string;
  seat: string;
  kind: string;
  at_ms: number;
  events: (SceneSet | MapSet | RulesSet | SidesSet | UnitsSet | TokenPlaced | TokenRemoved | TokenMoved | DoorSet | TrackSet | ConditionSet | DrawingsSet | FogSet | DiceRolled | ChoiceMade | Explained)[];
  text: string;
  facts: Facts;
  undoes: number | null;
  secret: boolean;
  readers: string[];
  dice: ChainOpened | IndexUsed | IndexShown | IndexHidden | IndexSealed | PartsCommitted | PartsGiven | null;
  sealed: SealedAnswers[];
}

/** A log entry: its number in the seat's view, and its text. */
export interface LogFacts {
  seq: number;
  text: string;
}

/**
 * A place of a map: cell, best facing, cost, and damage in thousandths of a point.
 *
 * `attackers` is the number of enemies that can attack the token there. `may_come` marks a cell that enemies
 * can also attack after a move of their own.
 */
export interface MapCell {
  at: [number, number];
  facing: number | null;
  cost: number;
  dealt: number;
  taken: number;
  provoked: number;
  attackers: number;
  may_come: boolean;
}

/** The walls and terrain changed. */
export interface MapSet {
  type: "map_set";
  walls: Wall[];
  terrain: Terrain[];
  was_walls: Wall[];
  was_terrain: Terrain[];
}

/**
 * A number of a matchup: a chance (the number is 0 or 1), or an amount such as damage.
 *
 * `is_own` tells what happens to the token itself from what happens to its opponent.
 */
export interface MatchupColumn {
  label: string;
  is_own: boolean;
  is_amount: boolean;
}

/** The rows against one opponent. */
export interface MatchupOpponent {
  token: string;
  name: string;
  rows: MatchupRow[];
}

/** The numbers against one likely answer: for each column a chance, or the mean of an amount. */
export interface MatchupRow {
  label: string;
  values: [number, number][];
  exact: boolean;
}

/** The numbers of a token's answers against each opponent. Chances and means are exact fractions. */
export interface Matchups {
  token: string;
  columns: MatchupColumn[];
  opponents: MatchupOpponent[];
}

/** A member of the table with a key, in the GM's list. */
export interface Member {
  seat: string;
  role: "gm" | "player" | "spectator";
  name: string;
  /** false while a player waits for the GM. */
  seated: boolean;
  online: boolean;
}

/** One term of a number, with its reason; `rule` is the rule's ID. */
export interface Modifier {
  reason: string;
  value: number;
  rule: string;
  counts: boolean;
}

/** A new invitation with its secret, which appears only here. */
export interface NewInvitation {
  id: string;
  role: "gm" | "player" | "spectator";
  expires_ms: number;
  secret: string;
}

/** One outcome of an act, and its probability. */
export interface OutcomeChance {
  outcome: string;
  chance: [number, number];
}

/** The overlay of one token at one entry of a table (`seq`). */
export interface Overlay {
  token: string;
  seq: number;
  card: CardLine[];
  reach: Reach | null;
  areas: Area[];
  engagements: Engagement[];
  targets: Target[];
  /** The parts of its turn that the token may still spend. */
  budgets: Budget[];
  /** The token's conditions for people; null if they are to be shown as they are. */
  states: State[] | null;
}

/** A unit of the table's own catalog, ready to be placed: its key, name, profile and picture. */
export interface OwnUnit {
  key: string;
  name: string;
  profile: Record<string, unknown>;
  image: string;
}

/**
 * A player's contribution to the dice: the seat's commitment, then its bytes.
 *
 * Both are hexadecimal; `value` is empty until the player gives it.
 */
export interface Part {
  seat: string;
  commitment: string;
  value: string;
}

/** The commitments of players; none had seen the bytes of another. */
export interface PartsCommitted {
  type: "committed";
  epoch: string;
  parts: Part[];
}

/**
 * The bytes of players; a player who did not give them has none.
 *
 * From here on `players`, the hash of all of them, goes into the dice.
 */
export interface PartsGiven {
  type: "given";
  epoch: string;
  parts: Part[];
  players: string;
}

/**
 * The cost of a path at one entry of a table (`seq`): of each leg, and the ruling on the whole.
 *
 * `costs` has the cost of the way to each waypoint from the one before it, null where no path leads. They
 * add up to the ruling's cost: a leg costs what the way to its end costs more than the way to its start, so
 * that a rule that counts the whole move, such as every second diagonal, is in the leg where it costs.
 */
export interface PathCost {
  token: string;
  seq: number;
  costs: (number | null)[];
  ruling: Ruling;
}

/** A step of a path: the cell where it ends, how the token moves, the cost, and what it provokes. */
export interface PathStep {
  at: [number, number];
  how: string;
  cost: number;
  provokes: Provocation[];
}

/** A place that a seat points at, in 64ths of a cell, with the player's name ("" for the GM). */
export interface Pinged {
  at: [number, number];
  name: string;
}

/** Everything about one place, and why to go there or not, in sentences. */
export interface PlaceOutlook {
  cell: MapCell;
  own: AttackOutlook | null;
  suffered: AttackOutlook[];
  provokes: Provocation[];
  watchers: Watcher[];
  text: string;
}

/** A plan that Double Life reveals: a unit's stance, place, targets, weapon, and whom it guards. */
export interface PlanFacts {
  facing: number | null;
  guarded: string;
  place: [number, number] | null;
  /** The side of its body (such as "left") that a defender guards; empty otherwise. */
  side: string;
  stance: string;
  targets: string[];
  text: string;
  token: string;
  weapon: string;
}

/** All members with a key, all waiting players, and all valid invitations. */
export interface Players {
  members: Member[];
  invitations: Invitation[];
}

/** The reason for a refusal: a code for programs, a sentence for people. */
export interface Problem {
  /** Why the rules refuse, for programs. */
  cause?: "arc" | "ban" | "closed" | "cost" | "distance" | "duty" | "edge" | "ground" | "height" | "marker" | "missing" | "occupied" | "request" | "sight" | "target" | "turn" | "wall";
  code: string;
  /** For a stale command, the last entry of this view. */
  current?: number;
  /** All wrong fields, by path. */
  fields?: Record<string, string[]>;
  /**
   * For a stale command, the entries since `base`; null if they are too many: then ask for a snapshot
   * (`sync`).
   */
  missing?: Entries | null;
  /**
   * The name of the process that serves the table. The client opens its next connection with it in the
   * address (`/socket.io/?table=ID&process=NAME`).
   */
  process?: string;
  /** The time after which the client may send the same again. */
  retry_after_ms?: number;
  retryable: boolean;
  /** The ID of the rule that refuses. */
  rule?: string;
  sentence: string;
}

/**
 * A token that a move provokes, by ID, and the attack that it may make.
 *
 * `chance` is the chance of harm and `damage` the expected damage, both as (numerator, denominator), from
 * the situation before the move; they are null if the game does not work them out.
 */
export interface Provocation {
  token: string;
  act: string;
  chance: [number, number] | null;
  damage: [number, number] | null;
}

/**
 * The cells that a token can move to: its budget, and (column, row, cost) of each cell.
 *
 * `provokes` has (column, row, indices in `provocations`) of each cell whose cheapest path provokes any.
 * `safe` has (column, row, cost) of the cheapest path that provokes none, for those of these cells that have
 * one within the budget. On a gridless board the cells are some of the places in reach, in 64ths of an inch,
 * and `bands` have the outline of all; several if dice are still to be rolled, the smallest first.
 */
export interface Reach {
  budget: number;
  cells: [number, number, number][];
  provocations: Provocation[];
  provokes: [number, number, number[]][];
  safe: [number, number, number][];
  bands: Area[];
}

/** The hit points that the target may have left, and the chance of that; null without hit points. */
export interface Remainder {
  hit_points: number | null;
  chance: [number, number];
}

/** A new key, which is sent only once. The one before it opens nothing any more. */
export interface ReplacedKey {
  role: "gm" | "player" | "spectator";
  key: string;
}

/**
 * A part of a battle in a seat's view: the scene after the entry `start`, and the entries after it.
 *
 * Numbers are those of the seat's view; `last` is the number of the table's last entry. `bodies` has, for
 * the scene and for the scene after each entry, the cells of tokens whose body differs from their size; null
 * repeats the ones before. `rounds` has the round of the game at the same moments. `regions` are parts of
 * the board beyond cells.
 */
export interface ReplayPage {
  start: number;
  last: number;
  scene: Scene;
  entries: LogEntry[];
  bodies: (Record<string, [number, number, number][]> | null)[];
  rounds: number[];
  regions: Area[];
}

/** One target of an act of the tabletop's system, and the result; what a seat may not know is empty. */
export interface ReportedOutcome {
  amount: number | null;
  defense: number | null;
  name: string;
  result: string;
  token: string;
}

/** A part of a roll of damage or healing that the tabletop's system made. */
export interface ReportedPart {
  amount: number;
  type: string;
}

/** A roll: the die, all faces in order, and whether a person typed them. */
export interface Roll {
  die: string;
  /** All faces of the die, if its name does not imply them (a d6 has 1 to 6). */
  die_faces?: (number | string)[];
  faces: (number | string)[];
  label: string;
  typed: boolean;
}

/**
 * The verdicts of a battle that change under other house rules.
 *
 * Of all `entries`, `acts` were resolved again, and `same` of them came to the same verdict.
 */
export interface RulesDiff {
  house_rules: Record<string, boolean | number | string>;
  entries: number;
  acts: number;
  same: number;
  verdicts: ChangedVerdict[];
}

/**
 * A run under other house rules: `done` of `of` entries, the result or null, and why it failed or "".
 *
 * It is waiting until it is the table's turn.
 */
export interface RulesDiffJob {
  job: string;
  is_waiting: boolean;
  done: number;
  of: number;
  result: RulesDiff | null;
  failed: string;
}

/** The table's house rules, or how strictly it enforces, changed. */
export interface RulesSet {
  type: "rules_set";
  house_rules: Record<string, boolean | number | string>;
  enforcement: "advise" | "enforce" | "warn";
  was_house_rules: Record<string, boolean | number | string>;
  was_enforcement: "advise" | "enforce" | "warn";
}

/** The rules that apply to a roll: the ruleset's key and the house rules. */
export interface RulesVersion {
  ruleset: string;
  house_rules: Record<string, boolean | number | string>;
}

/** A ruleset for a front end: its catalog, options, and the form of a profile. */
export interface Ruleset {
  acts: ActInfo[];
  catalog: Unit[];
  conditions: Record<string, string>;
  /** The named faces of its dice; none if they show numbers. */
  faces: string[];
  /** The kinds of grid that it is played on. */
  grids: ("gridless" | "hex_even_q" | "hex_even_r" | "hex_odd_q" | "hex_odd_r" | "square")[];
  house_rules: HouseRule[];
  key: string;
  /** The overlay layers that it supports. */
  layers: string[];
  profile_schema: Record<string, unknown>;
  title: string;
  tracks: Record<string, string>;
}

/**
 * The judgment of a move: allowed or not, its cost (null: no path) out of the budget, and the reasons.
 *
 * `path` has the cells from the start to the end. `steps` has them with what each step provokes, in a game
 * whose moves are chains of steps. `causes` has the causes of the reasons that refuse the move.
 */
export interface Ruling {
  allowed: boolean;
  cost: number | null;
  budget: number;
  reasons: string[];
  path: [number, number][];
  steps: PathStep[];
  causes: ("arc" | "ban" | "closed" | "cost" | "distance" | "duty" | "edge" | "ground" | "height" | "marker" | "missing" | "occupied" | "request" | "sight" | "target" | "turn" | "wall")[];
}

/** The ruling on a move, as the log keeps it. */
export interface RulingFacts {
  allowed: boolean;
  budget: number;
  /** Null without a path. */
  cost: number | null;
  /** The cells from the start to the end. */
  path?: [number, number][];
  reasons: string[];
  steps?: PathStep[];
}

/**
 * Everything that a ruleset may look at, and that events change.
 *
 * `units` is the table's own catalog, which only the GM sees.
 */
export interface Scene {
  tracks: Record<string, number>;
  conditions: Record<string, string>;
  ruleset: string;
  grid: Grid;
  version: 1;
  name: string;
  background: string;
  enforcement: "advise" | "enforce" | "warn";
  house_rules: Record<string, boolean | number | string>;
  walls: Wall[];
  terrain: Terrain[];
  sides: Side[];
  tokens: Token[];
  units: OwnUnit[];
  drawings: Drawing[];
  fog: Fog;
}

/** The GM put a whole scene on the table, for example by an import. */
export interface SceneSet {
  type: "scene_set";
  scene: Scene;
  was: Scene | null;
}

/**
 * One sealed answer: its choice, the token that decides, the seat that answered, and the commitment.
 *
 * `seat` is empty for a default that the GM's close took. `answer`, `label` and `salt` are empty until the
 * reveal. `label` is the answer in the words of the question; the commitment covers the answer alone.
 * `readers` are the IDs of the players who may know of it besides the GM; null means all seats. Only the
 * stored log has them.
 */
export interface SealedAnswer {
  choice: string;
  token: string;
  seat: string;
  commitment: string;
  answer: string;
  salt: string;
  label: string;
  readers: string[] | null;
}

/** The answers to one question at the same time; `is_open` after the reveal. */
export interface SealedAnswers {
  question: string;
  answers: SealedAnswer[];
  is_open: boolean;
}

/** The seat of a key. */
export interface SeatInfo {
  seat: string;
  role: "gm" | "player" | "spectator";
  name: string;
  /** false while a player waits for the GM. */
  seated: boolean;
}

/** A side of the battle. Sides of one `team` are allies; a side without a team is its own. */
export interface Side {
  tracks: Record<string, number>;
  conditions: Record<string, string>;
  id: string;
  name: string;
  team: string;
}

/** A side and its share of the continuations that it wins. */
export interface SideForecast {
  side: string;
  name: string;
  chance: [number, number];
}

/** Sides joined, left, or changed their name or team. */
export interface SidesSet {
  type: "sides_set";
  sides: Side[];
  was: Side[];
}

/**
 * The line of sight between two tokens.
 *
 * `line` is the line in 64ths of a cell, as walls are; `at` is the point where `blocker` stops it. `why`
 * says in a sentence why the target is not seen, `cover` which cover it has, `distance` the distance in the
 * game's unit, like "3 squares". A field without content is empty or null. `is_seen` is null in a game
 * without lines of sight. `cover_level` and `cover_bonus` are the cover for programs: its kind, and what it
 * adds to the target's defense; null behind total cover, which no attack passes.
 */
export interface Sight {
  is_seen: boolean | null;
  why: string;
  cover: string;
  cover_level: "" | "half" | "lesser" | "three_quarters" | "total";
  cover_bonus: number | null;
  distance: string;
  line: [number, number, number, number] | null;
  at: [number, number] | null;
  blocker: Blocker | null;
}

/** The line from the asking token to another: a sentence, seen or not, and the distance of the rules. */
export interface SightFacts {
  token: string;
  sentence: string;
  is_seen: boolean | null;
  distance: string;
}

/**
 * The whole table in a seat's view.
 *
 * `seat` is the player's ID as in the tokens' `owners`, or "". `regions` are parts of the board beyond
 * cells, `bodies` the cells of tokens whose body differs from their size, `bars` their hit points, `turn`
 * the turn order as the seat sees it, `hash` the scene's (scene/scene_json.py). `webhook` and `history` are
 * for the GM.
 */
export interface Snapshot {
  role: "gm" | "player" | "spectator";
  seat: string;
  scene: Scene;
  log: LogEntry[];
  choice: Choice | null;
  ruleset: Ruleset;
  regions: Area[];
  bodies: Record<string, [number, number, number][]>;
  bars: Record<string, Bar>;
  turn: TurnState;
  dice: ChainHead | null;
  webhook: WebhookState | null;
  history: History | null;
  hash: string;
}

/** A condition of a token for people: its name among the game's conditions, its source, and its end. */
export interface State {
  condition: string;
  source: string;
  ends: string;
}

/** The facts of a table at one entry (`seq`) in a seat's view. */
export interface TableFacts {
  seq: number;
  ruleset: string;
  grid: string;
  columns: number;
  rows: number;
  round: number;
  turn_sides: string[];
  turn_token: string;
  is_over: boolean;
  tokens: TokenFacts[];
  sight: SightFacts[];
  log: LogFacts[];
}

/**
 * An act at a target: legal or refused, its cost, chance, modifiers and outcomes.
 *
 * `caught` has the tokens that an area of effect catches beside the target, `area` the result for each of
 * several tokens. `advantages` and `disadvantages` are the reasons for either on the roll, in a game that
 * has them. `no_odds` says in a sentence why the odds of a legal act are not known. With `up_to` they are
 * known in part: the chances are at least those given, and `up_to` is the most that `chance` may be.
 * Without it there is no chance and no outcome then. `cause` is that of a refused act. One that `is_planned`
 * is chosen with others at the start of a round: a table refuses it by itself. One that `is_elsewhere` is
 * done by the tabletop's system, and only shown. One that `is_placed` may be aimed at any cell instead of
 * its own. `command` is the kind of command that does the act.
 */
export interface Target {
  act: Act;
  label: string;
  target: string;
  legal: boolean;
  why: string;
  cost: number;
  needed: number | null;
  chance: [number, number];
  up_to: [number, number] | null;
  exact: boolean;
  modifiers: Modifier[];
  defenses: Modifier[];
  advantages: string[];
  disadvantages: string[];
  outcomes: OutcomeChance[];
  caught: string[];
  area: AreaResult | null;
  no_odds: string;
  cause: "arc" | "ban" | "closed" | "cost" | "distance" | "duty" | "edge" | "ground" | "height" | "marker" | "missing" | "occupied" | "request" | "sight" | "target" | "turn" | "wall" | "";
  is_planned: boolean;
  is_elsewhere: boolean;
  is_placed: boolean;
  command: "act" | "token.move";
}

/**
 * Cells that cost `cost` times as much to enter, are closed (`cost` 0), or block sight.
 *
 * `kind` is the ruleset's own name for the terrain, or empty. `height` is the height of its top above the
 * board, in the units of the map. Only the GM sees `hidden` terrain.
 */
export interface Terrain {
  id: string;
  name: string;
  cells: [number, number][];
  cost: number;
  blocks_sight: boolean;
  kind: string;
  hidden: boolean;
  height: number;
}

/** A ticket for one connection, valid for some seconds and for a page of the same origin. */
export interface TicketInfo {
  ticket: string;
  seconds: number;
  /**
   * The name of the process that serves the table, for the address of the connection
   * (`/socket.io/?table=ID&process=NAME`); empty for a server that is no cluster.
   */
  process: string;
}

/**
 * A miniature. `at` is null off the board; `facing` is null if it has none, for example prone.
 *
 * `profile` has the shape that the ruleset publishes. `owners` are the IDs of its players: they may play it,
 * and see it while it is hidden.
 */
export interface Token {
  tracks: Record<string, number>;
  conditions: Record<string, string>;
  id: string;
  name: string;
  side: string;
  at: [number, number] | null;
  facing: number | null;
  size: [number, number];
  elevation: number;
  hidden: boolean;
  image: string;
  profile: Record<string, unknown>;
  owners: string[];
}

/** A miniature after a step: its place, facing, tracks and conditions. */
export interface TokenChange {
  at: [number, number] | null;
  conditions: Record<string, string>;
  facing: number | null;
  token: string;
  tracks: Record<string, number>;
}

/** A token: its side, cell, facing in degrees, hit points if the game has them, and conditions. */
export interface TokenFacts {
  token: string;
  name: string;
  side: string;
  at: [number, number] | null;
  facing: number | null;
  hit_points: number | null;
  most_hit_points: number | null;
  conditions: string[];
}

/** A token and the share of the continuations in which it falls. */
export interface TokenForecast {
  token: string;
  name: string;
  side: string;
  chance: [number, number];
}

/** A token moved or turned, or left the board (`at` null) without leaving the battle. */
export interface TokenMoved {
  type: "token_moved";
  token: string;
  at: [number, number] | null;
  facing: number | null;
  was_at: [number, number] | null;
  was_facing: number | null;
}

/** A token entered the scene, or was edited; `was` is the token that had its ID before. */
export interface TokenPlaced {
  type: "token_placed";
  token: Token;
  was: Token | null;
}

/** A token left the scene for good. */
export interface TokenRemoved {
  type: "token_removed";
  was: Token;
}

/** A token that an act may hurt: its mean damage and its chance to fall. */
export interface TokenResult {
  token: string;
  damage: [number, number];
  down: [number, number];
}

/**
 * The numbers of one unit, or of one side.
 *
 * `expected_hits` and `expected_damage` are sums over the attacks with known odds, and `known`, `known_hits`
 * and `known_damage` what these came to. `at_least` is the chance of as many hits or more in these attacks,
 * `at_most` of as many or fewer. `dealt` and `taken` are the hit points that the acts of the battle took,
 * `downed` the tokens put out of the fight, `lost` its own ones that were.
 */
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

/** A track has a new value; `was` is null if it was not set, `value` null if it is removed. */
export interface TrackSet {
  type: "track_set";
  holder: string;
  track: string;
  value: number | null;
  was: number | null;
}

/** A token in the order of turns, by ID, and the number that gave it its place; null without one. */
export interface TurnPlace {
  token: string;
  number: number | null;
}

/**
 * The state of the turn order: the round (0: not started), and the sides or the one token that may act.
 *
 * `token` is empty if any token of `sides` may act. `order` has the tokens in their order, in a game in
 * which each has its own turn. `opening` is the kind of the GM's act that begins the battle, before it, in a
 * game without one that starts each round. `winners` are the sides that have won; a battle that `is_over`
 * without winners is a draw.
 */
export interface TurnState {
  round: number;
  sides: string[];
  token: string;
  order: TurnPlace[];
  opening: string;
  is_over: boolean;
  winners: string[];
}

/** A ready-made miniature of a ruleset's catalog. */
export interface Unit {
  key: string;
  name: string;
  profile: Record<string, unknown>;
}

/** The table's own catalog of units changed; only the GM learns of it. */
export interface UnitsSet {
  type: "units_set";
  units: OwnUnit[];
  was: OwnUnit[];
}

/** One token's view of a target at one entry of a table (`seq`), in a sentence and in parts. */
export interface Verdict {
  token: string;
  target: string;
  seq: number;
  sentence: string;
  sight: Sight;
  acts: Target[];
}

/**
 * A line that may block movement and sight.
 *
 * `one_way` names the side it blocks from, seen along the line from its first point to its second. An open
 * door blocks nothing. A proximity wall, such as a window, is transparent to an eye nearer than `threshold`,
 * a distance wall to one farther off; with 0 it blocks sight from everywhere.
 */
export interface Wall {
  id: string;
  line: [number, number, number, number];
  move: "none" | "normal";
  sight: "distance" | "limited" | "none" | "normal" | "proximity";
  one_way: "both" | "left" | "right";
  door: "door" | "none" | "secret";
  state: "closed" | "locked" | "open";
  threshold: number;
}

/**
 * An enemy and a place: whether it sees the token there, the cover, and whether its arc has it.
 *
 * `is_seen` is null in a game without lines of sight; `saw` is the same for where the token stands now.
 */
export interface Watcher {
  token: string;
  is_seen: boolean | null;
  saw: boolean | null;
  cover: string;
  distance: string;
  is_in_arc: boolean;
}

/**
 * The webhook as the GM may know it, never with its URL.
 *
 * `hosts` are the hosts that the server allows, `host` the current one or "". `outcome` describes the last
 * attempt, at `at_ms` (0: none).
 */
export interface WebhookState {
  hosts: string[];
  host: string;
  outcome: string;
  at_ms: number;
  is_stopped: boolean;
}

export type TableEvent = SceneSet | MapSet | RulesSet | SidesSet | UnitsSet | TokenPlaced | TokenRemoved | TokenMoved | DoorSet | TrackSet | ConditionSet | DrawingsSet | FogSet | DiceRolled | ChoiceMade | Explained;

export type Update = { v: 1; table: string; epoch: string; seq: number } & (
  | { kind: "snapshot"; body: Snapshot }
  | { kind: "entries"; body: Entries }
  | { kind: "overlay"; body: Overlay }
  | { kind: "hello"; body: Hello }
  | { kind: "players"; body: Players }
  | { kind: "ping"; body: Pinged }
  | { kind: "branch"; body: BranchNews }
);

/** Messages of the page: a field with a default may be left out. */
export namespace Sent {
  /**
   * An act of a token: its kind, weapon, target and place. The ruleset decides which parts it needs.
   *
   * `body` has what only acts of this kind say, by the schema in the snapshot's `ruleset.acts`. Without it
   * the act has that schema's defaults.
   */
  export interface Act {
    at?: [number, number] | null;
    body?: Record<string, unknown | null> | null;
    facing?: number | null;
    kind: string;
    path?: [number, number][];
    target?: string;
    token?: string;
    weapon?: string;
  }

  /**
   * Answer a choice that the table waits for; `faces` if the answer needs more real dice.
   *
   * `answer` is the key of an option, or for an allocation the number that each option gets. `also` has the
   * answers to other choices at the same time, by ID; all are stored, or none. The result of sealed answers
   * has a commitment to each (`receipts`), which the log shows when the question closes.
   */
  export interface Answer {
    also?: Record<string, string | Record<string, number>>;
    answer: string | Record<string, number>;
    choice: string;
    faces?: (number | string)[] | null;
  }

  /** Approve a waiting player, and assign these tokens. */
  export interface Approve {
    tokens?: string[];
  }

  /** Ask to join with an invitation's secret and a name. */
  export interface Ask {
    invitation: string;
    name: string;
  }

  /**
   * Ask who is in an area that a tabletop draws, and with what cover from its origin. Changes nothing.
   *
   * `outline` has x, y, x, y, ... of its corners, `origin` is where it comes from, both in 64ths of a cell.
   * The shape of the result is `area.json`.
   */
  export interface AskArea {
    origin: [number, number];
    outline: number[];
  }

  /**
   * Ask for the decision map of a token: what it could do and would suffer at each place in its reach.
   *
   * With `at` the answer has the facings of one cell in `places`. With `most` it has at most that number of
   * cells and no advice, for the first colors. The result is a `decision-map.json`. Changes nothing.
   */
  export interface AskDecision {
    at?: [number, number] | null;
    most?: number | null;
    token: string;
  }

  /**
   * Ask for the chance that attackers in order bring a target down, and for their best order.
   *
   * An attacker named twice attacks once. The shape of the result is `focus-fire.json`. Changes nothing.
   */
  export interface AskFocus {
    attackers: string[];
    target: string;
  }

  /**
   * Ask what answers to open choices would do against each likely answer of each opponent. Changes nothing.
   *
   * `answers` has the key of an answer for the IDs of choices of one token; a choice without one has the
   * answer given so far, or its default. The shape of the result is `matchups.json`.
   */
  export interface AskMatchup {
    answers: Record<string, string>;
  }

  /**
   * Ask what a move through waypoints costs, leg by leg, and whether the rules allow it. Changes nothing.
   *
   * `path` has the cells that the move leads through in order, the last of them its end. The shape of the
   * result is `path.json`.
   */
  export interface AskPath {
    path: [number, number][];
    token: string;
  }

  /**
   * Ask for the verdict of one token on another: sight, cover, distance, odds. Changes nothing.
   *
   * With `at` the token is taken to stand there. With `to` and no target it looks at what stands at that
   * place, or at an enemy like itself: whether it would see one there. The shape of the result is
   * `verdict.json`.
   */
  export interface AskVerdict {
    at?: [number, number] | null;
    target?: string;
    to?: [number, number] | null;
    token: string;
  }

  /** Assign exactly these tokens to a player. A token may have several players. */
  export interface AssignTokens {
    player: string;
    tokens: string[];
  }

  /** End the seat's forecast. The shape of the result is `forecast.json`. Changes nothing. */
  export interface CancelForecast {
    forecast: string;
  }

  /**
   * Claim to be the only bridge page of this table; over a socket only. Changes nothing.
   *
   * `page` is a new ID for each page, so that a page continues after a broken connection; null releases the
   * claim. The result's `number` is null while another page has the claim.
   */
  export interface ClaimBridge {
    page: string | null;
  }

  /**
   * Give the default answer to each choice at the same time that has none, and continue the act.
   *
   * `choice` is the ID of one of them.
   */
  export interface CloseChoices {
    choice: string;
  }

  /**
   * The envelope of every command.
   *
   * `id` is chosen by the sender and new for each command: a command that is sent again gets the first answer
   * again and is done once. `n` counts the frames of a socket from 1, repeated ones included; after a gap the
   * server does nothing. Over HTTP there is no `n`. `base` is the last entry that the sender had seen: the
   * server refuses an act that was decided on an older scene. It is null for commands that hold on any scene;
   * questions are answered on any `base`. `random` are 16 fresh random bytes of the sender in hexadecimal,
   * which go into the dice (docs/fair-dice.md).
   */
  export interface Command {
    base?: number | null;
    body: Record<string, unknown>;
    id: string;
    kind: "scene.set" | "scene.sync" | "sides.set" | "units.set" | "map.edit" | "draw" | "erase" | "fog.set" | "ping" | "rules.set" | "token.place" | "token.remove" | "token.back" | "token.move" | "tokens.assign" | "door.set" | "act" | "act.preview" | "choice.answer" | "choice.close" | "overlay.show" | "verdict.ask" | "decision.ask" | "focus.ask" | "forecast.start" | "forecast.read" | "forecast.cancel" | "area.ask" | "path.ask" | "matchup.ask" | "sync" | "bridge.claim" | "dice.reveal" | "undo" | "redo" | "note" | "report" | "webhook.set" | "webhook.test";
    n?: number | null;
    random?: string;
    v: 1;
  }

  /**
   * The `auth` of a Socket.IO connection: a `ticket`, which opens it once.
   *
   * A returning client sends its state: the `epoch` and `seq` of its last update, and the `hash` of its scene
   * if it has computed one. `page` is a random ID of a program, the same in all its connections; the program's
   * last connection is closed, as it may have ended unnoticed. `close_others` closes the seat's other ones.
   */
  export interface Connect {
    close_others?: boolean;
    epoch?: string | null;
    hash?: string | null;
    page?: string;
    seq?: number | null;
    table: string;
    ticket: string;
  }

  /** Create a table with an empty board of the ruleset's kind, or with its ready-made `battle`. */
  export interface CreateTable {
    battle?: boolean;
    name?: string;
    ruleset: string;
  }

  /** Delete a table for good; `name` repeats its name, so that no slip of the hand does it. */
  export interface DeleteTable {
    name: string;
  }

  /**
   * Do an act. `faces` are the typed faces of real dice, in the order of the rolls.
   *
   * `override` is the GM's reason for an act against the rules; the log has it. It is empty otherwise. A
   * `secret` act is the GM's: no other seat reads its result.
   */
  export interface DoAct {
    act: Act;
    faces?: (number | string)[] | null;
    override?: string;
    secret?: boolean;
  }

  /**
   * Draw on the map: lines, and texts at a place. A drawing with `rounds` goes after that number of rounds.
   *
   * A player draws for all seats; `hidden` ones are the GM's own.
   */
  export interface Draw {
    drawings: NewDrawing[];
  }

  /**
   * A line drawn freely on the map, or a text at a place, in 64ths of a cell.
   *
   * `points` are x, y, x, y, ... `by` is the seat that drew it, `round` the last one in which it is there (0:
   * it stays). Only the GM sees a `hidden` one.
   */
  export interface Drawing {
    by?: string;
    color?: "white" | "yellow" | "red" | "green" | "blue" | "black";
    hidden?: boolean;
    id: string;
    points: number[];
    round?: number;
    text?: string;
  }

  /** Change the map: put walls, doors and terrain, or remove them. A known ID is replaced. */
  export interface EditMap {
    remove?: string[];
    terrain?: Terrain[];
    walls?: Wall[];
  }

  /** Erase drawings: a player their own, the GM any; without IDs all of them. */
  export interface Erase {
    drawings?: string[];
  }

  /**
   * The cells that players and spectators do not see. `by_sight` lets their units lift it where they see.
   *
   * The map's picture is sent to them only with `has_picture`.
   */
  export interface Fog {
    by_sight?: boolean;
    cells?: [number, number, number][];
    has_picture?: boolean;
  }

  /** The kind of board, and its size in cells (in inches on a gridless board). */
  export interface Grid {
    columns: number;
    distance?: number;
    kind: "square" | "hex_odd_r" | "hex_even_r" | "hex_odd_q" | "hex_even_q" | "gridless";
    rows: number;
    units?: string;
  }

  /** Create an invitation: for one `player`, or for any number of spectators. */
  export interface Invite {
    hours?: number;
    role: "player" | "spectator";
  }

  /**
   * Report a token's new position, which the rules judge. Without `facing` the token keeps its own.
   *
   * `path` has the cells that the move leads through in order, the last of them `at`; empty for the cheapest
   * path.
   *
   * `override` is the GM's reason for a move against the rules on a table that enforces them; the log has it.
   * It is empty otherwise.
   */
  export interface MoveToken {
    at: [number, number];
    facing?: number | null;
    override?: string;
    path?: [number, number][];
    token: string;
  }

  /** A line drawn freely, x, y, x, y, ... in 64ths of a cell, or a text at one point. */
  export interface NewDrawing {
    color?: "white" | "yellow" | "red" | "green" | "blue" | "black";
    hidden?: boolean;
    points: number[];
    rounds?: number;
    text?: string;
  }

  /** Write a note into the log. Only the GM reads a `secret` one. */
  export interface Note {
    secret?: boolean;
    text: string;
  }

  /** Open a branch of the moment after the entry `at` of the sender's view; null for the present. */
  export interface OpenBranch {
    at?: number | null;
  }

  /** A unit of the table's own catalog; `profile` has the shape that the ruleset publishes. */
  export interface OwnUnit {
    image?: string;
    key: string;
    name: string;
    profile?: Record<string, unknown | null>;
  }

  /**
   * A part of a command that is larger than a message: a GM's `scene.set` or `scene.sync`, over a socket.
   *
   * `id` is the command's, `text` the next piece of its JSON text without `n`, `part` counts from 0 to
   * `parts` - 1. Each part is acknowledged, the last one with the answer to the command. Part 0 begins anew.
   * `n` counts as in a command.
   */
  export interface Part {
    id: string;
    n: number;
    part: number;
    parts: number;
    text: string;
    v: 1;
  }

  /** Point at a place, in 64ths of a cell on the plane. All seats see it for a moment; nothing is stored. */
  export interface Ping {
    at: [number, number];
  }

  /**
   * Add a token to the scene, or replace the one with the same ID.
   *
   * If the token `is_new`, it replaces none: where its ID or its name is taken, it gets the next free number
   * for both. Two game masters may place the same unit at the same time.
   */
  export interface PlaceToken {
    is_new?: boolean;
    token: Token;
  }

  /** Ask for the cost and the odds of an act. Changes nothing. */
  export interface PreviewAct {
    act: Act;
  }

  /** Ask how far the seat's forecast is. The shape of the result is `forecast.json`. Changes nothing. */
  export interface ReadForecast {
    forecast: string;
  }

  /** Redo the entry that was undone last, unless the scene has changed since. */
  export interface Redo {
  }

  /** Remove a token from the scene. */
  export interface RemoveToken {
    token: string;
  }

  /** Replace the key in the GM's link, or in the one link of all spectators. */
  export interface ReplaceKey {
    role: "gm" | "spectator";
  }

  /**
   * Report what the tabletop's own system did, for the log: an attack, damage, healing, a save.
   *
   * `source` is the tabletop's message. A later report of the same source counts instead of it, as its
   * correction; "withdrawn" takes it back. `hides` names what only the GM reads: all, who acts ("actor"), the
   * targets' names ("names"), the roll ("total"), the targets' defenses, the result, the amounts. A player
   * reports acts of their own tokens. Nothing but the log changes.
   */
  export interface Report {
    edge?: number;
    hides?: ("all" | "actor" | "names" | "total" | "defense" | "result" | "amount")[];
    is_correction?: boolean;
    item?: string;
    kind: "attack" | "damage" | "healing" | "save" | "withdrawn";
    name?: string;
    parts?: ReportedPart[];
    source: string;
    targets?: ReportedTarget[];
    token?: string;
    total?: number | null;
  }

  /** A part of a roll of damage or healing. */
  export interface ReportedPart {
    amount: number;
    type?: string;
  }

  /**
   * One target of a reported act, and the result for it; `token` is empty for one that is not at the table.
   *
   * `amount` is what it lost, less than 0 if it got hit points back.
   */
  export interface ReportedTarget {
    amount?: number | null;
    defense?: number | null;
    name?: string;
    result?: "" | "hit" | "miss" | "critical" | "fumble" | "saved" | "failed";
    token?: string;
  }

  /** Reveal an earlier hidden roll to all seats, with the proof of its dice; `seq` is its entry. */
  export interface RevealRoll {
    seq: number;
  }

  /**
   * A whole scene, as in a scene file.
   *
   * `background` may end in `#xywh=pixel:LEFT,TOP,WIDTH,HEIGHT`: the part of the picture under the board. LEFT
   * and TOP are negative for a board that begins beside its picture.
   * `units` is the table's own catalog, which only the GM sees.
   */
  export interface Scene {
    background?: string;
    conditions?: Record<string, string>;
    drawings?: Drawing[];
    enforcement?: "advise" | "warn" | "enforce";
    fog?: Fog;
    grid: Grid;
    house_rules?: Record<string, unknown>;
    name?: string;
    ruleset: string;
    sides?: Side[];
    terrain?: Terrain[];
    tokens?: Token[];
    tracks?: Record<string, number>;
    units?: OwnUnit[];
    version: 1;
    walls?: Wall[];
  }

  /** Open, close or lock a door. */
  export interface SetDoor {
    state: "closed" | "open" | "locked";
    wall: string;
  }

  /** Cover cells with fog, or lift it; `clear` lifts it everywhere first. What is null stays as it is. */
  export interface SetFog {
    by_sight?: boolean | null;
    clear?: boolean;
    cover?: [number, number, number][];
    has_picture?: boolean | null;
    lift?: [number, number, number][];
  }

  /** Set the table's house rules, and how strictly it enforces the rules. */
  export interface SetRules {
    enforcement: "advise" | "warn" | "enforce";
    house_rules: Record<string, unknown>;
  }

  /** Set the whole scene of the table. */
  export interface SetScene {
    scene: Scene;
  }

  /** Set the sides of the battle. */
  export interface SetSides {
    sides: Side[];
  }

  /** Set the table's own catalog of units, which only the GM sees. */
  export interface SetUnits {
    units: OwnUnit[];
  }

  /**
   * Post the table's log to a webhook such as Discord's from now on; an empty `url` stops it.
   *
   * The URL is a secret: no update, log or export shows it again. The server must allow its host.
   */
  export interface SetWebhook {
    url: string;
  }

  /** Show a branch to all seats of the table, or no longer. */
  export interface ShowBranch {
    is_shown: boolean;
  }

  /** Subscribe to a token's overlay; null ends the subscription. Changes nothing. */
  export interface ShowOverlay {
    layers?: ("reach" | "arc" | "ranges" | "sight" | "blind" | "defense" | "reactions" | "targets" | "threat" | "cover" | "engagement")[] | null;
    token: string | null;
  }

  /** A side of the battle. Sides of one team are allies. */
  export interface Side {
    conditions?: Record<string, string>;
    id: string;
    name: string;
    team?: string;
    tracks?: Record<string, number>;
  }

  /**
   * Start a forecast: play the battle on from this moment a number of times, in the seat's view.
   *
   * It ends the seat's last one. The shape of the result is `forecast.json`. Changes nothing.
   */
  export interface StartForecast {
    count: number;
  }

  /**
   * Ask for a snapshot, because the client's replica is wrong or may be. Changes nothing.
   *
   * `gap`: an update did not follow the one before; `hash`: the scene's hash differed; `stale`: a command was
   * refused as stale without the missing entries.
   */
  export interface Sync {
    why: "gap" | "hash" | "stale";
  }

  /**
   * Update the table from a tabletop's scene: the map, the tokens' positions, and the hidden things.
   *
   * All else that the table knows stays: tracks, conditions, profiles, owners, teams, house rules. A scene
   * that the table had before goes on as it was left. `hit_points` are those of tokens at the tabletop; they
   * count for tokens that come. Without a difference nothing changes. The result's `unfit` lists the tokens
   * that the ruleset cannot use yet, mostly because they have no profile; they are left out.
   */
  export interface SyncScene {
    hit_points?: Record<string, number>;
    scene: Scene;
  }

  /**
   * Cells that cost `cost` times as much to enter (0: closed), or that block sight.
   *
   * `kind` is the ruleset's own word for them. `hidden` terrain is the GM's secret: it counts in the rules,
   * but no other seat learns of it. `height` is the height of its top above the board, in the units of the
   * map.
   */
  export interface Terrain {
    blocks_sight?: boolean;
    cells: [number, number][];
    cost?: number;
    height?: number;
    hidden?: boolean;
    id: string;
    kind?: string;
    name: string;
  }

  /** Add a test line to the log, which is posted like all others. A stopped webhook starts again. */
  export interface TestWebhook {
  }

  /**
   * A miniature; `at` is null off the board, `facing` null without a facing.
   *
   * `profile` has the shape that its ruleset publishes (schemas/profiles/). `owners` are the IDs of its
   * players; a token that is placed again without them keeps them.
   */
  export interface Token {
    at?: [number, number] | null;
    conditions?: Record<string, string>;
    elevation?: number;
    facing?: number | null;
    hidden?: boolean;
    id: string;
    image?: string;
    name: string;
    owners?: string[];
    profile?: Record<string, unknown | null>;
    side: string;
    size?: [number, number];
    tracks?: Record<string, number>;
  }

  /** The house rules to try on the recorded battle, by key. */
  export interface TryRules {
    house_rules: Record<string, unknown>;
  }

  /** Take back a token's moves of its turn, without the acts of others, if nothing was rolled since. */
  export interface TurnBack {
    token: string;
  }

  /** Undo the last entry that has not been undone. */
  export interface Undo {
    seq?: number | null;
  }

  /**
   * A line that may block movement and sight. It is a door if `door` is not none.
   *
   * A proximity wall is transparent to an eye nearer than `threshold`, a distance wall to one farther off.
   */
  export interface Wall {
    door?: "none" | "door" | "secret";
    id: string;
    line: [number, number, number, number];
    move?: "none" | "normal";
    one_way?: "both" | "left" | "right";
    sight?: "none" | "limited" | "normal" | "proximity" | "distance";
    state?: "closed" | "open" | "locked";
    threshold?: number;
  }

  export interface Commands {
    "scene.set": SetScene;
    "scene.sync": SyncScene;
    "sides.set": SetSides;
    "units.set": SetUnits;
    "map.edit": EditMap;
    "draw": Draw;
    "erase": Erase;
    "fog.set": SetFog;
    "ping": Ping;
    "rules.set": SetRules;
    "token.place": PlaceToken;
    "token.remove": RemoveToken;
    "token.back": TurnBack;
    "token.move": MoveToken;
    "tokens.assign": AssignTokens;
    "door.set": SetDoor;
    "act": DoAct;
    "act.preview": PreviewAct;
    "choice.answer": Answer;
    "choice.close": CloseChoices;
    "overlay.show": ShowOverlay;
    "verdict.ask": AskVerdict;
    "decision.ask": AskDecision;
    "focus.ask": AskFocus;
    "forecast.start": StartForecast;
    "forecast.read": ReadForecast;
    "forecast.cancel": CancelForecast;
    "area.ask": AskArea;
    "path.ask": AskPath;
    "matchup.ask": AskMatchup;
    "sync": Sync;
    "bridge.claim": ClaimBridge;
    "dice.reveal": RevealRoll;
    "undo": Undo;
    "redo": Redo;
    "note": Note;
    "report": Report;
    "webhook.set": SetWebhook;
    "webhook.test": TestWebhook;
  }
}
