// Actors: their prepared data, their items, the copies that unlinked tokens have, and the tokens that come of them.

import { expanded, freshId, merge } from "./changes.js";
import { isStrict } from "./strict.js";
import { preparedItem, preparedSystem } from "./systems.js";

/** The actors of a page's documents. */
export class Actors {
  /** The prepared data of actors and items, by their sources, with the version that it was prepared in. */
  #prepared = new WeakMap();
  /** The gifts of actors' rules to rolls, by their sources, likewise. */
  #synthetics = new WeakMap();
  /** The actors of unlinked tokens, by the tokens' sources, likewise. */
  #copies = new WeakMap();
  /** Grows with each change: data is prepared anew after it. */
  version = 0;

  constructor(documents, { state }) {
    Object.assign(this, { documents, state });
  }

  /** Returns an actor's data as its system prepares it: the same object until something changes. */
  systemOf(source, items) {
    if (!isStrict("actor-models")) return source.system;
    const { system, generation } = this.state;
    return this.#kept(source, () => preparedSystem(system, { source, items: items().contents, generation }));
  }

  /** Returns what a pf2e actor's rules give to rolls: made anew with each preparation. */
  syntheticsOf(source) {
    if (this.state.system !== "pf2e") return undefined;
    const known = this.#synthetics.get(source);
    if (known?.version === this.version) return known.data;
    const data = { ephemeralEffects: {} };
    this.#synthetics.set(source, { version: this.version, data });
    return data;
  }

  /** Returns an item's data as its system prepares it. */
  itemSystemOf(source) {
    const { system, generation } = this.state;
    return this.#kept(source, () => preparedItem(system, { source, generation }));
  }

  #kept(source, prepare) {
    const known = this.#prepared.get(source);
    if (known?.version === this.version) return known.data;
    const data = prepare();
    this.#prepared.set(source, { version: this.version, data });
    return data;
  }

  /**
   * Returns a token's actor: the world's if linked, else a copy with the token's own changes. The copy is updated as an
   * actor, with an actor's hooks and no hook of the token: I#8973, I#9131.
   */
  of(token, doc) {
    const base = this.state.Actor.find((one) => one._id === token.actorId);
    if (!base) return null;
    if (token.actorLink) return this.documents.of("Actor", base);
    const known = this.#copies.get(token);
    if (known?.version === this.version) return known.actor;
    const { items = [], ...delta } = token.delta ?? {};
    const source = merge(structuredClone(base), structuredClone(delta));
    const own = new Map(items.map((item) => [item._id, item]));
    const kept = (source.items ?? []).map((item) => own.get(item._id) ?? item);
    source.items = [...kept, ...items.filter(({ _id }) => !kept.some((item) => item._id === _id))];
    const actor = this.documents.of("Actor", source, doc);
    Object.defineProperty(actor, "update", {
      value: (changes, options) =>
        isStrict("actor-models")
          ? this.#changeDelta(doc, changes, options)
          : doc.update({ delta: expanded(changes) }, options),
    });
    this.#copies.set(token, { version: this.version, actor });
    return actor;
  }

  #changeDelta(doc, changes, options = {}) {
    const rows = [{ _id: doc.id, ...expanded(changes) }];
    return this.documents.change({
      action: "update",
      type: "ActorDelta",
      parent: doc.parent.id,
      rows,
      options,
    });
  }

  /** Changes the items of an actor; those of an unlinked token's copy are changes of the token's delta. */
  changeItems(actor, action, rows, options = {}) {
    if (actor.parent === null)
      return this.documents.change({ action, type: "Item", parent: actor.id, rows, options });
    const token = actor.parent;
    const items = Object.fromEntries(actor.items.map((item) => [item.id, item.toObject()]));
    for (const row of rows) {
      if (action === "delete") delete items[row];
      else items[row._id] = merge(items[row._id] ?? {}, expanded(row));
    }
    const change = { action, rows };
    return this.#changeDelta(token, { items: Object.values(items) }, { ...options, _items: change });
  }

  /** Drops an actor of the sidebar on the scene: its prototype becomes a token. @source D12 D13 D14 Actor#getTokenDocument */
  async drop(id, { x, y }) {
    const source = this.state.Actor.find((one) => one._id === id);
    const { scene } = this.documents.canvas;
    const made = { ...structuredClone(source.prototypeToken), _id: freshId(), actorId: id, x, y };
    if (!made.actorLink) made.delta = {};
    await scene.createEmbeddedDocuments("Token", [made]);
    return made._id;
  }
}
