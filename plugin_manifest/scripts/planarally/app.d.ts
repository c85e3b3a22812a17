/**
 * The part of PlanarAlly's page that the mod uses, written from its public source (Kruptein/PlanarAlly 2026.1.2, MIT; each
 * interface names its file). The page itself puts `idMap`, `g2l`, `l2g`, `systems` and `state` on its window.
 */

/** @source client/src/game/interfaces/shape.ts */
export interface Shape {
  readonly id: number;
  readonly type: string;
  readonly layerName: string | undefined;
  readonly floorId: number | undefined;
  readonly center: { x: number; y: number };
  readonly points: [number, number][];
  readonly isClosed: boolean;
  readonly angle: number;
  getSize(grid: string): { x: number; y: number };
  contains(point: { x: number; y: number }): boolean;
  getPositionRepresentation(): { angle: number; points: [number, number][] };
}

/** @source client/src/game/systems/properties/types.ts */
export interface Properties {
  name: string;
  isInvisible: boolean;
  isDefeated: boolean;
  blocksMovement: boolean;
  blocksVision: number;
}

/** @source client/src/game/systems/trackers/models.ts */
export interface Tracker {
  uuid: string;
  name: string;
  value: number;
  maxvalue: number;
  draw: boolean;
}

/** Tells who else hears of a change. @source client/src/core/models/types.ts */
export interface Sync {
  ui: boolean;
  server: boolean;
}

/** @source client/src/core/systems/index.ts and the systems' own files */
export interface Systems {
  trackers: {
    getAll(id: number): Tracker[];
    update(id: number, uuid: string, change: object, sync: Sync): void;
  };
  properties: { setIsDefeated(id: number, isDefeated: boolean, sync: Sync): void };
  door: {
    isDoor(id: number): boolean;
    toggleDoor(id: number): void;
    export(id: number): { options?: { toggleMode: "movement" | "vision" | "both" } };
  };
  access: { getOwners(id: number): Iterable<string> };
}

/** @source the `state.ts` of each system */
export interface SystemsState {
  properties: { readonly: { data: Map<number, Properties> } };
  selected: { raw: { selected: Set<number> } };
  position: { readonly: { zoom: number; panX: number; panY: number } };
  floors: { raw: { floors: { id: number; name: string }[]; floorIndex: number } };
  game: { raw: { isDm: boolean; isFakePlayer: boolean; roomName: string; roomCreator: string } };
  locationSettings: {
    raw: {
      activeLocation: number;
      gridType: { value: string };
      useGrid: { value: boolean };
      unitSize: { value: number };
      unitSizeUnit: { value: string };
    };
  };
}

/** @source client/src/game/dataBlock/db.ts */
export interface DataBlock<T> {
  data: T;
  sync(): void;
}

/** @source client/src/mods/models.ts */
export interface ModApi {
  systems: Systems;
  systemsState: SystemsState;
  ui: {
    shape: {
      registerContextMenuEntry(
        entry: (id: number) => { title: string; action: () => boolean | Promise<boolean> }[],
      ): void;
    };
  };
  getShape(id: number): Shape | undefined;
  getGlobalId(id: number): string | undefined;
  getOrLoadDataBlock<T>(
    repr: { category: "room"; name: string },
    options: { createOnServer: boolean; defaultData: () => T },
  ): Promise<DataBlock<T> | undefined>;
}

declare global {
  interface Window {
    idMap: Map<number, Shape>;
    l2g(point: { x: number; y: number }): { x: number; y: number };
  }
}
