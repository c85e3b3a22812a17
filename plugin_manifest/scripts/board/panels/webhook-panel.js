/** Posting the table's log to a webhook: set, clear, try, and how it went last. For the GM. */

import { el } from "../../core/ui/dom.js";
import { button, field, submitHandler, section } from "../../core/ui/controls.js";

/** @import {WebhookState} from "../../../types/contract.js" */
/** @import {GmCommands} from "../../core/game/gm-commands.js" */
/** @import {Store} from "../../core/game/store.js" */

/**
 * The section for the webhook, hidden where the server posts nowhere. It is made once, so that nothing that is
 * being typed is lost when the table moves on.
 * @param {{store: Store, commands: GmCommands}} parts
 * @returns {HTMLElement}
 */
export function webhookPanel({ store, commands }) {
  const url = urlField();
  const says = el("p", { class: "quiet", id: "webhook-says", role: "status" });
  const submit = el("button", { type: "submit", id: "webhook-set" }, "Set");
  const save = submitHandler(async () => {
    if (await commands.setWebhook(url.value.trim())) url.value = "";
  });
  const form = el("form", { class: "form inline", onsubmit: save }, field("Webhook URL", url), submit);
  const test = button("webhook-test", "Test", () => commands.testWebhook());
  const clear = button("webhook-clear", "Stop posting", () => commands.setWebhook(""));
  const host = section("Post the log", form, says, el("p", { class: "buttons" }, test, clear));
  const show = (/** @type {WebhookState | null | undefined} */ state) => {
    host.hidden = !state;
    test.disabled = clear.disabled = !state?.host;
    const sentence = state ? webhookStatus(state) : "";
    if (says.textContent !== sentence) says.textContent = sentence;
  };
  store.subscribe(({ replica }) => show(replica?.webhook));
  show(store.state.replica?.webhook);
  return host;
}

/** The URL is a password: it does not show on a shared screen, and no browser is to keep it. */
function urlField() {
  return el("input", {
    id: "webhook-url",
    type: "password",
    required: true,
    maxLength: 1000,
    autocomplete: "off",
    placeholder: "https://…",
  });
}

/**
 * What is to be said of a webhook.
 * @param {WebhookState} state
 * @returns {string}
 */
export function webhookStatus({ hosts, host, outcome, at_ms: at, is_stopped: isStopped }) {
  if (!host) return `The log is posted nowhere. This server can post to ${hosts.join(", ")}.`;
  if (!outcome) return `The log is posted to ${host}; nothing was sent yet.`;
  const end = isStopped ? " It was given up; Test begins again where it stopped." : "";
  return `${outcome} (${new Date(at).toLocaleTimeString()})${end}`;
}
