import assert from "node:assert/strict";
import { test } from "node:test";

const user = { id: "pat", name: "Pat", isGM: false };
const tokens = ["anna", "bert"].map((id) => ({ id, testUserPermission: () => id === "anna" }));
const kept = {};
const requests = [];

/** A server that gives a new seat for each invitation, and a world that keeps all settings. */
Object.assign(globalThis, {
  game: {
    user: { id: "gm", can: () => true },
    users: new Map([[user.id, user]]),
    world: { id: "the-world" },
    scenes: Object.assign(new Map(), { active: { id: "scene", tokens } }),
    combats: [],
    settings: { get: (_, key) => kept[key] ?? {}, set: async (_, key, value) => (kept[key] = value) },
    release: { generation: 13 },
  },
  fetch: async (address, { method = "GET", body, headers }) => {
    const path = address.split("/api/tables/table/")[1];
    requests.push([path, body && JSON.parse(body)]);
    await new Promise((resolve) => setImmediate(resolve));
    const seats = requests.filter(([one]) => one === "seats").length;
    const ok = method === "POST" || headers.Authorization.startsWith("Bearer key of ");
    const answer = path === "seats" ? { seat: `seat ${seats}`, key: `key of ${seats}` } : { secret: "s" };
    return { ok, json: async () => answer };
  },
});
const { PlayerSeats } = await import("../../../plugin_manifest/scripts/foundry/socket/player-seats.js");

test("a player who asks twice at once gets one seat, which has the player's own tokens", async () => {
  const link = { url: "http://server", table: "table", key: "of the GM" };
  const seats = new PlayerSeats(link, () => new Set(["anna", "bert"]));
  const given = await Promise.all([seats.linkFor("pat"), seats.linkFor("pat")]);
  assert.deepEqual(given, Array(2).fill({ link: { ...link, key: "key of 1" }, seat: "seat 1" }));
  const approved = requests.filter(([path]) => path.endsWith("/approve"));
  assert.deepEqual(approved, [["seats/seat%201/approve", { tokens: ["anna"] }]]);
});
