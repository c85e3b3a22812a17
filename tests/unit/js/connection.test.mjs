import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, test } from "node:test";
import { Connection, RequestError } from "../../../plugin_manifest/scripts/core/table/connection.js";

/** Stands where socket.io-client's socket does, and keeps what was sent through it. */
class Wire extends EventEmitter {
  sent = [];
  connected = false;
  active = true;
  connects = 0;

  connect() {
    this.connects += 1;
  }

  disconnect() {
    return this;
  }

  emit(event, ...args) {
    if (event !== "command") return super.emit(event, ...args);
    return this.sent.push({ command: args[0], ack: args[1] });
  }

  up() {
    this.connected = true;
    super.emit("connect");
  }

  close() {}

  down(reason = "transport close") {
    this.connected = false;
    super.emit("disconnect", reason);
  }
}

describe("a line to a table", () => {
  let wire, line, options, heard, known, tickets, answer;

  const presented = () => new Promise((give) => options.auth(give));

  beforeEach(() => {
    wire = new Wire();
    heard = [];
    known = null;
    tickets = 0;
    const fetcher = async (url, request) => {
      assert.equal(url, "/api/tables/t/tickets");
      assert.equal(request.headers.Authorization, "Bearer k");
      tickets += 1;
      return answer(tickets);
    };
    answer = (number) => ({ ok: true, status: 201, json: async () => ({ ticket: `ticket ${number}` }) });
    const open = (_url, given) => ((options = given), wire);
    line = new Connection({
      open,
      url: "",
      table: "t",
      key: "k",
      fetcher,
      known: () => known,
      onUpdate: () => {},
      onState: (...said) => heard.push(said),
    });
  });

  afterEach(() => line.close());

  test("comes in by a ticket, and after a break by another, with the last entry it has seen", async () => {
    assert.deepEqual(await presented(), { table: "t", ticket: "ticket 1" });
    known = { epoch: "e", seq: 7, hash: "h" };
    assert.deepEqual(await presented(), { table: "t", ticket: "ticket 2", ...known });
  });

  test("comes in again by the token it was greeted with, and gives each token once", async () => {
    wire.emit("update", { kind: "hello", body: { resume: "token" } });
    assert.deepEqual(await presented(), { table: "t", resume: "token" });
    assert.deepEqual(await presented(), { table: "t", ticket: "ticket 1" });
  });

  test("where its token no longer holds it tries with a ticket before it gives up", async () => {
    const refusal = () => wire.emit("connect_error", Object.assign(new Error("x"), { data: {} }));
    wire.emit("update", { kind: "hello", body: { resume: "old" } });
    await presented();
    wire.active = false;
    refusal();
    assert.deepEqual([wire.connects, heard], [1, []]);
    await presented();
    refusal();
    assert.equal(heard.at(-1)[0], "refused");
  });

  test("says why where it is not even given a ticket", async () => {
    answer = () => ({
      ok: false,
      status: 403,
      json: async () => ({ error: { code: "forbidden", sentence: "Not yet." } }),
    });
    options.auth(() => assert.fail("it has nothing to come in by"));
    await new Promise(setImmediate);
    assert.deepEqual([heard, wire.connects], [[["refused", "Not yet."]], 0]);
  });

  test("where the server cannot be asked for a ticket it comes again", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    answer = () => {
      throw new TypeError("fetch failed");
    };
    options.auth(() => assert.fail("it has nothing to come in by"));
    await new Promise(setImmediate);
    t.mock.timers.tick(1000);
    assert.deepEqual([heard[0][0], wire.connects], ["lost", 1]);
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
    assert.equal(wire.connects, 1);
    wire.up();
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
        error instanceof RequestError &&
        error.message === "You may not." &&
        error.problem.code === "forbidden",
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

  test("asked too much, it waits as long as the table says and sends all again, in order", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    wire.up();
    const first = line.send("token.move", {});
    const error = { code: "rate-limited", sentence: "Too many.", retryable: true, retry_after_ms: 250 };
    wire.sent[0].ack({ ok: false, id: "", error });
    const second = line.send("act", {});
    context.mock.timers.tick(249);
    assert.equal(wire.sent.length, 1);
    context.mock.timers.tick(1);
    assert.deepEqual(
      wire.sent.map(({ command }) => command.kind),
      ["token.move", "token.move", "act"],
    );
    assert.equal(wire.sent[0].command.id, wire.sent[1].command.id);
    for (const { ack, command } of wire.sent.slice(1)) ack({ ok: true, id: command.id, seq: 1 });
    assert.equal((await first).ok && (await second).ok, true);
  });

  test("where a seat is full it says so and comes again", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    let came = 0;
    wire.connect = () => came++;
    wire.active = false;
    const data = { sentence: "Close a page.", retryable: true, retry_after_ms: 5000 };
    wire.emit("connect_error", Object.assign(new Error("x"), { data }));
    assert.deepEqual(heard, [["lost", "Close a page."]]);
    context.mock.timers.tick(5000);
    assert.equal(came, 1);
  });
});
