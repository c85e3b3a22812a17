// Which pictures of Foundry's tokens are uploaded, and how often.

import assert from "node:assert/strict";
import { test } from "node:test";
import { TokenPictures, sourceOf } from "../../../plugin_manifest/scripts/foundry/sync/token-pictures.js";

const token = (id, src) => ({ _id: id, texture: { src } });

test("default pictures, videos and missing pictures are left out; queries and fragments count for nothing", () => {
  assert.equal(sourceOf(token("a", "worlds/w/anna.webp")), "worlds/w/anna.webp");
  for (const src of ["icons/svg/mystery-man.svg", "a/fire.WEBM", "a/fire.mp4?v=2", "", null, undefined, 7])
    assert.equal(sourceOf(token("a", src)), "");
  assert.equal(sourceOf({ _id: "a" }), "");
});

test("a picture is requested once, however many tokens have it, and a refused one is not tried again", async () => {
  const loaded = [];
  const load = async (source) => {
    loaded.push(source);
    throw new TypeError("not read"); // as for a picture of a site that forbids it
  };
  const pictures = new TokenPictures({ url: "", table: "t", key: "k" }, load);
  const tokens = [token("a", "x.png"), token("b", "x.png"), token("c", "y.png")];
  assert.deepEqual(await pictures.upload(tokens, () => ""), []);
  assert.deepEqual(await pictures.upload(tokens, () => ""), []);
  assert.deepEqual(loaded, ["x.png", "y.png"]);
  assert.equal(pictures.addressOf(tokens[0]), "");
});

test("a token with a picture at the table is left alone until its picture in Foundry changes", async () => {
  const loaded = [];
  const load = async (source) => {
    loaded.push(source);
    throw new TypeError("not read");
  };
  const pictures = new TokenPictures({ url: "", table: "t", key: "k" }, load);
  await pictures.upload([token("a", "x.png")], () => "/api/tables/t/assets/own");
  assert.deepEqual(loaded, []);
  pictures.change("a");
  await pictures.upload([token("a", "x.png")], () => "/api/tables/t/assets/own");
  assert.deepEqual(loaded, ["x.png"]);
});
