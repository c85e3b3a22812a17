/** A face for every line that this page takes up to its table. */

import { Face } from "./face.js";
import { Writing } from "./writing/writing.js";
import { connectView } from "./windows/connect.js";
import { Window } from "./windows/window.js";
import { listenToHands } from "./controls.js";

/** @import {Companion} from "./companion.js" */

/**
 * To be called in Foundry's `init`.
 * @param {Companion} companion
 */
export function seatFaces(companion) {
  /** @type {Window | null} */
  let window = null;
  const connect = () => {
    window ??= new Window("connect", "Connect.Title", (host) =>
      connectView(host, {
        connect: () => companion.connect(),
        watch: (watcher) => companion.watch(({ line }) => line && watcher(line)),
      }),
    );
    return window.open();
  };
  listenToHands(() => companion.face, connect);
  companion.watch(({ line, bridge }) => {
    companion.face?.close();
    if (!line) return;
    const seated = (companion.face = new Face(line, connect, {
      agreed: (writes) => writing.agreed(writes),
      declined: (writes) => writing.declined(writes),
    }));
    bridge?.on("told", (tokens) => seated.parts.refusals.take(tokens));
    const writing = new Writing(line, bridge, { ask: (writes) => seated.propose(writes) });
  });
}
