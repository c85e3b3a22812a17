import assert from "node:assert/strict";
import { test } from "node:test";
import { seatedPeople } from "../../../plugin_manifest/scripts/board/page/people.js";

const member = (name, role, more = {}) => ({ seat: name, name, role, seated: true, online: true, ...more });

test("the people at the table are those with a seat besides the GM, players before spectators", () => {
  const members = [
    member("Ida", "gm"),
    member("Sam", "spectator"),
    member("Mia", "player"),
    member("Tom", "player", { seated: false }),
    member("Una", "player", { online: false }),
    member("", "spectator", { online: false }),
  ];
  const names = (state) => seatedPeople(state).map(({ name }) => name);
  assert.deepEqual(names({ players: { members } }), ["Mia", "Una", "Sam"]);
  assert.deepEqual(names({ players: null }), []);
});
