import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnose } from "../../../plugin_manifest/scripts/tabletop/diagnosis.js";

const why = (page, server, more = {}) =>
  diagnose({ page, server, hasAnswer: false, greeting: null, permission: null, ...more }, "0.1.0").map(
    ([key]) => key.replace("Connect.Why.", ""),
  );

test("a diagnosis names mixed content, local networks, a server that is down and another server", () => {
  assert.deepEqual(why("http://localhost:30000", "http://127.0.0.1:8090"), ["Down"]);
  assert.deepEqual(why("https://vtt.example.org", "http://rules.example.org"), ["Mixed", "Down"]);
  assert.deepEqual(why("https://vtt.example.org", "http://127.0.0.1:8090"), ["LocalAsk", "Down"]);
  assert.deepEqual(why("https://vtt.example.org", "http://192.168.1.5"), ["Mixed", "LocalAsk", "Down"]);
  assert.deepEqual(why("http://vtt.example.org", "http://192.168.1.5:8090"), ["LocalPlain", "Down"]);
  assert.deepEqual(why("http://192.168.1.4:30000", "http://192.168.1.5:8090"), ["Down"]);
  assert.deepEqual(why("http://a", "not an address"), ["Address"]);
  assert.deepEqual(why("http://a", "ftp://b"), ["Address"]);
  assert.deepEqual(why("http://a", "http://b", { hasAnswer: true }), ["NotOurs"]);
});

test("a diagnosis names a denied permission if the browser reports it", () => {
  const [page, server] = ["https://vtt.example.org", "http://127.0.0.1:8090"];
  assert.equal(why(page, server, { permission: "denied" })[0], "LocalDenied");
  assert.equal(why(page, server, { permission: "prompt" })[0], "LocalAsk");
});

test("a diagnosis compares versions and checks whether the server allows the page", () => {
  const greeted = (version, isAllowed = true) => ({
    greeting: { version, origin: "", is_allowed: isAllowed },
  });
  const reasons = (greeting) => why("http://a", "http://b", { hasAnswer: true, ...greeting });
  assert.deepEqual(reasons(greeted("0.1.4")), []);
  assert.deepEqual(reasons(greeted("0.1.4", false)), ["Origin"]);
  assert.deepEqual(reasons(greeted("0.2.0")), ["Old.Module"]);
  assert.deepEqual(reasons(greeted("0.0.9")), ["Old.Server"]);
  assert.deepEqual(reasons(greeted("1.0.0")), ["Old.Module"]);
  const [[, { origin }]] = diagnose(
    {
      page: "https://vtt.example.org/game",
      server: "http://b",
      hasAnswer: true,
      ...greeted("0.1.0", false),
    },
    "0.1.0",
  );
  assert.equal(origin, "https://vtt.example.org");
});
