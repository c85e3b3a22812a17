import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, test } from "node:test";
import { Connection, Refused } from "../../plugin_manifest/scripts/core/connection.js";

/** Stands where socket.io-client's socket does, and keeps what was sent through it. */
class Wire extends EventEmitter {
  sent = [];
  connected = false;
  active = true;

  emit(event, ...args) {
    if (event !== "command") return super.emit(event, ...args);
    return this.sent.push({ command: args[0], ack: args[1] });
  }

  up() {
    this.connected = true;
    super.emit("connect");
  }

  disconnect() {
    this.connected = false;
    return this;
  }

  connect() {
    this.up();
  }

  close() {}

  down(reason = "transport close") {
    this.connected = false;
    super.emit("disconnect", reason);
  }
}

describe("a line to a table", () => {
  let wire, line, options, heard, known;

  beforeEach(() => {
    wire = new Wire();
    heard = [];
    known = null;
    const open = (_url, given) => ((options = given), wire);
    line = new Connection({
      open,
      url: "",
      table: "t",
      key: "k",
      known: () => known,
      onUpdate: () => {},
      onState: (...said) => heard.push(said),
    });
  });

  afterEach(() => line.close());

  test("comes in with table and key, and after a break with the last entry it has seen", () => {
    const given = [];
    options.auth((auth) => given.push(auth));
    known = { epoch: "e", seq: 7, hash: "h" };
    options.auth((auth) => given.push(auth));
    assert.deepEqual(given, [
      { table: "t", key: "k" },
      { table: "t", key: "k", epoch: "e", seq: 7, hash: "h" },
    ]);
  });

  test("sends nothing before it is up, then everything in the order it was asked", () => {
    line.send("undo", {});
    line.send("act", { n: 1 }, 4);
    assert.equal(wire.sent.length, 0);
    wire.up();
    assert.deepEqual(
      wire.sent.map(({ command }) => [command.v, command.kind, command.base]),
      [
        [1, "undo", null],
        [1, "act", 4],
      ],
    );
    assert.notEqual(wire.sent[0].command.id, wire.sent[1].command.id);
    assert.match(wire.sent[0].command.id, /^[A-Za-z0-9._-]{1,64}$/);
  });

  test("after a break sends again, under the same id, what had no answer, and nothing else", async () => {
    wire.up();
    const first = line.send("undo", {});
    line.send("act", {});
    wire.sent[0].ack({ ok: true, id: wire.sent[0].command.id, seq: 1 });
    assert.equal((await first).seq, 1);
    wire.down();
    wire.up();
    assert.deepEqual(
      wire.sent.map(({ command }) => command.kind),
      ["undo", "act", "act"],
    );
    assert.equal(wire.sent[1].command.id, wire.sent[2].command.id);
  });

  test("a second answer to the same command is passed over", async () => {
    wire.up();
    const sent = line.send("undo", {});
    wire.down();
    wire.up();
    for (const { ack, command } of wire.sent) ack({ ok: true, id: command.id, seq: 3 });
    assert.equal((await sent).seq, 3);
  });

  test("counts what it sends on a connection, also what it sends again, from 1", () => {
    wire.up();
    line.send("undo", {}).catch(() => {});
    line.send("act", {}).catch(() => {});
    wire.down();
    wire.up();
    assert.deepEqual(
      wire.sent.map(({ command }) => command.n),
      [1, 2, 1, 2],
    );
  });

  test("sends again under the same id what is not answered in time, later and later", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    wire.up();
    line.send("undo", {});
    for (const [wait, sent] of [
      [999, 1],
      [1001, 2],
      [999, 2],
      [2001, 3],
      [10_000, 4],
    ]) {
      context.mock.timers.tick(wait);
      assert.ok(wire.sent.length >= sent, `${wire.sent.length} after ${wait}`);
    }
    assert.equal(new Set(wire.sent.map(({ command }) => command.id)).size, 1);
    assert.deepEqual(
      wire.sent.map(({ command }) => command.n),
      wire.sent.map((_, i) => i + 1),
    );
    const count = wire.sent.length;
    wire.sent[0].ack({ ok: true, id: "", seq: 1 });
    context.mock.timers.tick(60_000);
    assert.equal(wire.sent.length, count);
  });

  test("begins a new connection where the table says that something is missing", async () => {
    wire.up();
    const sent = line.send("undo", {});
    wire.sent[0].ack({ ok: false, id: "", error: { code: "out-of-order", sentence: "" } });
    assert.deepEqual(
      wire.sent.map(({ command }) => command.n),
      [1, 1],
    );
    wire.sent[1].ack({ ok: true, id: "", seq: 5, dup: true });
    assert.equal((await sent).seq, 5);
  });

  test("asks for a snapshot and says why", () => {
    wire.up();
    line.restart("hash");
    assert.deepEqual([wire.sent[0].command.kind, wire.sent[0].command.body], ["sync", { why: "hash" }]);
  });

  test("a refusal is an error with the table's sentence", async () => {
    wire.up();
    const sent = line.send("undo", {});
    wire.sent[0].ack({ ok: false, id: "", error: { code: "forbidden", sentence: "You may not." } });
    await assert.rejects(
      sent,
      (error) =>
        error instanceof Refused && error.message === "You may not." && error.problem.code === "forbidden",
    );
  });

  test("says when it is lost, and why it was not let in", () => {
    wire.up();
    wire.down();
    wire.active = false;
    wire.emit("connect_error", Object.assign(new Error("x"), { data: { sentence: "No such table." } }));
    assert.deepEqual(
      heard.map(([state]) => state),
      ["connected", "lost", "refused"],
    );
    assert.equal(heard[2][1], "No such table.");
  });
});
