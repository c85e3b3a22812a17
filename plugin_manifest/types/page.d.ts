import type {
  Ack,
  Cell,
  Known,
  LayerKey,
  Overlay,
  Players,
  Replica,
  DesyncReason,
  Update,
  Verdict,
} from "./contract.js";

export type ConnectionState = "connecting" | "connected" | "lost" | "refused";

/** A table, the key to one of its seats, and the origin of its server ("" for a page's own). */
export interface Link {
  url: string;
  table: string;
  key: string;
}

/** What a line to a table hands over to whoever holds it. */
export interface ConnectionHandlers {
  /** What is known already; null asks for a snapshot. */
  known(): Known | null;
  onUpdate(update: Update): void;
  onState(state: ConnectionState, sentence: string): void;
}

/** A line to a table: straight to the server, or through another browser. */
export interface TableConnection {
  /** Rejected with RequestError where the table refuses. */
  send(kind: string, body: object, base?: number | null): Promise<Ack>;
  /** Starts over with a snapshot; settled when that is answered. */
  restart(why: DesyncReason): Promise<unknown>;
  close(): void;
}

/** What a GM may do against the rules, with a reason. */
export interface OverrideOffer {
  label: string;
  does(reason: string): void;
}

/** Sentences for the person at this seat. */
export interface Notices {
  info(sentence: string): void;
  /** Something was refused or went wrong, and what can be done about it. */
  error(sentence: string, offer?: OverrideOffer | null): void;
  /** Takes back what was offered against the rules: the table has gone on. */
  dismissOffers(): void;
}

/** Where the eye is: board point (x, y) lies at x * scale + left, y * scale + top on the screen. */
export interface Camera {
  left: number;
  top: number;
  scale: number;
}

/** A token where it would stand, while it is dragged, turned or on its way to the server. */
export interface Ghost {
  token: string;
  at: Cell;
  facing: number | null;
  text: string;
}

/** Everything the page shows comes from this. */
export interface PageState {
  replica: Replica | null;
  overlay: Overlay | null;
  selected: string | null;
  /** The token picked in the tabletop, whether the table knows it or not; where there is none, as on the board, null. */
  controlled: string | null;
  /** The token whose attack panel is open. */
  target: string | null;
  /** The token that is looked at: under the pointer, or by key. */
  hovered: string | null;
  /** What the selected token makes of that one. */
  verdict: Verdict | null;
  layers: Record<LayerKey, boolean>;
  ghost: Ghost | null;
  /** What the next click on a cell puts there, and the cell the keyboard points at. */
  placing: { unit: string; side: string } | null;
  cursor: Cell | null;
  camera: Camera;
  connection: ConnectionState;
  /** Who is at the table, as the game master knows them. */
  players: Players | null;
  /** Why this page was not let in. */
  refusal: string;
}
