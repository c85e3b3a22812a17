import type {
  Ack,
  Act,
  ActStep,
  Cell,
  DecisionMap,
  DesyncReason,
  LayerKey,
  LogEntry,
  Overlay,
  Players,
  Replica,
  ResumePoint,
  Update,
  Verdict,
} from "./contract.js";
import type { Pick } from "../scripts/core/game/map-picks.js";

export type ConnectionState = "connecting" | "connected" | "lost" | "refused" | "full";

/** A table, the key to one of its seats, and the origin of its server. */
export interface Link {
  url: string;
  table: string;
  key: string;
}

/** The callbacks of a connection. */
export interface ConnectionHandlers {
  /** Return the last entry that the replica has; null requests a snapshot. */
  resumePoint(): ResumePoint | null;
  onUpdate(update: Update): void;
  onState(state: ConnectionState, sentence: string): void;
}

/** A connection to a table: directly to the server, or relayed by another browser. */
export interface TableConnection {
  /** Send a command, with an ID if it may have been sent before. Rejected with RequestError if the table refuses it. */
  send(kind: string, body: object, base?: number | null, id?: string): Promise<Ack>;
  /** Request a snapshot; settled when that is answered. */
  restart(why: DesyncReason): Promise<unknown>;
  /** Close the seat's other connections, and connect; a branch and a relayed seat have none to close. */
  closeOthers?(): void;
  close(): void;
}

/** Lets the GM break a rule, with a reason. */
export interface OverrideOffer {
  /** The text of the button. */
  label: string;
  override(reason: string): void;
}

/** Shows sentences to the person at the page. */
export interface Notices {
  info(sentence: string): void;
  /** Show an error, and an offer to override it. */
  error(sentence: string, offer?: OverrideOffer | null): void;
  /** Remove the open override offers, because the table has moved on. */
  dismissOffers(): void;
}

/** The view of the board: board point (x, y) is at x * scale + left, y * scale + top in the view. */
export interface Camera {
  left: number;
  top: number;
  scale: number;
}

/** A token's new position while it is dragged, turned, or on its way to the server. */
export interface Ghost {
  token: string;
  at: Cell;
  facing: number | null;
  text: string;
  /** The waypoints before `at`. */
  path: Cell[];
  /** The cells of a planned move, from where the token stands to its end, once the table has told them. */
  way?: Cell[];
  /** The tokens that are to move the same way. */
  group?: string[];
  /** Set while it only shows a move that waits for a second click or Enter. */
  isPlan?: boolean;
}

export type Tool =
  | "ruler"
  | "ping"
  | "wall"
  | "door"
  | "secret"
  | "window"
  | "terrain"
  | "erase"
  | "edit"
  | "pen"
  | "text"
  | "cover"
  | "lift";

/** The state of a seat on the page of any tabletop: all that the table told it, and what it looks at. */
export interface TableState {
  replica: Replica | null;
  overlay: Overlay | null;
  /** True until the table has answered what the selected token can do. */
  isOverlayDue: boolean;
  selected: string | null;
  /** The token controlled in the virtual tabletop, even if the table lacks it; null on the board page. */
  controlled: string | null;
  /** The token whose attack panel is open. */
  target: string | null;
  /** The token under the pointer, or inspected by key. */
  hovered: string | null;
  /** The selected token's verdict on the hovered one. */
  verdict: Verdict | null;
  /** The decision map of the selected token while advice is on. */
  decision: DecisionMap | null;
  /** The first answer is still to come. */
  isDeciding: boolean;
  layers: Record<LayerKey, boolean>;
  ghost: Ghost | null;
  /** The step of an act that the board shows instead of the scene now; `entry` is the act's. */
  replay: { steps: ActStep[]; index: number; entry?: LogEntry } | null;
  /** The entry that the person wants to see step by step. */
  replaying: LogEntry | null;
  /** True in a branch of the battle whose host keeps its tokens with the battle. */
  isBranch: boolean;
  /** The reachable cell under the pointer. */
  pointed: Cell | null;
  /** The tokens that move together; empty for the selected one alone. */
  picked: string[];
  connection: ConnectionState;
  /** The table's members and invitations; null for all but the GM. */
  players: Players | null;
  /** The reason if the connection was refused, else "". */
  refusal: string;
}

/** The state of the board page: the view, the tool in hand, and what is being drawn or placed. */
export interface PageState {
  camera: Camera;
  /** Set while the layers follow what the person is doing. */
  hasAutoLayers: boolean;
  /** Set once a person has switched the reach on by hand: it then has the cost in each cell. */
  hasReachCosts: boolean;
  /** The tool that has the pointer; null for none: clicks then select and act. */
  tool: Tool | null;
  /** The line that the ruler measures, on the plane. */
  ruler: [Cell, Cell] | null;
  /** In words, the sight of the selected unit from the ruler's start to its end. */
  sighting: string;
  /** The wall that is being drawn, on the plane, and the terrain's cells that are being painted. */
  draft: { points: Cell[]; cells: Cell[] };
  /** The wall or terrain that the GM edits. */
  edited: string | null;
  /** The unit that the next click places. */
  placing: Placing | null;
  /** The cell that the unit is placed on by key. */
  cursor: Cell | null;
  /** The frame that picks tokens, by two corners on the plane. */
  frame: [Cell, Cell] | null;
  /** The places that can be chosen on the map, and the one of it under the pointer or the keys. */
  picking: { picks: Pick<any>[]; chosen: Pick<any> | null; aimed: Act | null } | null;
  /** The answers of the plan that is being made in secret, by their question; null for none. */
  planning: Record<string, string> | null;
  /** The places that seats point at, on the plane. */
  pings: { id: number; at: Cell; name: string }[];
  /** The past moment that the board shows instead of now: the replica then, and what acted. */
  past: {
    number: number;
    replica: Replica;
    overlay: Overlay | null;
    selected: string | null;
    step: ActStep[];
  } | null;
}

/** A unit that the GM places: its key in the catalog, its side, and whether only the GM sees it. */
export interface Placing {
  unit: string;
  side: string;
  hidden: boolean;
}

/** The state that the board draws: that of the table, and that of the page. */
export type BoardState = TableState & PageState;
