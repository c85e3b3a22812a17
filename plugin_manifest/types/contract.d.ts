/**
 * The wire contract as the page uses it: the types of the messages, which `make schemas` writes, short names for
 * parts of them, and what the page adds. Lengths are 64ths of a cell, facings compass degrees (0 up the board,
 * clockwise), cells [column, row].
 */
import type { CellSet } from "../scripts/core/draw/cell-set.js";
import type * as Messages from "./contract.generated.js";
import type { Grid, LogEntry, Scene, SeatInfo, Sent, Snapshot } from "./contract.generated.js";

export * from "./contract.generated.js";

declare module "./contract.generated.js" {
  interface Token {
    /** Its footprint, if `size` does not describe it. Set by the page, never on the wire. */
    body?: Body;
  }
}

export type Cell = [number, number];
export type Chance = [number, number];
export type Run = [number, number, number]; // row, first column, last column
export type GridKind = Grid["kind"];
export type Role = SeatInfo["role"];
export type Enforcement = Scene["enforcement"];
export type Setting = boolean | number | string;
export type LayerKey = NonNullable<Sent.ShowOverlay["layers"]>[number];

export interface Holder {
  tracks: Record<string, number>;
  conditions: Record<string, string>;
}

/** The cells a token fills, and the cell that its moves refer to. */
export interface Body {
  cells: Cell[];
  anchor: Cell;
}

/** The reason for a refusal; the page makes some itself. */
export type Problem = Omit<Messages.Problem, "retryable"> & Partial<Messages.Problem>;

/** The answer to a command; the shape of the result is that of its kind. */
export type Ack = Omit<Messages.Ack, "result" | "error"> & { result?: Record<string, any>; error?: Problem };

/** An entry's note on the table's dice. */
export type ChainNote = NonNullable<LogEntry["dice"]>;

/** The last entry that a reconnecting client has. */
export interface ResumePoint {
  epoch: string;
  seq: number;
  hash?: string;
}

/** The check by which a client noticed a desync. */
export type DesyncReason = Sent.Sync["why"];

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
  | {
      kind: "picture";
      at: Cell;
      size: number;
      key: string;
      source: HTMLCanvasElement;
      alpha: number;
      turn?: number;
    } // turned in degrees
  | {
      kind: "text";
      at: Cell;
      text: string;
      size: number;
      color: number;
      grows?: boolean | number;
      isName?: boolean;
    }; // grows: readable from afar; at most so many times. isName: a name of the ground, in its own letters

export interface DrawnLayer {
  key: string;
  marks: Mark[];
}
