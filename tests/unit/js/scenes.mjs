// Small scenes and entries for tests, complete as the contract requires.

export const token = (id, more = {}) => ({
  id,
  name: id,
  side: "blue",
  at: [0, 0],
  facing: 0,
  size: [1, 1],
  elevation: 0,
  hidden: false,
  image: "",
  profile: {},
  owners: [],
  tracks: {},
  conditions: {},
  ...more,
});

export const scene = (more = {}) => ({
  version: 1,
  ruleset: "coup_de_grace",
  name: "",
  background: "",
  enforcement: "advise",
  house_rules: {},
  walls: [],
  terrain: [],
  grid: { kind: "square", columns: 10, rows: 8, distance: 1, units: "squares" },
  sides: [
    { id: "blue", name: "Blue", team: "", tracks: {}, conditions: {} },
    { id: "red", name: "Red", team: "", tracks: {}, conditions: {} },
  ],
  tokens: [token("a"), token("b", { side: "red", at: [3, 4] })],
  tracks: {},
  conditions: {},
  ...more,
});

export const wall = (id, line, more = {}) => ({
  id,
  line,
  move: "normal",
  sight: "normal",
  one_way: "both",
  door: "none",
  state: "closed",
  ...more,
});

export const entry = (seq, events = [], more = {}) => ({
  seq,
  id: `c${seq}`,
  seat: "gm",
  kind: "act",
  at_ms: 0,
  text: `Entry ${seq}.`,
  facts: {},
  events,
  undoes: null,
  secret: false,
  ...more,
});

export const snapshot = (more = {}) => ({
  role: "gm",
  scene: scene(),
  log: [],
  choice: null,
  ruleset: {
    key: "coup_de_grace",
    title: "Coup-de-Grace",
    catalog: [],
    house_rules: [],
    acts: [],
    profile_schema: {},
    tracks: {},
    conditions: {},
    layers: ["reach", "arc", "ranges", "sight", "blind", "targets"],
    faces: [],
  },
  regions: [],
  bodies: {},
  hash: "",
  ...more,
});

export const target = (id, more = {}) => ({
  act: { kind: "melee", token: "a", target: id, weapon: "axe", at: null, facing: null },
  label: "axe",
  target: id,
  legal: true,
  why: "",
  cost: 0,
  needed: 4,
  chance: [1, 2],
  exact: true,
  modifiers: [],
  defenses: [],
  outcomes: [],
  ...more,
});

export const overlay = (more = {}) => ({
  token: "a",
  seq: 1,
  card: [],
  reach: null,
  areas: [],
  engagements: [],
  targets: [],
  ...more,
});

export const verdict = (more = {}, sight = {}) => ({
  token: "a",
  target: "b",
  seq: 1,
  sentence: "a sees b, 5 squares away.",
  sight: {
    is_seen: true,
    why: "",
    cover: "",
    distance: "5 squares",
    line: [32, 32, 224, 288],
    at: null,
    blocker: null,
    ...sight,
  },
  acts: [],
  ...more,
});

/** Returns a reach that provokes nothing. */
export const reach = (more = {}) => ({
  budget: 4,
  cells: [],
  provocations: [],
  provokes: [],
  safe: [],
  ...more,
});
