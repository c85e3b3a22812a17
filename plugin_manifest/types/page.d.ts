import type { Cell, LayerKey, Overlay, Players, Replica } from "./contract.js";

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
  /** The token whose attack panel is open. */
  target: string | null;
  layers: Record<LayerKey, boolean>;
  ghost: Ghost | null;
  /** What the next click on a cell puts there, and the cell the keyboard points at. */
  placing: { unit: string; side: string } | null;
  cursor: Cell | null;
  camera: Camera;
  line: "connecting" | "connected" | "lost" | "refused";
  /** Who is at the table, as the game master knows them. */
  players: Players | null;
  /** Why this page was not let in. */
  refusal: string;
}
