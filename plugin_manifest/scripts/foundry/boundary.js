/**
 * The boundary between Foundry and the module: an error of the module is caught where Foundry calls it, leaves
 * Foundry working, and shows one notice with the part that failed and a button that copies a diagnosis.
 */

import { el } from "../core/ui/dom.js";
import { localize } from "../core/ui/i18n.js";
import { diagnosisText } from "./diagnosis-text.js";

/** @typedef {"init" | "setup" | "ready" | "layer" | "hook" | "socket" | "scene" | "key"} Part */

/** Parts whose failure this page has shown. @type {Set<string>} */
const shown = new Set();

/**
 * Returns a function that never throws: an error, also a late one of a promise, becomes a notice.
 * @template {unknown[]} A
 * @template R
 * @param {Part} part
 * @param {(...args: A) => R} act
 * @returns {(...args: A) => R | undefined}
 */
export function guarded(part, act) {
  return (...args) => {
    try {
      const result = act(...args);
      if (result instanceof Promise) result.catch((problem) => reportFailure(part, problem));
      return result;
    } catch (problem) {
      reportFailure(part, problem);
      return undefined;
    }
  };
}

/**
 * Registers a hook whose errors stay with the module.
 * @param {string} name
 * @param {(...args: any[]) => unknown} act
 * @returns {() => void} ends it
 */
export function onHook(name, act) {
  const id = Hooks.on(name, guarded("hook", act));
  return () => Hooks.off(name, id);
}

/**
 * Logs a failure and shows a notice, one for each part.
 * @param {Part} part
 * @param {unknown} problem
 */
export function reportFailure(part, problem) {
  console.warn("enfilade", part, problem);
  if (shown.has(part)) return;
  shown.add(part);
  const reason = problem instanceof Error ? problem.message : String(problem);
  // Plain elements: Foundry's own windows and notifications may be what failed.
  const copy = el("button", { type: "button", class: "enfilade-copy" }, localize("Failure.Copy"));
  copy.onclick = () =>
    copyText(copy, diagnosisText([`${part}: ${problem instanceof Error ? problem.stack : reason}`]));
  const close = el("button", { type: "button" }, localize("Failure.Close"));
  const notice = el(
    "aside",
    { class: "enfilade enfilade-failure", role: "alert" },
    el("p", {}, localize("Failure.Text", { part: localize(`Failure.Part.${part}`), reason })),
    copy,
    close,
  );
  close.onclick = () => notice.remove();
  document.body.append(notice);
}

/** @param {HTMLButtonElement} button says what came of it @param {string} text */
export async function copyText(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = localize("Failure.Copied");
  } catch {
    // Browsers give pages without https no clipboard: the text is there to select.
    const area = el("textarea", { readOnly: true, rows: 8 });
    area.value = text;
    button.replaceWith(area);
    area.select();
  }
}
