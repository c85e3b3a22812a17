/** The replay of the battle on the board: scrub to a moment, see the overlays of that moment, and link to it. */

import { Past, PAGE } from "../../core/game/past.js";
import { PastOverlays } from "../../core/game/past-overlays.js";
import { neededLayers } from "../../core/game/layers.js";
import { canPlay, hasChanged } from "../../core/game/store.js";
import { RequestError } from "../../core/table/credentials.js";
import { readTable } from "../../core/table/reading.js";
import { TimeBar } from "../../core/ui/time-bar.js";
import { button } from "../../core/ui/controls.js";
import { byId, el } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";
import { toBoard, tokenAt } from "../page/camera.js";

/** @import {Moment} from "../../core/game/past.js" */
/** @import {Notices} from "../../../types/page.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */
/** @import {Page} from "../page/page-state.js" */
/** @import {Scene} from "../../../types/contract.js" */

/**
 * An overlay is asked for, and the address changes, when the person rests at a moment for this time. Browsers refuse an
 * address that changes with each of 30 entries a second. While the battle plays, the overlays are read ahead.
 */
const REST_MS = 150;

/**
 * @param {HTMLElement} host
 * @param {HTMLElement} board gets the focus when the replay closes
 * @param {{store: Store, page: Page, session: Session, notices: Notices}} parts
 */
export function pastPanel(host, board, { store, page, session, notices }) {
  /** @type {TimeBar | null} */
  let bar = null;
  /** @type {string | null} the unit whose overlay is shown */
  let selected = null;
  /** @type {PastOverlays | null} those of the selected unit in the layers that are on */
  let overlays = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let addressTimer;
  const { link } = session.client;
  const read = (/** @type {string} */ path) => readTable(link, path);
  const fail = (/** @type {unknown} */ error) => {
    if (!(error instanceof RequestError)) throw error;
    notices.error(error.message);
  };
  const shield = el("div", { id: "past-shield", title: localize("Past.Shield") });
  shield.onclick = ({ offsetX, offsetY }) => {
    const { past, camera } = page.state;
    if (!past) return;
    const found = tokenAt(past.replica.scene, toBoard(camera, [offsetX, offsetY]));
    selected = found?.id ?? null;
    overlays = null;
    page.set({ past: { ...past, selected, overlay: null } });
    if (bar) requestOverlay(bar.number);
  };

  /** Return the overlays of the selected unit, if the seat may ask for it in this scene. @param {Scene} scene */
  const overlaysIn = (scene) => {
    const { layers, replica } = store.state;
    const token = scene.tokens.find(({ id }) => id === selected);
    if (!replica || !token || (replica.role === "player" && !canPlay(store.state, token))) return null;
    const wanted = encodeURIComponent(neededLayers(replica.ruleset, layers).join(","));
    overlays ??= new PastOverlays(async (start, limit) => {
      const asked = `token=${encodeURIComponent(token.id)}&at=${start}&limit=${limit}&layers=${wanted}`;
      return (await read(`replay?${asked}`)).overlays;
    });
    return overlays;
  };

  const requestOverlay = (/** @type {number} */ number) => {
    clearTimeout(timer);
    if (!selected) return;
    timer = setTimeout(async () => {
      const { past } = page.state;
      const asked = past && overlaysIn(past.replica.scene);
      if (!asked) return;
      try {
        const overlay = await asked.at(number);
        const now = page.state.past;
        if (now && bar?.number === number && overlays === asked) page.set({ past: { ...now, overlay } });
      } catch (error) {
        fail(error);
      }
    }, REST_MS);
  };

  const show = (/** @type {Moment} */ moment) => {
    const { replica } = store.state;
    if (!replica) return;
    const { scene, regions, entry, number } = moment;
    const overlay = overlaysIn(scene)?.peek(number) ?? null;
    const step = entry?.facts?.token
      ? [{ text: "", token: entry.facts.token, target: entry.facts.target ?? "", changes: [] }]
      : [];
    page.set({
      past: {
        number,
        replica: { ...replica, scene, regions, log: replica.log },
        overlay,
        selected,
        step,
      },
    });
    if (!overlay) requestOverlay(number);
    else clearTimeout(timer);
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => setAddress(number), REST_MS);
  };

  const open = async (/** @type {number} */ at) => {
    const { replica } = store.state;
    if (!replica || bar) return;
    const past = new Past((start) => read(`replay?start=${start}&limit=${PAGE}`));
    const copy = button("past-link", localize("Past.Link"), () => copyLink(notices, bar?.number ?? at));
    bar = new TimeBar(host, {
      last: replica.seq,
      moment: (number) => past.moment(number),
      peek: (number) => past.peek(number),
      onShow: show,
      onFail: fail,
      prepare: ({ scene, number }) => overlaysIn(scene)?.play(number, bar?.last ?? number),
      onClose: close,
      tools: [copy],
    });
    board.append(shield);
    document.body.classList.add("has-past");
    bar.element.focus();
    await bar.go(at);
    if (!page.state.past) bar?.close(); // the first moment could not be read
  };

  const close = () => {
    bar = null;
    selected = overlays = null;
    clearTimeout(timer);
    clearTimeout(addressTimer);
    shield.remove();
    document.body.classList.remove("has-past");
    page.set({ past: null });
    setAddress(null);
    board.focus();
  };

  board.addEventListener("keydown", (event) => event.target === board && bar?.key(event));
  const opener = byId("past-open");
  opener.onclick = () => (bar ? bar.close() : open(store.state.replica?.seq ?? 0));
  byId("log-list").addEventListener("click", ({ target }) => {
    const item = target instanceof Element && target.closest(".log-seq")?.closest("[data-seq]");
    if (!(item instanceof HTMLElement) || !link.key) return;
    const number = Number(item.dataset.seq);
    if (bar) bar.go(number);
    else open(number);
  });
  page.subscribe(({ past }) => opener.setAttribute("aria-pressed", String(past !== null)));
  let isNew = true;
  store.subscribe((state, before) => {
    opener.hidden = !state.replica || !link.key;
    if (!state.replica) return;
    if (isNew) {
      isNew = false;
      const at = new URLSearchParams(location.hash.slice(1)).get("at");
      if (at !== null && /^\d{1,9}$/.test(at)) open(Math.min(Number(at), state.replica.seq));
    }
    if (!bar) return;
    if (hasChanged(state, before, "replica") && bar.last !== state.replica.seq) bar.grow(state.replica.seq);
    if (hasChanged(state, before, "layers")) {
      overlays = null;
      requestOverlay(bar.number);
    }
  });
}

/** Put a moment into the page's address, without a new step in the browser's history. @param {number | null} at */
function setAddress(at) {
  const parameters = new URLSearchParams(location.hash.slice(1));
  if (at === null) parameters.delete("at");
  else parameters.set("at", String(at));
  history.replaceState(null, "", `#${parameters}`);
}

/** Copy the link to the moment. It has no key: it opens where this browser, or another, has the table already. */
async function copyLink(/** @type {Notices} */ notices, /** @type {number} */ at) {
  const parameters = new URLSearchParams(location.hash.slice(1));
  parameters.set("at", String(at));
  parameters.delete("key");
  const address = `${location.origin}${location.pathname}#${parameters}`;
  try {
    await navigator.clipboard.writeText(address);
    notices.info(localize("Past.Copied"));
  } catch {
    notices.info(address); // no clipboard for pages over plain HTTP
  }
}
