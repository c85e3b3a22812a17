/** Settings of this browser: theme, contrast, sound, language. They are kept in the browser's storage. */

import { field, selectField } from "../../core/ui/controls.js";
import { el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { LANGUAGES } from "../../core/ui/language.js";

/** @type {Record<string, string[]>} the choices of each setting; the first is the default */
const SETTINGS = {
  theme: ["system", "dark", "light"],
  contrast: ["normal", "high"],
  sound: ["off", "on"],
  language: ["browser", ...LANGUAGES],
};

/** @param {string} name of a setting @returns {string} its value */
export function setting(name) {
  const known = read(name);
  return known && SETTINGS[name].includes(known) ? known : SETTINGS[name][0];
}

/** The choices of this page: some browsers deny a page their storage. @type {Map<string, string>} */
const chosen = new Map();

/** @param {string} name */
function read(name) {
  try {
    return localStorage.getItem(`enfilade.${name}`);
  } catch {
    return chosen.get(name) ?? null;
  }
}

/** Keep a setting, and show the page by it. @param {string} name @param {string} value */
function choose(name, value) {
  chosen.set(name, value);
  try {
    localStorage.setItem(`enfilade.${name}`, value);
  } catch {
    // kept for this visit only
  }
  if (name === "language")
    location.reload(); // every text of the page
  else applyDisplay();
}

/** Set the page's theme and contrast as this browser wants them. */
export function applyDisplay() {
  const isLight = matchMedia("(prefers-color-scheme:light)").matches;
  const theme = setting("theme");
  document.documentElement.dataset.theme = theme === "system" ? (isLight ? "light" : "dark") : theme;
  const wantsMore = matchMedia("(prefers-contrast:more)").matches;
  document.documentElement.dataset.contrast = wantsMore ? "high" : setting("contrast");
  document.dispatchEvent(new Event("displaychange"));
}

/** A list with the choices of a setting. @param {string} name */
export function settingField(name) {
  const title = localize(`Display.${name}.Title`);
  const options = SETTINGS[name].map(
    (one) => /** @type {[string, string]} */ ([one, localize(`Display.${name}.${one}`)]),
  );
  const list = selectField(`display-${name}`, options, setting(name));
  list.onchange = () => choose(name, list.value);
  return field(title, list);
}

/** Let a button change between the dark theme and the light one. @param {HTMLElement} button */
export function themeSwitch(button) {
  button.onclick = () => {
    choose("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    const list = document.getElementById("display-theme");
    if (list instanceof HTMLSelectElement) list.value = setting("theme");
  };
}

/** Let a button open the settings. @param {HTMLElement} opener */
export function displaySettings(opener) {
  const fields = Object.keys(SETTINGS).map(settingField);
  const close = el("button", { class: "primary" }, localize("Window.Close"));
  const dialog = el(
    "dialog",
    { class: "help", "aria-labelledby": "display-title" },
    el("h2", { id: "display-title" }, localize("Display.Title")),
    ...fields,
    el("form", { method: "dialog" }, close),
  );
  document.body.append(dialog);
  opener.onclick = () => dialog.showModal();
  matchMedia("(prefers-color-scheme:light)").addEventListener("change", applyDisplay);
}
