import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestError } from "../../../plugin_manifest/scripts/core/table/connection.js";
import { RelayGuest } from "../../../plugin_manifest/scripts/tabletop/relay/guest.js";
import { RelayHost } from "../../../plugin_manifest/scripts/tabletop/relay/host.js";
import { Channel } from "../../../plugin_manifest/scripts/tabletop/relay/channel.js";
import { KeyPair } from "../../../plugin_manifest/scripts/tabletop/relay/encryption.js";

const allChannels = new Set();
let messages = 0;

/** Waits until every channel has processed its messages and sends no more. */
async function settled() {
  for (let quiet = 0, before = -1; quiet < 3; before = messages) {
    await Promise.all([...allChannels].map((channel) => channel.idle()));
    await new Promise((resolve) => setImmediate(resolve));
    quiet = messages === before ? quiet + 1 : 0;
  }
}

/** Simulates Foundry's socket: to all but the sender (12), or to the recipient only (13 and later). */
function network(hasRecipients) {
  const channels = new Map();
  const traffic = [];
  const join = (me, onMessage) => {
    const emit = (envelope) => {
      const plain = JSON.parse(JSON.stringify(envelope));
      traffic.push(plain);
      messages += 1;
      for (const [user, channel] of channels)
        if (user !== me && (!hasRecipients || user === plain.to)) channel.receive(plain, me);
    };
    const channel = new Channel({ me, hasRecipients, emit }, onMessage);
    channels.set(me, channel);
    allChannels.add(channel);
    return channel;
  };
  return { join, channels, traffic };
}

/** Sets up a GM's page and two players' pages, each with its own connection. */
async function relay(hasRecipients) {
  const net = network(hasRecipients);
  const opened = [];
  const host = { receive: () => {} };
  const gm = net.join("gm", (message, sender) => host.receive(message, sender));
  const openFor = async (user, handlersOf) => {
    const line = {
      user,
      ends: handlersOf(user),
      sent: [],
      close: () => (line.isClosed = true),
      restart: () => {},
    };
    line.send = async (kind, body) => {
      line.sent.push([kind, body]);
      if (kind === "undo") throw new RequestError({ code: "forbidden", sentence: "Only the GM." });
      return { ok: true, id: "x", result: { for: user } };
    };
    opened.push(line);
    return { connection: line, seat: user };
  };
  const relayed = new RelayHost(gm, openFor);
  host.receive = (message, sender) => relayed.receive(message, sender);
  const guest = (me) => {
    const got = { updates: [], states: [], later: [] };
    let line = null;
    const channel = net.join(me, (message, sender) => line.receive(message, sender));
    const handlers = {
      resumePoint: () => got.known ?? null,
      onUpdate: (update) => got.updates.push(update),
      onState: (state, sentence) => got.states.push([state, sentence]),
    };
    line = new RelayGuest(
      channel,
      () => "gm",
      handlers,
      () => [],
      (act, ms) => got.later.push([act, ms]),
    );
    return { ...got, got, line, channel };
  };
  const [pat, quinn] = [guest("pat"), guest("quinn")];
  await settled();
  return { net, opened, relayed, pat, quinn };
}

for (const hasRecipients of [true, false]) {
  const how = hasRecipients ? "by recipients" : "encrypted";

  test(`each player gets only the updates of their own connection, ${how}`, async () => {
    const { opened, pat, quinn } = await relay(hasRecipients);
    assert.deepEqual(opened.map(({ user }) => user).sort(), ["pat", "quinn"]);
    opened.find(({ user }) => user === "pat").ends.onUpdate({ kind: "entries", seq: 3, body: "for Pat" });
    await settled();
    assert.deepEqual(
      pat.got.updates.map(({ body }) => body),
      ["for Pat"],
    );
    assert.deepEqual(quinn.got.updates, []);
  });

  test(`a command goes out on the sender's own connection, and its ack or error returns, ${how}`, async () => {
    const { opened, pat } = await relay(hasRecipients);
    assert.deepEqual((await pat.line.send("act", { act: 1 })).result, { for: "pat" });
    await assert.rejects(pat.line.send("undo", {}), /Only the GM/);
    assert.deepEqual(
      opened.find(({ user }) => user === "pat").sent.map(([kind]) => kind),
      ["act", "undo"],
    );
    assert.deepEqual(opened.find(({ user }) => user === "quinn").sent, []);
  });

  test(`a message that another player forges is dropped, ${how}`, async () => {
    const { net, pat } = await relay(hasRecipients);
    net.channels.get("quinn").send("pat", { relay: "update", update: { kind: "entries", body: "a lie" } });
    await settled();
    assert.deepEqual(pat.got.updates, []);
  });

  test(`a new connection replaces the player's earlier one, ${how}`, async () => {
    const { opened, pat } = await relay(hasRecipients);
    pat.line.restart();
    await settled();
    const lines = opened.filter(({ user }) => user === "pat");
    assert.deepEqual(
      lines.map(({ isClosed }) => Boolean(isClosed)),
      [true, false],
    );
  });
}

for (const hasRecipients of [true, false])
  test(`a page that asks a GM who does not relay finds the one who does, ${hasRecipients ? "by recipients" : "encrypted"}`, async () => {
    const { net, opened } = await relay(hasRecipients);
    let host = "another gm";
    const channel = net.join("rosa", (message, sender) => {
      if (message.relay !== "host") return guest.receive(message, sender);
      host = sender;
      return guest.hostChanged();
    });
    const guest = new RelayGuest(
      channel,
      () => host,
      { resumePoint: () => null, onUpdate: () => {}, onState: () => {} },
      () => ["another gm", "gm"].filter((one) => one !== host),
      () => {},
    );
    const asked = () => opened.filter(({ user }) => user === "rosa").length;
    await settled();
    assert.equal(asked(), 1);
    channel.send("gm", { relay: "where" }); // as one that waited for an answer
    await settled();
    assert.equal(asked(), 1, "it stays connected");
  });

test("a question for a connection that nothing answers is put again, later each time, until it is answered", async () => {
  const { opened, pat } = await relay(true);
  const asked = () => opened.filter(({ user }) => user === "pat").length;
  const waits = [];
  for (let i = 0; i < 5; i += 1) {
    const [act, ms] = pat.got.later.at(-1);
    waits.push(ms);
    act();
    await settled();
    assert.equal(asked(), i + 2);
  }
  assert.deepEqual(waits, [5_000, 10_000, 20_000, 40_000, 40_000]);
  pat.got.later[0][0](); // the wait of an older question
  await settled();
  assert.equal(asked(), 6);
  opened.findLast(({ user }) => user === "pat").ends.onState("connected", "");
  await settled();
  pat.got.later.at(-1)[0]();
  await settled();
  assert.equal(asked(), 6);
  pat.line.restart();
  assert.equal(pat.got.later.at(-1)[1], 5_000);
});

test("another page of the GM numbers its messages from 1, and they are delivered", async () => {
  const got = [];
  const emit = () => {};
  const pat = new Channel({ me: "pat", hasRecipients: true, emit }, (message) => got.push(message));
  for (const [page, n] of [
    ["one", 1],
    ["one", 2],
    ["one", 2],
    ["two", 1],
  ])
    pat.receive({ to: "pat", page, n, message: `${page} ${n}` }, "gm");
  await settled();
  assert.deepEqual(got, ["one 1", "one 2", "two 1"]);
});

test("a lost message is noticed by the next one", async () => {
  const gaps = [];
  const pat = new Channel(
    { me: "pat", hasRecipients: true, emit: () => {} },
    () => {},
    (sender) => gaps.push(sender),
  );
  for (const n of [1, 2, 4, 3, 5]) pat.receive({ to: "pat", page: "one", n, message: n }, "gm");
  await settled();
  assert.deepEqual(gaps, ["gm"]);
});

test("in 12 nothing readable goes over the socket", async () => {
  const { net, opened } = await relay(false);
  opened[0].ends.onUpdate({ kind: "entries", seq: 1, body: "the assassin waits" });
  await settled();
  assert.ok(net.traffic.length > 4);
  assert.ok(!JSON.stringify(net.traffic).includes("assassin"));
  assert.ok(net.traffic.every((envelope) => !("message" in envelope)));
});

test("a replayed or misdirected message is dropped", async () => {
  const { net, opened, pat, quinn } = await relay(false);
  opened.find(({ user }) => user === "pat").ends.onUpdate({ kind: "entries", seq: 1, body: "once" });
  await settled();
  const kept = net.traffic.at(-1);
  pat.channel.receive(kept, "gm");
  quinn.channel.receive({ ...kept, to: "quinn" }, "gm");
  await settled();
  assert.equal(pat.got.updates.length, 1);
  assert.deepEqual(quinn.got.updates, []);
});

test("only the two pages decrypt a message, and only in its direction", async () => {
  const [a, b, c] = [new KeyPair(), new KeyPair(), new KeyPair()];
  const [ab, ba] = [await a.sharedKey(await b.publicKey()), await b.sharedKey(await a.publicKey())];
  const sealed = await ab.encrypt({ secret: 1 }, "a to b");
  assert.deepEqual(await ba.decrypt(sealed, "a to b"), { secret: 1 });
  await assert.rejects(ba.decrypt(sealed, "b to a"));
  await assert.rejects((await c.sharedKey(await a.publicKey())).decrypt(sealed, "a to b"));
});

test("a player's page asks the page that relays when it learns of it, once, and not after it was closed", async () => {
  const asked = [];
  let host = "without a link";
  const channel = { isPrivate: true, send: (to, { relay: kind }) => asked.push([to, kind]) };
  const guest = new RelayGuest(
    channel,
    () => host,
    { resumePoint: () => null, onState: () => {} },
    () => [],
    () => {},
  );
  await settled();
  guest.hostChanged();
  assert.deepEqual(asked, [["without a link", "open"]]);
  host = "gm";
  guest.hostChanged();
  guest.hostChanged();
  assert.deepEqual(asked.slice(1), [["gm", "open"]]);
  host = null;
  guest.hostChanged();
  guest.close();
  host = "another";
  guest.hostChanged();
  await guest.restart();
  guest.open(); // as after a word of a GM's page that it relays from now on
  assert.equal(asked.length, 2);
});

test("malformed messages from a player are ignored", async () => {
  const { relayed, opened } = await relay(true);
  for (const message of [null, 5, "x", {}, { relay: "command" }, { relay: "command", id: 1, kind: "act" }])
    relayed.receive(message, "pat");
  relayed.receive({ relay: "command", id: "i", kind: "__proto__", body: {} }, "pat");
  relayed.receive({ relay: "command", id: "i", kind: "act", body: {} }, "a stranger without a line");
  await settled();
  assert.ok(opened.every(({ sent }) => sent.length === 0));
});
