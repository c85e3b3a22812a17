// A proxy between a browser and a server, which a test breaks: connections are reset, or die without a word.

import { connect, createServer } from "node:net";

export class FaultProxy {
  #server;
  #pairs = new Set();
  #isBroken = false;
  #isSilent = false;

  /** Listens on a free port of its own and forwards to a port of this machine. */
  static async to(port) {
    const proxy = new FaultProxy();
    proxy.#server = createServer((near) => proxy.#accept(near, port));
    await new Promise((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    proxy.origin = `http://127.0.0.1:${proxy.#server.address().port}`;
    return proxy;
  }

  #accept(near, port) {
    near.on("error", () => {});
    if (this.#isBroken) return this.#isSilent ? near.pause() : near.resetAndDestroy();
    const far = connect(port, "127.0.0.1");
    const pair = [near, far];
    this.#pairs.add(pair);
    far.on("error", () => {});
    near.pipe(far).on("close", () => near.destroy());
    far.pipe(near).on("close", () => far.destroy());
    near.on("close", () => this.#pairs.delete(pair));
    return undefined;
  }

  /** Resets all connections, and each new one until the proxy is mended. */
  reset() {
    this.#isBroken = true;
    this.#isSilent = false;
    for (const [near, far] of this.#pairs) [near, far].forEach((end) => end.resetAndDestroy());
    this.#pairs.clear();
  }

  /** Passes nothing on any more, and ends nothing: the connections of now stay dead when the proxy is mended. */
  fallSilent() {
    this.#isBroken = this.#isSilent = true;
    for (const [near, far] of this.#pairs) {
      near.unpipe(far);
      far.unpipe(near);
      near.pause();
      far.pause();
    }
  }

  /** Lets new connections through. */
  mend() {
    this.#isBroken = this.#isSilent = false;
  }

  close() {
    this.#isBroken = true;
    for (const pair of this.#pairs) pair.forEach((end) => end.destroy());
    this.#server.close();
  }
}
