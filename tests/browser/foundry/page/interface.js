// Notifications, scene controls, chat, settings and keys. Chat and notifications take HTML.

import { strict } from "./strict.js";

const at = (id) => document.getElementById(id);

/** Notifications at the top of the page. */
export function notifications() {
  const tell = (kind) => (message) => {
    const line = document.createElement("li");
    line.className = kind;
    line.innerHTML = message;
    at("notifications").append(line);
    return line;
  };
  return strict("Notifications", { info: tell("info"), warn: tell("warning"), error: tell("error") });
}

/** The scene controls' tools: an array in 12, a record from 13 on. */
export function sceneControls(generation, hooks) {
  const draw = () => {
    const controls = bareControls(generation);
    hooks.callAll("getSceneControlButtons", controls);
    at("controls").replaceChildren(...Object.values(controls).flatMap((group) => buttons(group, generation)));
  };
  const target = generation < 13 ? { initialize: draw, render: draw } : { render: draw };
  return strict("ControlsApplication", target);
}

function bareControls(generation) {
  if (generation < 13)
    return [{ name: "token", title: "Token Controls", layer: "tokens", icon: "", tools: [] }];
  return {
    tokens: { name: "tokens", title: "Token Controls", layer: "tokens", icon: "", order: 1, tools: {} },
  };
}

function buttons({ tools }, generation) {
  return Object.values(tools)
    .filter((tool) => tool.visible ?? true)
    .map((tool) => {
      const button = document.createElement("button");
      button.dataset.tool = tool.name;
      button.title = window.game.i18n.localize(tool.title);
      button.textContent = button.title;
      if (tool.toggle) button.setAttribute("aria-pressed", String(tool.active ?? false));
      button.onclick = (event) => {
        const isActive = tool.toggle ? !(tool.active ?? false) : true;
        tool.active = tool.toggle ? isActive : tool.active;
        if (tool.toggle) button.setAttribute("aria-pressed", String(isActive));
        if (generation < 13) tool.onClick(isActive);
        else tool.onChange(event, isActive);
      };
      return button;
    });
}

/** Shows a chat message if it is for this user. */
export function showMessage(message, me) {
  const { whisper = [], content, flavor = "", rolls = [], author } = message;
  if (whisper.length && !whisper.includes(me.id) && author !== me.id) return;
  const line = document.createElement("li");
  line.className = "chat-message";
  line.dataset.messageId = message._id;
  line.innerHTML = `<span class="flavor-text">${flavor}</span><div class="message-content">${content}</div>`;
  for (const roll of rolls.map((one) => JSON.parse(one))) {
    const dice = document.createElement("div");
    dice.className = "dice-roll";
    dice.textContent = `${roll.formula} = ${roll.total}: ${roll.terms.flatMap((term) => term.results ?? []).map((one) => one.result)}`;
    line.append(dice);
  }
  at("chat").append(line);
}

/** Settings: all pages share the world's; a client's stay in its own storage. */
export class Settings {
  #known = new Map();

  constructor(world, { post }) {
    Object.assign(this, { world, post });
  }

  register(scope, key, config) {
    if (!["world", "client"].includes(config.scope)) throw new Error(`There is no scope ${config.scope}`);
    this.#known.set(`${scope}.${key}`, config);
  }

  registerMenu(scope, key, { name, type, restricted }) {
    if (restricted && !window.game.user.isGM) return;
    const button = document.createElement("button");
    button.dataset.menu = `${scope}.${key}`;
    button.textContent = window.game.i18n.localize(name);
    button.onclick = () => new type().render({ force: true });
    at("menus").append(button);
  }

  get(scope, key) {
    const path = `${scope}.${key}`;
    const config = this.#known.get(path);
    if (!config) throw new Error(`The setting ${path} is not registered`);
    const kept =
      config.scope === "client" ? JSON.parse(localStorage.getItem(path) ?? "null") : this.world[path];
    return kept ?? config.default;
  }

  async set(scope, key, value) {
    const path = `${scope}.${key}`;
    const config = this.#known.get(path);
    if (!config) throw new Error(`The setting ${path} is not registered`);
    if (config.scope === "world") return this.post({ kind: "setting", key: path, value });
    localStorage.setItem(path, JSON.stringify(value));
    config.onChange?.(value);
    return value;
  }

  /** Applies a world setting that a page has set. */
  take({ key, value }) {
    this.world[key] = value;
    this.#known.get(key)?.onChange?.(value);
  }
}

/** Calls the modules' key bindings. */
export function keybindings() {
  const bound = [];
  const modifiersOf = (event) =>
    ["Alt", "Control", "Shift"].filter((_, index) => [event.altKey, event.ctrlKey, event.shiftKey][index]);
  const act = (event, side) => {
    if (event.target.closest?.("input, textarea, select")) return;
    for (const { editable = [], [side]: call } of bound) {
      const fits = editable.some(
        ({ key, modifiers = [] }) =>
          key === event.code && `${modifiers.toSorted()}` === `${modifiersOf(event)}`,
      );
      if (fits && call?.()) event.preventDefault();
    }
  };
  window.addEventListener("keydown", (event) => act(event, "onDown"));
  window.addEventListener("keyup", (event) => act(event, "onUp"));
  return strict("Keybindings", { register: (scope, action, config) => bound.push(config) });
}

/** The page's translations; a missing key stands for itself. */
export function translations(language) {
  const find = (key) => key.split(".").reduce((here, step) => here?.[step], language);
  const localize = (key) => (typeof find(key) === "string" ? find(key) : key);
  const format = (key, data) => localize(key).replace(/\{(\w+)\}/g, (_, name) => data[name]);
  return strict("I18n", { localize, format, has: (key) => typeof find(key) === "string", lang: "en" });
}
