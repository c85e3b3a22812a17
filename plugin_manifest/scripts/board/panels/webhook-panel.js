/** The webhook that the table's log is posted to: set, clear, test, and its last result. GM only. */

import { button, field, section, submitHandler } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {WebhookState} from "../../../types/contract.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Store} from "../../core/game/store.js" */

/**
 * Build the section, which is hidden if the server allows no webhooks. Called once, so that typed text survives
 * updates of the table.
 * @param {{store: Store, commands: GmCommands}} parts
 * @returns {HTMLElement}
 */
export function webhookPanel({ store, commands }) {
  // The URL is a secret: it must not show on a shared screen, and the browser must not store it.
  const url = el("input", {
    id: "webhook-url",
    type: "password",
    required: true,
    maxLength: 1000,
    autocomplete: "off",
    placeholder: "https://…",
  });
  const status = el("p", { class: "quiet", id: "webhook-status", role: "status" });
  const submit = el("button", { type: "submit", id: "webhook-set" }, localize("Webhook.Save"));
  const save = submitHandler(async () => {
    if (await commands.setWebhook(url.value.trim())) url.value = "";
  });
  const form = el(
    "form",
    { class: "form inline", onsubmit: save },
    field(localize("Webhook.Url"), url),
    submit,
  );
  const test = button("webhook-test", localize("Webhook.Test"), () => commands.testWebhook());
  const clear = button("webhook-clear", localize("Webhook.Stop"), () => commands.setWebhook(""));
  const buttons = el("p", { class: "buttons" }, test, clear);
  const host = section(localize("Webhook.Title"), form, status, buttons);
  const show = (/** @type {WebhookState | null | undefined} */ state) => {
    host.hidden = !state;
    test.disabled = clear.disabled = !state?.host;
    const text = state ? webhookStatus(state) : "";
    if (status.textContent !== text) status.textContent = text;
  };
  store.subscribe(({ replica }) => show(replica?.webhook));
  show(store.state.replica?.webhook);
  return host;
}

/**
 * Describe a webhook's state in one sentence.
 * @param {WebhookState} state
 * @returns {string}
 */
export function webhookStatus({ hosts, host, outcome, at_ms: at, is_stopped: isStopped }) {
  if (!host) return localize("Webhook.Off", { hosts: hosts.join(", ") });
  if (!outcome) return localize("Webhook.Pending", { host });
  const values = { outcome, time: new Date(at).toLocaleTimeString() };
  return localize(isStopped ? "Webhook.Stopped" : "Webhook.Result", values);
}
