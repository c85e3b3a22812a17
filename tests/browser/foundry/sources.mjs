// Synthetic worlds, as each generation of Foundry writes them down.

export const USERS = [
  { id: "gmgmgmgmgmgmgmgm", name: "Gail", isGM: true },
  { id: "playerplayer0001", name: "Pat", isGM: false },
  { id: "playerplayer0002", name: "Quinn", isGM: false },
];
export const [GM, PAT, QUINN] = USERS.map((user) => user.id);

const SIZE = 100;
/** A wall from corner to corner in pixels. */
export const wall = (id, c, more = {}) => ({
  _id: id,
  c,
  move: 20,
  sight: 20,
  light: 20,
  sound: 20,
  dir: 0,
  door: 0,
  ds: 0,
  threshold: { light: null, sight: null, sound: null, attenuation: false },
  flags: {},
  ...more,
});

const actor = (id, name, owner) => ({
  _id: id,
  name,
  type: "character",
  system: { attributes: { hp: { value: 12, max: 12 } } },
  statuses: [],
  ownership: { default: 0, ...(owner ? { [owner]: 3 } : {}) },
  flags: {},
});

export const ACTORS = [actor("actoractor000001", "Anna", PAT), actor("actoractor000002", "Grim", null)];

/** Synthetic: 14 by 10 squares of 100 pixels with a margin of a quarter, as Foundry writes a scene. */
export function sceneSource(generation) {
  const at = ([column, row]) => ({ x: 400 + column * SIZE, y: 300 + row * SIZE });
  return {
    _id: "scenescene000001",
    name: "The gatehouse",
    active: true,
    width: 1400,
    height: 1000,
    padding: 0.25,
    grid: {
      type: 1,
      size: SIZE,
      style: "solidLines",
      thickness: 1,
      color: "#000000",
      alpha: 0.2,
      distance: 5,
      units: "ft",
    },
    ...(generation >= 14
      ? {
          levels: [{ _id: "defaultLevel0000", name: "Ground", elevation: { bottom: 0, top: null } }],
          shiftX: 0,
          shiftY: 0,
        }
      : { background: { src: null, offsetX: 0, offsetY: 0 } }),
    walls: [
      wall("wallwallwall0001", [1000, 300, 1000, 700]),
      wall("doordoordoor0001", [1000, 700, 1000, 800], { door: 1 }),
      wall("wallwallwall0002", [1000, 800, 1000, 1300]),
    ].map((one) => (generation >= 14 ? { ...one, levels: ["defaultLevel0000"] } : one)),
    tokens: [
      tokenSource(generation, "tokentokenAnna01", "Anna", "actoractor000001", at([3, 4]), 1),
      tokenSource(generation, "tokentokenGrim01", "Grim", "actoractor000002", at([5, 4]), -1),
    ],
    regions: [],
    lights: [],
    sounds: [],
    tiles: [],
    drawings: [],
    notes: [],
    ...(generation < 14 ? { templates: [] } : {}),
    flags: {},
  };
}

const PROFILE = { armor: "light", race: "human", hands: ["sword", "shield"] };

/** A token as a generation writes it. */
export function tokenSource(generation, id, name, actorId, { x, y }, disposition, more = {}) {
  return {
    _id: id,
    name,
    actorId,
    actorLink: true,
    width: 1,
    height: 1,
    texture: { src: null },
    x,
    y,
    elevation: 0,
    rotation: 0,
    hidden: false,
    disposition,
    bar1: { attribute: "attributes.hp" },
    flags: { enfilade: { profile: PROFILE } },
    ...(generation === 12 ? { hexagonalShape: 0 } : { shape: 4 }),
    ...(generation >= 14 ? { depth: 1, level: "defaultLevel0000" } : {}),
    ...more,
  };
}
