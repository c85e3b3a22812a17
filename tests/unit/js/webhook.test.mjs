import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookStatus } from "../../../plugin_manifest/scripts/board/panels/webhook-panel.js";

const STATE = { hosts: ["discord.com"], host: "discord.com", outcome: "", at_ms: 0, is_stopped: false };

test("without a webhook the status lists the allowed hosts", () => {
  assert.match(webhookStatus({ ...STATE, host: "" }), /not posted.* can post to discord\.com/);
});

test("the status has the last outcome with its time, and what to do after posting stopped", () => {
  assert.match(webhookStatus(STATE), /Nothing has been sent yet/);
  const said = { ...STATE, outcome: "Posted to discord.com.", at_ms: Date.UTC(2026, 0, 1) };
  assert.match(webhookStatus(said), /^Posted to discord\.com\. \(.*\)$/);
  assert.match(webhookStatus({ ...said, is_stopped: true }), /stopped\. Test resumes/);
});
