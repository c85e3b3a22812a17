// Hooks, called as in Foundry: in order and without await. A failing hook is logged; the others run.

export class HookBook {
  #acts = new Map();
  #next = 1;

  on(name, act) {
    const id = this.#next++;
    this.#acts.set(name, [...(this.#acts.get(name) ?? []), { id, act }]);
    return id;
  }

  once(name, act) {
    const id = this.on(name, (...args) => {
      this.off(name, id);
      return act(...args);
    });
    return id;
  }

  off(name, id) {
    this.#acts.set(
      name,
      (this.#acts.get(name) ?? []).filter((one) => one.id !== id),
    );
  }

  /** Calls all hooks; a false result stops. */
  call(name, ...args) {
    for (const { act } of this.#acts.get(name) ?? []) if (this.#safely(act, args) === false) return false;
    return true;
  }

  callAll(name, ...args) {
    for (const { act } of this.#acts.get(name) ?? []) this.#safely(act, args);
    return true;
  }

  #safely(act, args) {
    try {
      return act(...args);
    } catch (problem) {
      console.error(problem);
      return undefined;
    }
  }
}
