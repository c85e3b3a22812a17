/** The detail below an unfolded line of the log, with the buttons that belong to the entry. */

import { html, nothing } from "../../../vendor/lit-html.min.js";
import { hasSteps } from "../game/replay.js";
import { localize } from "./i18n.js";
import { factDetails, isHiddenRoll, timeOf } from "./log-entry.js";
import { sentenceOf } from "./log-sentence.js";
import { sealedView } from "./sealed-view.js";

/** @import {LogEntry} from "../../../types/contract.js" */
/** @import {GmCommands} from "../game/gm-commands.js" */
/** @import {Session} from "../game/session.js" */
/** @import {Store} from "../game/store.js" */

/** The kinds of entries without a change of the scene. */
const NO_CHANGES = new Set([
  "note",
  "webhook.set",
  "webhook.test",
  "webhook.stopped",
  "secret",
  "dice.reveal",
]);

/**
 * Build the detail of an entry.
 * @param {LogEntry} entry
 * @param {{store: Store, session: Session, commands: GmCommands | null, markNames: (text: string) => unknown[],
 *   isFolded: boolean, isUndone: boolean, isRevealed: boolean}} parts `isFolded`: it is one of several of a line, whose
 *   sentence does not show; `isRevealed`: the face of its hidden roll is known
 */
export function entryDetail(entry, { store, session, commands, markNames, isFolded, isUndone, isRevealed }) {
  const { history, scene } = store.state.replica ?? {};
  const isUndoable = commands && !isUndone && history?.first && entry.seq >= history.first && isChange(entry);
  const isRevealable = isHiddenRoll(entry) && !isRevealed;
  const nameOf = (/** @type {string} */ id) => scene?.tokens.find((token) => token.id === id)?.name ?? id;
  const [sentence, rest] = sentenceOf(entry);
  const text = isFolded ? [sentence, rest].filter(Boolean).join(" ") : rest;
  return html`<div class="log-detail" data-seq=${entry.seq}>
    ${text ? html`<p>${markNames(text)}</p>` : nothing}${factDetails(entry.facts)}
    ${sealedView(entry, session.receipts, nameOf) ?? nothing}
    <p class="log-head">
      <span class="log-seq">${entry.seq}</span>${timeOf(entry) ?? nothing}
      ${isUndone ? html`<span class="undone-mark">${localize("Log.Undone")}</span>` : nothing}
      ${
        hasSteps(entry)
          ? html`<button type="button" class="log-replay" @click=${() => store.set({ replaying: entry })}>
              ▶ ${localize("Replay.Replay")}
            </button>`
          : nothing
      }
      ${
        isRevealable
          ? html`<button
              type="button"
              class="log-reveal"
              @click=${() => session.send("dice.reveal", { seq: entry.seq })}
            >
              ${localize("Log.Reveal")}
            </button>`
          : nothing
      }
      ${
        isUndoable
          ? html`<button type="button" class="log-undo" @click=${() => commands?.undoTo(entry.seq)}>
              ${localize("Log.UndoTo")}
            </button>`
          : nothing
      }
    </p>
  </div>`;
}

/** Return whether undo can take an entry back. @param {LogEntry} entry */
const isChange = ({ kind, undoes }) => !undoes && !NO_CHANGES.has(kind);
