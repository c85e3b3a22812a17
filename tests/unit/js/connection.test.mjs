import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, test } from "node:test";
import { Connection, RequestError } from "../../../plugin_manifest/scripts/core/table/connection.js";

/** A stand-in for socket.io-client's socket that records the commands sent. */
class Wire extends EventEmitter {
  sent = [];
  connected = false;
  active = true;
  connects = 0;
  /** As socket.io-client's manager: https://socket.io/docs/v4/client-options/#query */
  io = { opts: {} };

  connect() {
    this.connects += 1;
  }

  disconnect() {
    return this;
  }

  emit(event, ...args) {
    if (!["command", "part"].includes(event)) return super.emit(event, ...args);
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

describe("a connection to a table", () => {
  let wire, line, options, heard, known, tickets, answer, wakeUp;

  const auth = () => new Promise((give) => options.auth(give));
  /** Return the credentials of the next connection, without its page. */
  const presented = async () => {
    const { page: _, ...credentials } = await auth();
    return credentials;
  };

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
      resumePoint: () => known,
      onUpdate: () => {},
      onState: (...said) => heard.push(said),
      watch: (call) => ((wakeUp = call), () => {}),
    });
  });

  afterEach(() => line.close());

  test("connects with a ticket, and reconnects with another and the last entry it has", async () => {
    assert.deepEqual(await presented(), { table: "t", ticket: "ticket 1" });
    known = { epoch: "e", seq: 7, hash: "h" };
    assert.deepEqual(await presented(), { table: "t", ticket: "ticket 2", ...known });
  });

  describe("with a scene that is larger than a message", () => {
    const scene = { walls: Array.from({ length: 9_000 }, (_, i) => `wall ${i} 🧱`) };
    const next = () => wire.sent.at(-1);
    const arrive = (more = {}) =>
      next().ack({ ok: true, id: next().command.id, seq: 1, result: {}, ...more });

    test("sends it in parts, each after the last one has arrived", async () => {
      wire.up();
      const sent = line.send("scene.sync", { scene });
      const { parts } = next().command;
      assert.ok(parts > 5);
      for (let part = 0; part < parts; part += 1) {
        assert.equal(wire.sent.length, part + 1);
        assert.deepEqual([next().command.part, next().command.n], [part, part + 1]);
        assert.ok(new TextEncoder().encode(JSON.stringify(next().command)).length < 60_000);
        arrive({ result: { part } });
      }
      assert.equal((await sent).result.part, parts - 1);
      const text = wire.sent.map(({ command }) => command.text).join("");
      const { kind, body, id } = JSON.parse(text);
      assert.deepEqual([kind, body, id], ["scene.sync", { scene }, next().command.id]);
      assert.ok(wire.sent.every(({ command }) => command.text.isWellFormed()));
    });

    test("begins with the first part again on a new connection, and forgets the answers on the old one", () => {
      wire.up();
      line.send("scene.sync", { scene });
      arrive();
      const late = next();
      wire.down();
      wire.up();
      assert.deepEqual([next().command.part, next().command.n], [0, 1]);
      const before = wire.sent.length;
      late.ack({ ok: true, id: late.command.id, seq: 1, result: {} });
      assert.equal(wire.sent.length, before);
    });

    test("is refused with the answer to any of its parts", async () => {
      wire.up();
      const sent = line.send("scene.sync", { scene });
      arrive();
      arrive({ ok: false, error: { code: "bad-schema", sentence: "A scene may have 16 MiB." } });
      await assert.rejects(
        sent,
        new RequestError({ code: "bad-schema", sentence: "A scene may have 16 MiB." }),
      );
    });

    test("waits for the seat's other upload, and begins anew", (context) => {
      context.mock.timers.enable({ apis: ["setTimeout"] });
      wire.up();
      line.send("scene.sync", { scene });
      arrive({ ok: false, error: { code: "rate-limited", retry_after_ms: 5000 } });
      context.mock.timers.tick(5000);
      assert.deepEqual([wire.sent.length, next().command.part], [2, 0]);
    });
  });

  test("gives a request for a ticket a time limit, sends it again at once, and connects again after both", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    let signal;
    answer = () => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const limits = [];
    const hang = AbortSignal.timeout;
    AbortSignal.timeout = (ms) => {
      limits.push(ms);
      const control = new AbortController();
      setTimeout(() => control.abort(new DOMException("no answer", "TimeoutError")), ms);
      return (signal = control.signal);
    };
    try {
      options.auth(() => assert.fail("there is no ticket"));
      await Promise.resolve();
      for (const limit of [2000, 4000]) {
        assert.deepEqual(heard, []);
        context.mock.timers.tick(limit);
        for (let i = 0; i < 10; i++) await Promise.resolve();
      }
      assert.deepEqual([limits, heard.at(-1)[0]], [[2000, 4000], "lost"]);
      context.mock.timers.tick(1000);
      assert.equal(wire.connects, 1);
    } finally {
      AbortSignal.timeout = hang;
    }
  });

  test("asks the server at once when the page comes back, not if it has just heard from it", (context) => {
    context.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
    wire.up();
    wakeUp();
    assert.equal(wire.connects, 0);
    context.mock.timers.tick(60_000);
    wakeUp();
    assert.equal(wire.connects, 1);
  });

  test("says that its seat has no room, tries again, and can close the seat's other pages", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    wire.active = false;
    const data = { code: "seat-full", retryable: true, sentence: "It is open.", retry_after_ms: 5000 };
    wire.emit("connect_error", Object.assign(new Error("x"), { data }));
    assert.deepEqual(heard.at(-1), ["full", "It is open."]);
    context.mock.timers.tick(5000);
    assert.equal(wire.connects, 1);
    line.closeOthers();
    assert.equal(wire.connects, 2);
    assert.deepEqual(await presented(), { table: "t", ticket: "ticket 1", close_others: true });
    assert.deepEqual(await presented(), { table: "t", ticket: "ticket 2" });
  });

  test("names its page in all its connections, another than any other connection's", async () => {
    const { page } = await auth();
    assert.match(page, /^[0-9a-f]{32}$/);
    assert.equal((await auth()).page, page);
    const seat = { url: "", table: "t", key: "k", ticket: { table: "t", ticket: "x" } };
    const open = (_url, given) => ((options = given), wire);
    const ignore = () => {};
    new Connection({
      open,
      ...seat,
      resumePoint: () => null,
      onUpdate: ignore,
      onState: ignore,
      watch: () => ignore,
    });
    assert.notEqual((await auth()).page, page);
  });

  test("is refused with the server's sentence, and not tried again", async () => {
    await presented();
    wire.active = false;
    wire.emit("connect_error", Object.assign(new Error("x"), { data: { sentence: "Not here." } }));
    assert.deepEqual([wire.connects, heard], [0, [["refused", "Not here."]]]);
  });

  test("shows the server's reason if the ticket is refused", async () => {
    answer = () => ({
      ok: false,
      status: 403,
      json: async () => ({ error: { code: "forbidden", sentence: "Not yet." } }),
    });
    options.auth(() => assert.fail("it has no credentials"));
    await new Promise(setImmediate);
    assert.deepEqual([heard, wire.connects], [[["refused", "Not yet."]], 0]);
  });

  test("retries if the ticket request cannot reach the server", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    answer = () => {
      throw new TypeError("fetch failed");
    };
    options.auth(() => assert.fail("it has no credentials"));
    await new Promise(setImmediate);
    t.mock.timers.tick(1000);
    assert.deepEqual([heard[0][0], wire.connects], ["lost", 1]);
  });

  test("sends nothing before it is connected, then all commands in order", () => {
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

  test("after a reconnect sends only unacknowledged commands again, with the same ids", async () => {
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

  test("ignores a second ack of the same command", async () => {
    wire.up();
    const sent = line.send("undo", {});
    wire.down();
    wire.up();
    for (const { ack, command } of wire.sent) ack({ ok: true, id: command.id, seq: 3 });
    assert.equal((await sent).seq, 3);
  });

  test("numbers the commands on each connection from 1, repeated ones included", () => {
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

  test("repeats a command without an ack, with the same id and growing delays", (context) => {
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

  test("reconnects if the table reports a missing command", async () => {
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

  test("requests a snapshot with its reason", () => {
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

  test("reports a lost connection, and the reason of a refused one", () => {
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

  test("after a rate-limit error it waits as long as the table says, then sends all commands in order", async (context) => {
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

  test("leaves a server that is silent for two seconds, and begins with a ticket", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
    context.mock.method(Math, "random", () => 0.5);
    wire.up();
    line.send("undo", {});
    context.mock.timers.tick(1999);
    assert.deepEqual([wire.connects, wire.sent.length], [0, 2]);
    await new Promise(setImmediate);
    assert.equal(tickets, 1, "the ticket comes first, so that a proxy notices");
    context.mock.timers.tick(1);
    assert.equal(wire.connects, 0);
    await new Promise(setImmediate);
    assert.equal(wire.connects, 1);
    assert.deepEqual(await presented(), { table: "t", ticket: "ticket 1" });
    assert.equal(tickets, 1);
  });

  test("waits longer for a server that works on a question, because a new connection would ask it again", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
    context.mock.method(Math, "random", () => 0.5);
    wire.up();
    line.send("matchup.ask", {});
    line.send("overlay.show", {});
    context.mock.timers.tick(9_000);
    await new Promise(setImmediate);
    assert.equal(wire.connects, 0, "the server may still be at it");
    context.mock.timers.tick(2_000);
    await new Promise(setImmediate);
    assert.equal(wire.connects, 1, "nobody works for so long");
  });

  test("leaves a silent server for the process that the ticket names, and stays with it", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
    const json = async () => ({ ticket: "ticket", seconds: 60, process: "b" });
    answer = () => ({ ok: true, status: 201, json });
    wire.up();
    line.send("undo", {});
    context.mock.timers.tick(5000);
    await new Promise(setImmediate);
    assert.deepEqual([wire.connects, wire.io.opts.query], [1, { table: "t", process: "b" }]);
    assert.deepEqual(await presented(), { table: "t", ticket: "ticket" });
    wire.up();
    assert.deepEqual(wire.io.opts.query, { table: "t", process: "b" });
  });

  test("opens the first connection to the process that its ticket names", async () => {
    const ticket = { table: "t", ticket: "first", process: "c" };
    const open = (_url, given) => ((options = given), wire);
    const ignore = () => {};
    const seat = { url: "", table: "t", key: "k", fetcher: assert.fail };
    new Connection({ open, ...seat, ticket, resumePoint: () => null, onUpdate: ignore, onState: ignore });
    assert.deepEqual(options.query, { table: "t", process: "c" });
    assert.deepEqual(await presented(), { table: "t", ticket: "first" });
  });

  test("says when the table has been asked", async () => {
    let asked = 0;
    const ticket = { table: "t", ticket: "first" };
    const open = (_url, given) => ((options = given), wire);
    const ignore = () => {};
    const seat = { url: "", table: "t", key: "k", fetcher: assert.fail, ticket };
    const handlers = { resumePoint: () => null, onUpdate: ignore, onState: ignore };
    new Connection({ open, ...seat, ...handlers, onAsked: () => (asked += 1) });
    assert.equal(asked, 0);
    assert.deepEqual(await presented(), { table: "t", ticket: "first" });
    await new Promise(setImmediate);
    assert.equal(asked, 1);
  });

  test("leaves a server whose pings stop, and one to which no connection opens", async () => {
    wire.up();
    wire.down("ping timeout");
    await new Promise(setImmediate);
    assert.deepEqual([wire.connects, tickets], [1, 1]);
    wire.active = true;
    wire.emit("connect_error", new Error("timeout"));
    await new Promise(setImmediate);
    assert.equal(tickets, 2);
  });

  test("connects no more once it is closed", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    wire.up();
    wire.down("ping timeout");
    line.close();
    await new Promise(setImmediate);
    context.mock.timers.tick(60_000);
    assert.equal(wire.connects, 0);
  });

  test("stays with a slow server that it hears from", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
    wire.up();
    line.send("undo", {});
    for (let second = 0; second < 9; second++) {
      context.mock.timers.tick(1000);
      wire.emit("update", { kind: "entries", body: {} });
    }
    assert.equal(wire.connects, 0);
  });

  test("reports a full seat and retries", (context) => {
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

  test("connects to the process that a refusal names, and next time lets the proxy choose", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    wire.active = false;
    const data = { code: "other-process", sentence: "There.", retryable: true, process: "b" };
    wire.emit("connect_error", Object.assign(new Error("x"), { data: { ...data, retry_after_ms: 500 } }));
    assert.deepEqual(wire.io.opts.query, { table: "t", process: "b" });
    context.mock.timers.tick(1);
    assert.equal(wire.connects, 1);
    wire.emit("connect_error", new Error("unreachable"));
    assert.deepEqual(wire.io.opts.query, { table: "t" });
  });

  test("sends a command again over a new connection if the process no longer has the table", () => {
    wire.up();
    line.send("undo", {});
    wire.sent[0].ack({ ok: false, error: { code: "other-process", sentence: "Gone." } });
    wire.disconnect().connect();
    wire.up();
    assert.equal(wire.sent[1].command.id, wire.sent[0].command.id);
  });
});
