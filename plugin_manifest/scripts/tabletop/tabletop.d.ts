/**
 * A virtual tabletop as the rest of the page knows it. One implementation for each tabletop; the bridge, the writes,
 * the overlay and the panel use nothing else. Lengths are the tabletop's own pixels, facings compass degrees.
 */
import type { Cell, Grid, Mark, Wall } from "../../types/contract.js";

export interface Point {
  x: number;
  y: number;
}

/** The board's grid, and where it lies: its top left corner and the width of a cell, in pixels. */
export interface PlacedGrid extends Grid {
  left: number;
  top: number;
  size: number;
}

export interface TabletopToken {
  id: string;
  name: string;
  center: Point;
  /** In cells. */
  size: [number, number];
  facing: number;
  hidden: boolean;
  /** The side of a token that the table does not know yet. */
  side: "players" | "foes";
  /** Those that the tabletop keeps; null if it keeps none. `most` is null if it does not say. */
  hitPoints: { value: number; most: number | null } | null;
  /** The profile that the GM has saved at the tabletop's token. */
  profile: Record<string, unknown> | null;
  isOut: boolean;
}

export interface TabletopWall {
  id: string;
  line: [number, number, number, number];
  move: Wall["move"];
  sight: Wall["sight"];
  door: Wall["door"];
  state: Wall["state"];
}

/** An area whose name says what it is, such as "Hedge [cover, cost 2]": its outline as x, y, x, y, ... */
export interface TabletopTerrain {
  id: string;
  name: string;
  outline: number[];
}

export interface TabletopScene {
  id: string;
  name: string;
  grid: PlacedGrid;
  tokens: TabletopToken[];
  walls: TabletopWall[];
  terrain: TabletopTerrain[];
}

/** The events of a tabletop. Each comes when things are at rest, never for the steps of a drag. */
export interface Watcher {
  /** Something of the scene has changed, or there is another one: read it again. */
  changed(): void;
  /** The tokens that this user has selected. */
  selection(ids: string[]): void;
  /** The token under the pointer; tabletops without this event have their verdicts by `pointed`. */
  hover?(id: string | null): void;
}

/** One page of one user at a tabletop. */
export interface Tabletop {
  readonly kind: "foundry" | "owlbear" | "planarally";
  /** Tells whether this page may be the bridge: the user is a GM. */
  canBridge(): boolean;
  /** Reads the scene that this user views; null without one. Rejected with `UnfitScene` if the rules cannot use it. */
  readScene(): Promise<TabletopScene | null>;
  /** Watches the scene until the returned function is called. */
  watch(watcher: Watcher): () => void;
  /** Moves a token's center; a write that changes nothing is fine. Rejected with WriteRefused. */
  move(id: string, center: Point, facing: number | null): Promise<void>;
  setHitPoints(id: string, value: number): Promise<void>;
  setOut(id: string, isOut: boolean): Promise<void>;
  setDoor(id: string, state: Wall["state"]): Promise<void>;
  /** Keeps a unit's profile at the tabletop's token, so that it comes back with it. */
  saveProfile(id: string, profile: Record<string, unknown> | null): Promise<void>;
  /** Draws a layer for this user alone, instead of what it showed before; no marks remove it. */
  draw(layer: string, marks: Mark[], grid: PlacedGrid): void;
  /** Shows lines of text beside a place of the board, for this user alone; null removes them. */
  label(at: Cell | null, lines: string[], grid: PlacedGrid): void;
  notify(text: string, level: "info" | "error"): void;
}
