// The stand-in host: offers the members that foundry.d.ts declares, loads the module by its manifest like Foundry,
// and calls Foundry's hooks. Synthetic; it proves nothing about a real Foundry.

import { ApplicationV2, DialogV2 } from "./applications.js";
import { Canvas } from "./canvas.js";
import { CanvasLayer } from "./canvas-layer.js";
import { dragged } from "./canvas-pointer.js";
import { expanded, freshId, merge } from "./changes.js";
import { Documents, collection, getters } from "./documents.js";
import { HookBook } from "./hooks.js";
import {
  Settings,
  keybindings,
  notifications,
  sceneControls,
  showMessage,
  translations,
} from "./interface.js";
import { roleOf } from "./roles.js";
import { systemRolls } from "./rolls.js";
import { Ruler, TokenRuler } from "./rulers.js";
import { secondModule } from "./second-module.js";
import { declare, isStrict, strict } from "./strict.js";

/** The settings by which systems hide results, with their defaults: C dnd5e:module/settings.mjs, pf2e:src/module/system/settings/metagame.ts. */
const SYSTEM_SETTINGS = {
  dnd5e: { attackRollVisibility: "none" },
  pf2e: {
    ...{ metagame_showDC: false, metagame_showResults: true, metagame_secretDamage: false },
    metagame_tokenSetsNameVisibility: false,
  },
};
const query = new URLSearchParams(location.search);
const user = query.get("user");
/** The setting core.language of the user. */
const LANGUAGE = query.get("language") ?? "en";
document.body.classList.add(`theme-${query.get("theme") ?? "dark"}`);
const page = freshId(); // a user may have two pages open; the channel's sender is the page
const state = await (await fetch(`/world.json?user=${user}`)).json();
declare(state.surface, state.rules);

const active = new Set([...state.active, user]);
const users = state.users.map((source) => ({ source, targets: new Set() }));
const userDocs = users.map(({ source, targets }) =>
  strict(
    "User",
    Object.defineProperties(
      { ...source, role: roleOf(source), targets, isSelf: source.id === user },
      getters({
        active: () => active.has(source.id),
        getFlag: () => (scope, key) => source.flags?.[scope]?.[key],
        setFlag: () => (scope, key, value) => post({ kind: "flag", user: source.id, scope, key, value }),
      }),
    ),
  ),
);
const me = userDocs.find((one) => one.isSelf);
let lastSent = Promise.resolve();
const hooks = new HookBook();
const heard = new Map();
// A user views any scene on this page alone; an activated one comes to all pages: D13 Scene#view, Scene#activate.
const documents = new Documents(state, { post, hooks, me, view: showScene });
const config = {
  Canvas: { layers: {}, ...(state.generation < 13 ? { rulerClass: Ruler } : {}) },
  ...(state.generation < 13
    ? {}
    : {
        Token: { rulerClass: TokenRuler, movement: { actions: { walk: {}, displace: { teleport: true } } } },
      }),
  statusEffects: statusEffects(),
  specialStatusEffects: { DEFEATED: "dead" },
};
const settings = new Settings(state.settings, { post });
for (const [key, value] of Object.entries(SYSTEM_SETTINGS[state.system] ?? {}))
  settings.register(state.system, key, { scope: "world", config: true, type: typeof value, default: value });
settings.register("core", "gridDiagonals", { scope: "world", config: false, type: Number, default: 0 });

window.host = {};
await setOut();
await loadModule(state.manifest);
hooks.callAll("init");
hooks.callAll("i18nInit");
hooks.callAll("setup");
await showScene(state.Scene.find((one) => one.active));
await window.ui.controls.render();
state.ChatMessage.forEach((message) => showMessage(message, me));
window.game.ready = true;
hooks.callAll("ready");
document.body.dataset.ready = "true";

/** Sends to the world, one request after the other like Foundry's one socket: parallel requests overtake each other. */
async function post(act) {
  const sent = lastSent.then(() =>
    fetch(`/act?user=${user}`, { method: "POST", body: JSON.stringify({ ...act, page }) }),
  );
  lastSent = sent.catch(() => {});
  const { done, error } = await (await sent).json();
  if (error) throw new Error(error);
  return done;
}

function statusEffects() {
  const ofSystem = { dnd5e: ["coverHalf", "coverThreeQuarters", "coverTotal"] }[state.system] ?? [];
  const all = ["dead", "prone", "stunned", ...ofSystem].map((id) => ({ id, name: id, img: "" }));
  return state.generation >= 14 ? Object.fromEntries(all.map((one) => [one.id, one])) : all;
}

async function setOut() {
  const { generation } = state;
  const board = new Canvas(documents, {
    hooks,
    me,
    generation,
    config,
    diagonals: () => settings.get("core", "gridDiagonals"),
    sharpness: state.sharpness,
    hasCanvas: state.hasCanvas,
  });
  documents.canvas = board;
  board.self = board.offered();
  const language = {};
  const offered = {
    game: game(),
    canvas: board.self,
    Hooks: strict("Hooks", bound(hooks, ["on", "once", "off", "callAll"])),
    CONFIG: strict("Config", config),
    CONST: strict("Const", { CHAT_MESSAGE_STYLES: { OTHER: 0, OOC: 1, IC: 2, EMOTE: 3 } }),
    ui: strict("Ui", { notifications: notifications(), controls: sceneControls(generation, hooks) }),
    foundry: strict("Namespace", {
      applications: { api: { ApplicationV2, DialogV2: strict("DialogV2Class", DialogV2) } },
      ...canvasNamespace(generation),
    }),
    ChatMessage: chatMessages(),
    Roll: strict("RollClass", { fromData: rollFrom }),
    ...(generation < 13 ? { CanvasLayer: CanvasLayer.of(generation) } : {}),
  };
  // A user's drag; `update` alone is a program's move from 13 on: D13 TokenMovementMethod.
  const drag = (id, to) => board.self.scene.tokens.get(id).update(to, dragged(generation));
  const drop = (id, to) => documents.actors.drop(id, to);
  const rolls = systemRolls(documents, { generation, hooks, me });
  Object.assign(window.host, { board, language, state, documents, drag, drop, rolls });
  Object.assign(window, offered, { secondModule: secondModule(documents, { generation, hooks }) });
  await listen();
}

/** In 12 there is a `foundry.canvas`, but no `layers` in it. */
function canvasNamespace(generation) {
  if (generation >= 13) return { canvas: { layers: { CanvasLayer: CanvasLayer.of(generation) } } };
  return isStrict("namespace") ? { canvas: {} } : {};
}

function game() {
  const tops = (type) => documents.collection(type);
  const face = {
    release: { generation: state.generation },
    version: `${state.generation}.300`,
    ready: false,
    world: { id: "the-world", title: "The world" },
    system: { id: state.system, title: state.system },
    user: me,
    users: collection(() => userDocs, {
      activeGM: () => designatedGm(),
    }),
    settings: strict("Settings", bound(settings, ["register", "registerMenu", "get", "set"])),
    keybindings: keybindings(),
    socket: strict("ModuleSocket", { emit, on: (channel, act) => heard.set(channel, act) }),
    i18n: translations((state.language ??= {}), LANGUAGE),
  };
  const module = strict("Module", {
    id: state.manifest.id,
    version: state.manifest.version,
    active: true,
    api: null,
  });
  const others = (state.modules ?? []).map((id) =>
    strict("Module", { id, version: "1", active: true, api: null }),
  );
  const views = getters({
    scenes: () =>
      collection(
        () => tops("Scene").contents,
        { active: () => tops("Scene").find((one) => one.active) ?? null },
        "Scenes",
      ),
    actors: () => tops("Actor"),
    combats: () => tops("Combat"),
    combat: () => tops("Combat").find((one) => one.active) ?? null,
    messages: () => tops("ChatMessage"),
    modules: () => collection(() => [module, ...others]),
  });
  return strict("Game", Object.defineProperties(face, views));
}

/** The active GM of the highest role, the lowest ID among equals: I#11242, I#11678. */
function designatedGm() {
  const gms = userDocs.filter((one) => one.isGM && one.active);
  if (!isStrict("active-gm")) return gms[0] ?? null;
  return gms.toSorted((a, b) => b.role - a.role || (a.id < b.id ? -1 : 1))[0] ?? null;
}

function emit(channel, data, { recipients } = {}) {
  const plain = JSON.parse(JSON.stringify(data));
  post({ kind: "socket", channel, data: plain, recipients: recipients ?? null });
}

function chatMessages() {
  return strict("ChatMessageClass", {
    create: (data, options) => {
      const { rolls = [], ...rest } = data;
      const row = {
        author: me.id,
        flags: {},
        ...rest,
        rolls: rolls.map((roll) => JSON.stringify(roll.toJSON())),
      };
      return documents.change({ action: "create", type: "ChatMessage", rows: [row], options });
    },
    getSpeaker: ({ token, alias }) => ({ token: token?.id ?? null, alias: alias ?? token?.name }),
    getWhisperRecipients: (name) => userDocs.filter((one) => (name === "GM" ? one.isGM : one.name === name)),
  });
}

function rollFrom(data) {
  return strict("Roll", { formula: data.formula, total: data.total, toJSON: () => data });
}

function bound(object, names) {
  return Object.fromEntries(names.map((name) => [name, object[name].bind(object)]));
}

/** Receives the world's messages, in order. */
function listen() {
  const source = new EventSource(`/events?user=${user}`);
  const take = {
    documents: (message) => {
      documents.take(message);
      if (message.change.type === "ChatMessage" && message.change.action === "create")
        for (const row of message.change.rows) showMessage(row, me);
      const shown = message.change.type === "Scene" && message.change.rows.find((row) => row.active);
      if (shown) showScene(state.Scene.find((one) => one._id === shown._id));
    },
    setting: (message) => settings.take(message),
    flag: ({ user: id, scope, key, value }) => {
      const source = state.users.find((one) => one.id === id);
      merge((source.flags ??= {}), { [scope]: { [key]: value } });
      const changes = { flags: { [scope]: { [key]: value } } };
      hooks.callAll(
        "updateUser",
        userDocs.find((one) => one.id === id),
        changes,
        {},
        user,
      );
    },
    stop: (message) => documents.stopped(message),
    socket: (message) => message.page !== page && heard.get(message.channel)?.(message.data, message.sender),
    connected: (message) => {
      if (message.active) active.add(message.user);
      else active.delete(message.user);
      hooks.callAll(
        "userConnected",
        userDocs.find((one) => one.id === message.user),
        message.active,
      );
    },
  };
  source.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    take[message.kind](message);
  };
  return new Promise((resolve) => (source.onopen = resolve));
}

async function loadModule({ id, styles, languages, esmodules }) {
  for (const style of styles) {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet" });
    link.href = `/modules/${id}/${style}`;
    document.head.append(link);
  }
  // As Foundry: English below the texts of the user's own language.
  const spoken = languages.filter(({ lang }) => ["en", LANGUAGE].includes(lang));
  for (const { path } of spoken.sort(({ lang }) => (lang === "en" ? -1 : 1))) {
    const texts = await (await fetch(`/modules/${id}/${path}`)).json();
    merge(state.language, expanded(texts));
  }
  for (const path of esmodules) await import(`/modules/${id}/${path}`);
}

async function showScene(source, level) {
  if (!source || !state.hasCanvas) return undefined; // no active scene, or the canvas is disabled on this client
  return documents.canvas.view(documents.of("Scene", source), level);
}
