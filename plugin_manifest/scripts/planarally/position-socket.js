/**
 * A second connection of this user to PlanarAlly, which moves tokens: mods have no way to. What it moves reaches every
 * page, this one too, because a connection does not hear of its own changes only.
 */

import { io } from "../../vendor/socket.io.esm.min.js";
import { WriteRefused } from "../tabletop/refusals.js";

/** @import {ModApi} from "./app.js" */

const CONNECT_MS = 5_000;

/** Opened with the first move, and anew in another location: it belongs to the one that it was opened in. */
export class PositionSocket {
  /** @type {ReturnType<typeof io> | null} */
  #socket = null;
  #location = 0;

  /** @param {ModApi} api */
  constructor(api) {
    this.api = api;
  }

  /**
   * Moves a shape.
   * @param {string} uuid
   * @param {{angle: number, points: [number, number][]}} position
   */
  async move(uuid, position) {
    const socket = await this.#open();
    socket.emit("Shapes.Position.Update", { shapes: [{ uuid, position }], temporary: false });
  }

  close() {
    this.#socket?.close();
    this.#socket = null;
  }

  async #open() {
    const { roomCreator, roomName } = this.api.systemsState.game.raw;
    const { activeLocation } = this.api.systemsState.locationSettings.raw;
    if (this.#location !== activeLocation) this.close();
    this.#location = activeLocation;
    const socket = (this.#socket ??= io(`${location.origin}/planarally`, {
      transports: ["websocket"],
      query: { user: roomCreator, room: roomName },
      forceNew: true,
    }));
    if (!socket.connected) await connected(socket);
    return socket;
  }
}

/** @param {ReturnType<typeof io>} socket */
function connected(socket) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new WriteRefused("", CONNECT_MS)), CONNECT_MS);
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
