// Notifications, scene controls, chat, settings and keys. Chat and notifications take HTML.

import { isStrict, strict } from "./strict.js";

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

/**
 * The scene controls' tools: an array in 12, a record from 13 on. The tools are asked for by `initialize` in 12, by
 * `render` with `reset` from 13 on; any other call draws the known ones again.
 */
export function sceneControls(generation, hooks) {
  let controls = null;
  const draw = () =>
    at("controls").replaceChildren(...Object.values(controls).flatMap((group) => buttons(group, generation)));
  const prepare = () => {
    controls = bareControls(generation);
    hooks.callAll("getSceneControlButtons", controls);
    Object.values(controls).forEach((group) => mustBeWhole(group, generation));
    draw();
  };
  if (!isStrict("controls"))
    return strict(
      "ControlsApplication",
      generation < 13 ? { initialize: prepare, render: prepare } : { render: prepare },
    );
  const render = (options) => (controls && !(generation >= 13 && options?.reset) ? draw() : prepare());
  const initialize = generation < 13 ? prepare : () => console.warn("SceneControls#initialize is deprecated");
  return strict("ControlsApplication", { initialize, render });
}

const SELECT = { name: "select", title: "Select Tokens", icon: "fa-solid fa-expand" };

function bareControls(generation) {
  if (generation < 13)
    return [
      {
        name: "token",
        title: "Token Controls",
        layer: "tokens",
        icon: "",
        activeTool: "select",
        tools: [SELECT],
      },
    ];
  const tools = { select: { ...SELECT, order: 0 } };
  return {
    tokens: { name: "tokens", title: "Token Controls", icon: "", order: 1, activeTool: "select", tools },
  };
}

/** A group's active tool is one of its own, and no button; its layer exists in 12: D12 SceneControl, D13 D14 SceneControl. */
function mustBeWhole({ name, title, icon, activeTool, tools, layer, order }, generation) {
  const active = Object.values(tools).find((tool) => tool.name === activeTool);
  const isPlaced = generation < 13 ? layer in window.canvas : Number.isFinite(order);
  if (!title || icon === undefined || !isPlaced) throw new Error(`The control group ${name} lacks a field`);
  if (!active || active.button || active.toggle)
    throw new Error(`The control group ${name} has no active tool`);
}

function buttons({ name: group, tools }, generation) {
  return Object.values(tools)
    .filter((tool) => tool.visible ?? true)
    .map((tool) => {
      const button = document.createElement("button");
      button.dataset.tool = tool.name;
      button.dataset.group = group;
      button.className = `ui-control tool icon ${tool.icon}`;
      button.title = window.game.i18n.localize(tool.title);
      button.setAttribute("aria-label", button.title);
      if (tool.toggle) button.setAttribute("aria-pressed", String(tool.active ?? false));
      button.onclick = (event) => {
        const isActive = tool.toggle ? !(tool.active ?? false) : true;
        tool.active = tool.toggle ? isActive : tool.active;
        if (tool.toggle) button.setAttribute("aria-pressed", String(isActive));
        if (generation < 13) tool.onClick?.(isActive);
        else tool.onChange?.(event, isActive);
      };
      return button;
    });
}

/**
 * Shows a chat message. As in core, rolls are drawn in place of content without child elements, and a whisper with
 * rolls is shown to all, to others without its content.
 */
export function showMessage(message, me) {
  const { whisper = [], flavor = "", rolls = [], author } = message;
  const isForMe = !whisper.length || whisper.includes(me.id) || author === me.id;
  if (!isForMe && !(rolls.length && isStrict("private-rolls"))) return;
  const line = document.createElement("li");
  line.className = "chat-message";
  line.dataset.messageId = message._id;
  line.innerHTML = isForMe
    ? `<span class="flavor-text">${enriched(flavor)}</span><div class="message-content">${enriched(message.content)}</div>`
    : `<span class="flavor-text">privately rolled some dice</span><div class="message-content">?</div>`;
  const content = line.querySelector(".message-content");
  const dice = isForMe ? rolls.map((one) => diceOf(JSON.parse(one))) : [];
  if (!isStrict("chat-rolls")) line.append(...dice);
  else if (dice.length && !content.childElementCount) content.replaceChildren(...dice);
  at("chat").append(line);
}

/**
 * Enriches HTML as core and systems do: inline rolls, links to documents, enrichers of systems, addresses. It sees the
 * text behind entities: D13 TextEditor.enrichHTML.
 */
function enriched(html) {
  if (!isStrict("enriched-chat")) return html;
  const holder = document.createElement("div");
  holder.innerHTML = html;
  const texts = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) if (ENRICHED.test(texts.currentNode.data)) found.push(texts.currentNode);
  for (const node of found) {
    const link = Object.assign(document.createElement("a"), {
      className: "enriched",
      textContent: node.data,
    });
    node.replaceWith(link);
  }
  return holder.innerHTML;
}

const ENRICHED = /\[\[.*?\]\]|[@&]\w+\[[^\]]+\]|https?:\/\//;

function diceOf({ formula, total, terms }) {
  const dice = Object.assign(document.createElement("div"), { className: "dice-roll" });
  const faces = terms.flatMap((term) => term.results ?? []).map(({ result }) => result);
  dice.textContent = `${formula} = ${total}: ${faces}`;
  return dice;
}

/** Settings: all pages share the world's; a client's stay in its own storage. */
export class Settings {
  #known = new Map();
  /** The ends of this page's own changes, by the settings' paths. */
  #awaited = new Map();

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
    if (config.scope === "world") {
      // The answer comes when this page has the value too: D13 ClientSettings#set.
      const taken = new Promise((resolve) =>
        this.#awaited.set(path, [...(this.#awaited.get(path) ?? []), resolve]),
      );
      const done = await this.post({ kind: "setting", key: path, value });
      await taken;
      return done;
    }
    localStorage.setItem(path, JSON.stringify(value));
    config.onChange?.(value);
    return value;
  }

  /** Applies a world setting that a page has set. */
  take({ key, value }) {
    this.world[key] = value;
    this.#known.get(key)?.onChange?.(value);
    for (const end of this.#awaited.get(key) ?? []) end();
    this.#awaited.delete(key);
  }
}

/** The keys that core has taken, as Modifier+Code; they never reach a module. */
const CORE_KEYS = new Set([
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((digit) => [`Digit${digit}`, `Alt+Digit${digit}`]),
  ...["KeyW", "KeyA", "KeyS", "KeyD", "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "Space", "Tab"],
  ...["Escape", "Delete", "Backspace", "KeyC", "KeyT", "KeyV", "KeyF", "KeyM", "BracketLeft", "BracketRight"],
  ...["KeyA", "KeyC", "KeyV", "KeyX", "KeyZ"].map((key) => `Control+${key}`),
]);

const isCoreKey = (event, modifiers) =>
  isStrict("core-keys") && CORE_KEYS.has([...modifiers, event.code].join("+"));

/** Calls the modules' key bindings. */
export function keybindings() {
  const bound = [];
  const modifiersOf = (event) =>
    ["Alt", "Control", "Shift"].filter((_, index) => [event.altKey, event.ctrlKey, event.shiftKey][index]);
  const act = (event, side) => {
    if (event.target.closest?.("input, textarea, select") || isCoreKey(event, modifiersOf(event))) return;
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
  window.host.coreConflicts = () =>
    bound
      .flatMap(({ editable = [] }) => editable)
      .filter(
        ({ key, modifiers = [] }) =>
          modifiers.includes("Alt") || CORE_KEYS.has([...modifiers, key].join("+")),
      );
  return strict("Keybindings", { register: (scope, action, config) => bound.push(config) });
}

/** The page's translations; a missing key stands for itself. */
export function translations(language, lang) {
  const find = (key) => key.split(".").reduce((here, step) => here?.[step], language);
  const localize = (key) => (typeof find(key) === "string" ? find(key) : key);
  const format = (key, data) => localize(key).replace(/\{(\w+)\}/g, (_, name) => data[name]);
  return strict("I18n", { localize, format, has: (key) => typeof find(key) === "string", lang });
}
