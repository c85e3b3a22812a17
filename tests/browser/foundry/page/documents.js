// The page's documents: views of sources that only the world changes.

import { Actors } from "./actors.js";
import { applied, expanded, freshId, listOf } from "./changes.js";
import { isStrict, strict } from "./strict.js";

export const SOURCE = Symbol("source");
const MOST = { OWNER: 3, OBSERVER: 2, LIMITED: 1 };
const INTERFACES = { Token: "TokenDocument", Wall: "WallDocument", Region: "RegionDocument" };
INTERFACES.ChatMessage = "ChatMessageDocument";
INTERFACES.MeasuredTemplate = "TemplateDocument";
/**
 * The values that Foundry animates of a token's document, and how fast a token walks by default: I#11398, I#11122; D13 D14
 * CONFIG.Token.movement.defaultSpeed.
 */
const ANIMATED = ["x", "y", "rotation", "elevation"];
const [SPACES_A_SECOND, TURN_SECONDS] = [6, 0.25];
/** The walk from one waypoint to the next: of one space. */
const STEP_MS = 1000 / SPACES_A_SECOND;
/** Systems whose actors take no status effects but their own conditions: issue foundryvtt/pf2e#14501. */
const NO_FREE_EFFECTS = new Set(["pf2e"]);
/** The documents of a page. `post` sends a change to the world, `call` runs hooks. */
export class Documents {
  #known = new WeakMap();
  /** The ends of this page's own changes, by their IDs. */
  #underWay = new Map();
  /** The last movement of each token, by its source. */
  #movements = new WeakMap();
  /** The walks of tokens that this page moves through waypoints, by their sources. */
  #walks = new WeakMap();
  /** The animations of tokens, by their sources: where each value began. */
  #animations = new WeakMap();

  constructor(state, { post, hooks, me, view }) {
    Object.assign(this, { state, post, hooks, me, view, canvas: null });
    this.actors = new Actors(this, { state });
  }

  /** Returns the collection of a type (in a parent). */
  collection(type, parent = null) {
    const all = () => listOf(this.state, type, parent?.id ?? null).map((one) => this.of(type, one, parent));
    return collection(all);
  }

  /** Returns the document of a source; the same object each time. */
  of(type, source, parent = null) {
    if (!this.#known.has(source)) this.#known.set(source, this.#made(type, source, parent));
    return this.#known.get(source);
  }

  #made(type, source, parent) {
    const target = Object.defineProperties(
      { [SOURCE]: source },
      { ...this.#common(type, source, parent), ...this.#own(type, source, parent) },
    );
    return strict(INTERFACES[type] ?? type, target, (_, key) => source[key]);
  }

  #common(type, source, parent) {
    const doc = () => this.of(type, source, parent);
    const change = (action, rows, options) =>
      this.change({ action, type, parent: parent?.id, rows, options });
    return getters({
      id: () => source._id,
      uuid: () => `${parent ? `${parent.uuid}.` : ""}${type}.${source._id}`,
      documentName: () => type,
      parent: () => parent,
      flags: () => (source.flags ??= {}),
      isOwner: () => this.#level(source, this.me) >= 3,
      toObject: () => () => structuredClone(source),
      // Without an answer nothing was updated: D13 foundry.abstract.Document#update.
      update: () => async (changes, options) =>
        (await change("update", [{ _id: source._id, ...changes }], options)).length ? doc() : undefined,
      delete: () => (options) => change("delete", [source._id], options),
      getFlag: () => (scope, key) => key.split(".").reduce((at, step) => at?.[step], source.flags?.[scope]),
      setFlag: () => (scope, key, value) => doc().update({ [`flags.${scope}.${key}`]: value }),
      unsetFlag: () => (scope, key) => doc().update({ [`flags.${scope}.-=${key}`]: null }),
      testUserPermission: () => (user, permission) => this.#level(source, user) >= MOST[permission],
      ...Object.fromEntries(
        ["create", "update", "delete"].map((action) => [
          `${action}EmbeddedDocuments`,
          () => (inner, rows, options) =>
            this.change({ action, type: inner, parent: source._id, rows: structuredClone(rows), options }),
        ]),
      ),
    });
  }

  #level(source, user) {
    if (user.isGM) return 3;
    const actor = source.actorId && this.state.Actor.find((one) => one._id === source.actorId);
    const { ownership = {} } = actor || source;
    return ownership[user.id] ?? ownership.default ?? 0;
  }

  #own(type, source, parent) {
    const doc = () => this.of(type, source, parent);
    return getters(
      {
        Scene: () => ({
          _source: () => source,
          grid: () => this.canvas.gridOf(source),
          dimensions: () => this.canvas.dimensionsOf(source),
          tokens: () => this.collection("Token", doc()),
          walls: () => this.collection("Wall", doc()),
          regions: () => this.collection("Region", doc()),
          view:
            () =>
            ({ level } = {}) =>
              this.view(source, level),
          levels: () => (this.state.generation >= 14 ? this.collection("Level", doc()) : undefined),
        }),
        Token: () => ({
          _source: () => source,
          ...Object.fromEntries(ANIMATED.map((key) => [key, () => this.#drawn(source, key)])),
          object: () => this.canvas.tokenOf(source._id),
          actor: () => this.actors.of(source, doc()),
          movement: () => this.#movements.get(source) ?? { pending: { waypoints: [] } },
          move: () => (to, options) => this.#move(source, doc(), [to].flat(), options),
          getBarAttribute: () => (bar) => barOf(this.actors.of(source, doc()), source[bar]?.attribute),
        }),
        Region: () => ({
          polygons: () => (this.#hasOwnPolygons() ? outlines(source) : undefined),
          object: () => strict("Region", { polygons: outlines(source) }),
          behaviors: () =>
            collection(() =>
              (source.behaviors ?? []).map((one) => strict("RegionBehavior", { id: one._id, ...one })),
            ),
        }),
        Actor: () => ({
          system: () => this.actors.systemOf(source, () => doc().items),
          items: () => collection(() => (source.items ?? []).map((one) => this.of("Item", one, doc()))),
          statuses: () => new Set(source.statuses ?? []),
          toggleStatusEffect: () => (id, options) => toggled(doc(), source, id, options),
          synthetics: () => this.actors.syntheticsOf(source),
        }),
        ChatMessage: () => ({
          whisper: () => source.whisper ?? [],
          blind: () => source.blind ?? false,
          speaker: () => source.speaker ?? {},
          author: () => window.game.users.get(source.author) ?? null,
          rolls: () => (source.rolls ?? []).map((one) => strict("Roll", rollOf(JSON.parse(one)))),
        }),
        Item: () => ({
          name: () => source.name, // its own, as a document's fields are: a walk over a path sees it
          system: () => this.actors.itemSystemOf(source),
          update: () => (changes, options) =>
            this.actors.changeItems(parent, "update", [{ _id: source._id, ...changes }], options),
        }),
        Combat: () => ({
          scene: () =>
            this.state.Scene.filter((one) => one._id === source.scene).map((one) =>
              this.of("Scene", one),
            )[0] ?? null,
          started: () => source.round > 0,
          combatants: () => this.collection("Combatant", doc()),
          turns: () => turnsOf(this.collection("Combatant", doc()).contents),
          combatant: () => turnsOf(this.collection("Combatant", doc()).contents)[source.turn] ?? null,
          startCombat: () => () => doc().update({ round: 1, turn: 0 }),
          setInitiative: () => (id, initiative) =>
            doc().updateEmbeddedDocuments("Combatant", [{ _id: id, initiative }]),
        }),
        Combatant: () => ({ isDefeated: () => source.defeated ?? false }),
      }[type]?.() ?? {},
    );
  }

  #hasOwnPolygons() {
    return this.state.generation >= 13 || !isStrict("region-polygons");
  }

  /**
   * Moves a token along waypoints, one update each, as where each is a checkpoint: at those of a caller and at the borders of
   * regions (D13 D14 TokenMovementWaypoint#checkpoint, TokenDocument#segmentizeRegionMovementPath). It walks from one to the next. 13 answers at the
   * first of them, 14 at the end (I#13572). `stopAfter` of the host ends the movement after so many of them, another move of the
   * token at once: its pending waypoints stay. A wall ends it too, unless the caller ignores walls (D14
   * TokenConstrainMovementPathOptions).
   */
  async #move(source, doc, waypoints, options = {}) {
    const isFree = (place) =>
      options.constrainOptions?.ignoreWalls ||
      !this.#isWalled(doc, waypoints[place - 1] ?? source, waypoints[place]);
    const blocked = waypoints.findIndex((_, place) => !isFree(place));
    if (blocked === 0) return false;
    const all = blocked < 0 ? waypoints : waypoints.slice(0, blocked);
    const walk = { id: freshId(), all, end: this.stopAfter ?? all.length, isWhole: blocked < 0, options };
    this.#walks.set(source, walk.id);
    if (!(await this.#step(doc, walk, 0))) return false; // a hook has rejected it, and with it the rest of the way
    const rest = this.#walkOn(source, doc, walk);
    return isStrict("late-moves") && this.state.generation < 14 ? true : rest;
  }

  /** Goes on to the other waypoints; tells whether the token has come to the last. */
  async #walkOn(source, doc, walk) {
    const { all, end, isWhole } = walk;
    for (let place = 1; place < end; place += 1) {
      if (isStrict("late-moves")) await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      if (this.#walks.get(source) !== walk.id) return false; // it was moved elsewhere on its way
      if (!(await this.#step(doc, walk, place))) return false;
    }
    if (end < all.length)
      this.post({ kind: "stop", scene: doc.parent.id, token: doc.id, hook: this.stopHook });
    return isWhole && end === all.length;
  }

  /** Moves a token to one of its waypoints. */
  #step(doc, { id, all, options }, place) {
    const { x, y, elevation } = all[place];
    const waypoints = isStrict("pending-movement") ? all.slice(place + 1) : [];
    const { action } = all[place];
    const movement = {
      id,
      pending: { waypoints },
      method: options.method ?? "api",
      ...(action ? { action } : {}),
    };
    const to = { x, y, ...(elevation === undefined ? {} : { elevation }) };
    return doc.update(to, { ...options, _movement: movement });
  }

  /** Tells whether a wall or closed door stands between two places of a token. */
  #isWalled({ parent, width, height }, from, to) {
    const { size } = parent.grid;
    const middle = ({ x, y }) => [x + (width * size) / 2, y + (height * size) / 2];
    const [a, b] = [middle(from), middle(to)];
    const side = ([px, py], [qx, qy], [x, y]) => Math.sign((qx - px) * (y - py) - (qy - py) * (x - px));
    return parent[SOURCE].walls.some(({ c: [x1, y1, x2, y2], move, door, ds }) => {
      if (!move || (door && ds === 1)) return false;
      const [c, d] = [
        [x1, y1],
        [x2, y2],
      ];
      return side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
    });
  }

  /** Tells the hooks that a movement was stopped or paused. */
  stopped({ scene, token, hook }) {
    this.hooks.callAll(hook, this.#find("Token", scene, token));
  }

  /** Requests a change from the world, unless a hook of this page prevents it. */
  async change({ action, type, parent = null, rows, options = {} }) {
    const asked = rows.filter((row) => this.#before(action, type, parent, row, options) !== false);
    if (!asked.length) return [];
    const id = freshId();
    const applied = new Promise((resolve) => this.#underWay.set(id, resolve));
    try {
      const change = { id, action, type, parent, rows: asked, options };
      const done = await this.post({ kind: "documents", change });
      await applied; // the answer is the documents as this page has them now: D13 foundry.abstract.Document#update
      return done;
    } finally {
      this.#underWay.delete(id);
    }
  }

  #before(action, type, parent, row, options) {
    if (action !== "update") return true;
    const doc = this.#find(type, parent, row._id);
    if (type === "ActorDelta")
      return options._items || this.hooks.call("preUpdateActor", doc.actor, row, options, this.me.id);
    const { isMove, movement } = this.#movement(type, doc, row, options);
    if (isMove && this.hooks.call("preMoveToken", doc, movement, { ...options }) === false) return false;
    return this.hooks.call(`preUpdate${type}`, doc, row, options, this.me.id);
  }

  #movement(type, doc, row, options = {}) {
    if (type !== "Token") return { isMove: false };
    const isMove = this.state.generation >= 13 && ("x" in row || "y" in row);
    const { x, y, elevation } = doc?.[SOURCE] ?? {};
    const here = { x, y, elevation };
    const there = { x: row.x ?? here.x, y: row.y ?? here.y, elevation: row.elevation ?? here.elevation };
    const { pending, method, action } = options._movement ?? { pending: { waypoints: [] }, method: "api" };
    const step = { ...there, explicit: true, checkpoint: true, ...(action ? { action } : {}) };
    const passed = { waypoints: [step] };
    return { isMove, movement: { origin: here, destination: there, passed, pending, method } };
  }

  /** Begins to animate the values that a change gives a token: from where it is drawn now. */
  #animate(doc, row) {
    if (!doc || !isStrict("animation")) return;
    const changed = ANIMATED.filter((key) => typeof row[key] === "number" && row[key] !== doc[SOURCE][key]);
    if (!changed.length) return;
    const from = Object.fromEntries(ANIMATED.map((key) => [key, doc[key]]));
    const way = Math.hypot((row.x ?? from.x) - from.x, (row.y ?? from.y) - from.y) / doc.parent.grid.size;
    const ms = Math.max(way / SPACES_A_SECOND, way ? 0 : TURN_SECONDS) * 1000;
    this.#animations.set(doc[SOURCE], { from, began: performance.now(), ms });
  }

  /** Returns an animated value as the canvas draws it now. */
  #drawn(source, key) {
    const { from, began, ms } = this.#animations.get(source) ?? {};
    const part = from ? (performance.now() - began) / ms : 1;
    if (part < 1) return from[key] + (source[key] - from[key]) * part;
    this.#animations.delete(source);
    return source[key];
  }

  /** Tells whether any token is drawn on its way. */
  isAnimated(doc) {
    return ANIMATED.some((key) => this.#drawn(doc[SOURCE], key) !== doc[SOURCE][key]);
  }

  #find(type, parent, id) {
    const outer = { Combatant: "Combat", Item: "Actor", ActiveEffect: "Actor" }[type] ?? "Scene";
    const holder = parent && this.#outer(outer, parent);
    const source = listOf(this.state, type, parent).find((one) => one._id === id);
    return source && this.of(type === "ActorDelta" ? "Token" : type, source, holder || null);
  }

  #outer(type, id) {
    return this.of(
      type,
      this.state[type].find((one) => one._id === id),
    );
  }

  /** Applies the world's change to the page's copy and calls its hooks. */
  take({ change, userId }) {
    this.#apply(change, userId);
    this.#underWay.get(change.id)?.();
  }

  #apply(change, userId) {
    const { action, type, parent, rows, options = {} } = change;
    const gone = action === "delete" ? rows.map((id) => this.#find(type, parent, id)) : [];
    const moved = rows.map(
      (row) => action === "update" && this.#movement(type, this.#find(type, parent, row._id), row, options),
    );
    if (type === "Token" && action === "update")
      for (const row of rows) {
        const doc = this.#find(type, parent, row._id);
        if (options.animate !== false) this.#animate(doc, row);
        // A move of its own ends what is left of a walk.
        const isStep = options._movement?.id === this.#walks.get(doc?.[SOURCE]);
        if (doc && !isStep && ("x" in row || "y" in row)) this.#walks.delete(doc[SOURCE]);
      }
    const points = action === "update" ? rows.map((row) => this.#pointsOf(type, parent, row)) : [];
    applied(this.state, structuredClone(change));
    const isOfActor = type === "Item" || type === "ActiveEffect" || options._items;
    if (!isOfActor && type !== "ChatMessage") this.actors.version += 1;
    this.canvas?.changed(type, parent, change);
    const hook = `${action}${type}`;
    rows.forEach((row, index) => {
      const doc = gone[index] ?? this.#find(type, parent, row._id);
      if (type === "ActorDelta") return this.#deltaHooks(doc, expanded(row), options, userId);
      if (action !== "update") return this.hooks.callAll(hook, doc, options, userId);
      if (moved[index].isMove)
        this.#movements.set(doc[SOURCE], options._movement ?? { pending: { waypoints: [] } });
      const changes = expanded(row);
      this.hooks.callAll(hook, doc, changes, options, userId);
      if (changes.delta && !isStrict("actor-models"))
        this.hooks.callAll("updateActor", doc.actor, changes.delta, options, userId);
      if (moved[index].isMove)
        this.hooks.callAll("moveToken", doc, moved[index].movement, options, { id: userId });
    });
    points.forEach((before) => before && this.#tellPoints(before, userId));
    // What an item or an effect does to its actor is prepared last: no reference says that a hook sees it.
    if (isOfActor) this.actors.version += 1;
  }

  /** Returns the actor whose hit points a row may change, and how many it has before, in dnd5e. */
  #pointsOf(type, parent, row) {
    if (this.state.system !== "dnd5e" || !(type === "Actor" || type === "ActorDelta")) return null;
    const doc = this.#find(type, parent, row._id);
    // An unlinked token's actor is made anew after each change, so the token is kept, and not its actor.
    const actorNow = () => (type === "Actor" ? doc : doc.actor);
    return doc && { actorNow, was: actorNow().system.attributes?.hp?.value };
  }

  /** dnd5e tells each page of hit points that change: C foundryvtt/dnd5e:module/data/actor/templates/attributes.mjs onUpdateHP. */
  #tellPoints({ actorNow, was }, userId) {
    const actor = actorNow();
    const hp = actor.system.attributes?.hp?.value - was;
    if (hp)
      this.hooks.callAll(
        hp < 0 ? "dnd5e.damageActor" : "dnd5e.healActor",
        actor,
        { hp, temp: 0, total: hp },
        {},
        userId,
      );
  }

  /** Calls the hooks of an actor that an unlinked token has, or of its items: I#8973. */
  #deltaHooks(token, { _id: _, ...changes }, options, userId) {
    const { actor } = token;
    if (!options._items) return this.hooks.callAll("updateActor", actor, changes, options, userId);
    const { action, rows } = options._items;
    for (const row of rows) {
      const item = actor.items.get(row._id ?? row) ?? strict("Item", { id: row._id ?? row, parent: actor });
      if (action === "update") this.hooks.callAll("updateItem", item, expanded(row), options, userId);
      else this.hooks.callAll(`${action}Item`, item, options, userId);
    }
    return true;
  }
}

/** Returns a collection of the function's result. */
export function collection(all, more = {}, name = Object.keys(more).length ? "Users" : "Collection") {
  const find = (test) => all().find(test);
  const target = {
    get: (id) => find((one) => one.id === id),
    has: (id) => all().some((one) => one.id === id),
    find,
    filter: (test) => all().filter(test),
    map: (change) => all().map(change),
    [Symbol.iterator]: () => all()[Symbol.iterator](),
  };
  Object.defineProperties(target, {
    ...getters({ size: () => all().length, contents: all }),
    ...getters(more),
  });
  return strict(name, target);
}

export function getters(makers) {
  return Object.fromEntries(
    Object.entries(makers).map(([key, get]) => [key, { get, enumerable: true, configurable: true }]),
  );
}

/** A roll as its JSON keeps it, with what its class works out: C foundryvtt/dnd5e:module/dice/d20-roll.mjs. */
const rollOf = (data) => ({
  ...data,
  toJSON: () => data,
  isCritical: data.d20 === undefined ? undefined : data.d20 === 20,
  isFumble: data.d20 === undefined ? undefined : data.d20 === 1,
});

async function toggled(actor, source, id, { active } = {}) {
  const now = new Set(source.statuses ?? []);
  const known = Object.values(window.CONFIG.statusEffects).some((status) => status.id === id);
  if (isStrict("status") && !known)
    throw new Error(`Invalid status ID "${id}" provided to Actor#toggleStatusEffect`);
  // A system without free effects takes none of a module: issue foundryvtt/pf2e#14501.
  if (isStrict("no-effects") && NO_FREE_EFFECTS.has(window.game.system.id)) return undefined;
  const wanted = active ?? !now.has(id);
  if (wanted === now.has(id)) return undefined;
  if (wanted) now.add(id);
  else now.delete(id);
  return actor.update({ statuses: [...now] });
}

function turnsOf(combatants) {
  return combatants.toSorted((a, b) => (b.initiative ?? -Infinity) - (a.initiative ?? -Infinity) || 0);
}

function barOf(actor, attribute) {
  const value = attribute?.split(".").reduce((at, step) => at?.[step], actor?.system);
  return value === undefined ? null : { attribute, value: value.value ?? value, max: value.max };
}

const outlines = ({ shapes }) => shapes.map((shape) => ({ points: outline(shape) }));

/** Returns the outline of a shape; round ones with 16 corners. */
function outline(shape) {
  const { type, x, y, width, height, points } = shape;
  if (type === "polygon") return points;
  if (type === "rectangle") return [x, y, x + width, y, x + width, y + height, x, y + height];
  const [across, down] =
    { circle: [shape.radius, shape.radius], ellipse: [shape.radiusX, shape.radiusY] }[type] ?? [];
  if (!across) throw new Error(`The stand-in host draws no region of type ${type}`);
  return Array.from({ length: 16 }, (_, i) => (i * Math.PI) / 8).flatMap((angle) => [
    x + across * Math.cos(angle),
    y + down * Math.sin(angle),
  ]);
}

export { freshId };
