// A second module of the world, as many are: it animates, teleports, carries, pastes and undoes tokens, by Foundry's public
// ways, and refuses what it does not like. Tests call it as `window.secondModule`; the module under test knows nothing of it.

const STEPS = 8;
const STEP_MS = 40;

/**
 * Returns the second module of a page.
 * @param {import("./documents.js").Documents} documents
 * @param {{generation: number, hooks: import("./hooks.js").HookBook}} host
 */
export function secondModule(documents, { generation, hooks }) {
  const tokenOf = (id) => documents.canvas.self.scene.tokens.get(id);
  const isNew = generation >= 13;
  /** The movement of an operation: D13 D14 foundry.documents.types.TokenMovementMethod. */
  const moved = (method) => (isNew ? { _movement: { pending: { waypoints: [] }, method } } : {});
  const refusals = new Set();
  const refuse = (hook, test) => {
    const id = hooks.on(hook, (doc, changes, ...rest) => !test(doc, changes, ...rest));
    const stop = () => hooks.off(hook, id);
    refusals.add(stop);
    return stop;
  };

  return {
    /**
     * Walks a token in small steps off the grid, each an update without Foundry's animation: C
     * Sequencer:src/sections/animation.js. Returns the times of the steps in milliseconds.
     */
    async animate(id, to) {
      const { x, y } = tokenOf(id)._source;
      const times = [];
      for (let step = 1; step <= STEPS; step += 1) {
        const part = (from, end) => Math.round(from + ((end - from) * step) / STEPS);
        await tokenOf(id).update({ x: part(x, to.x), y: part(y, to.y) }, { animate: false });
        times.push(performance.now());
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      }
      return times;
    },

    /**
     * Teleports a token: an option of the update in 12, an action of the movement from 13 on: D12 D13
     * regionBehaviors.TeleportTokenRegionBehaviorType; D13 D14 CONFIG.Token.movement.actions.displace.
     */
    teleport: (id, to) =>
      isNew
        ? tokenOf(id).move(
            { ...to, action: "displace" },
            { method: "api", constrainOptions: { ignoreWalls: true } },
          )
        : tokenOf(id).update(to, { teleport: true, animate: false }),

    /** Moves a mount and its rider at once: C theripper93 and others: Scene#updateEmbeddedDocuments. */
    carry: (rows) => documents.canvas.self.scene.updateEmbeddedDocuments("Token", rows, moved("api")),

    /** Pastes a token over itself: D13 D14 TokenMovementMethod "paste". */
    paste: (id, to) => tokenOf(id).update(to, moved("paste")),

    /** Undoes a move as Control+Z does: D12 DatabaseUpdateOperation#isUndo; D13 D14 TokenMovementMethod "undo". */
    undo: (id, to) => tokenOf(id).update(to, { ...moved("undo"), isUndo: true }),

    /** Refuses moves of a token that pass a test: D12 hookEvents.preUpdateDocument, D13 D14 hookEvents.preMoveToken. */
    refuseMoves: (id, isOld = !isNew) =>
      isOld
        ? refuse("preUpdateToken", (doc, changes) => doc.id === id && ("x" in changes || "y" in changes))
        : refuse("preMoveToken", (doc) => doc.id === id),

    /** Refuses them from the time that the page has the token's next move. */
    refuseMovesAfterNext(id, isOld) {
      const next = hooks.on("updateToken", (doc, changes) => {
        if (doc.id !== id || !("x" in changes || "y" in changes)) return;
        hooks.off("updateToken", next);
        this.refuseMoves(id, isOld);
      });
    },

    /** Refuses nothing any more. */
    allow: () => refusals.forEach((stop) => stop()),
  };
}
