/**
 * The forecast: many continuations of the battle from this moment, with progress and a button that stops them; the
 * chance of each side to win, the rounds left, and the units that are likely to fall.
 */

import { RequestError } from "../../core/table/connection.js";
import { formatChance } from "../../core/dice/notation.js";
import { field, selectField } from "../../core/ui/controls.js";
import { el, replaceContent } from "../../core/ui/dom.js";
import { localize } from "../../core/ui/i18n.js";

/** @import {Forecast, Sent} from "../../../types/contract.js" */
/** @import {Session} from "../../core/game/session.js" */
/** @import {Store} from "../../core/game/store.js" */

/** The time between two questions how far the forecast is. */
const POLL_MS = 500;
/** The continuations to choose from: more take longer and are more exact. */
const COUNTS = ["100", "300", "1000"];
/** The units that the list names: those most likely to fall. */
const NAMED = 8;

/**
 * Fill an element with the forecast's buttons, its progress and its result.
 * @param {HTMLElement} host
 * @param {{store: Store, session: Session}} parts
 */
export function forecastPanel(host, { store, session }) {
  let forecast = "";
  const list = selectField(
    "forecast-count",
    COUNTS.map((count) => [count, localize("Forecast.Count", { count })]),
    COUNTS[0] ?? "",
  );
  const start = el(
    "button",
    { type: "button", id: "forecast-start", onclick: () => run(Number(list.value)) },
    localize("Forecast.Start"),
  );
  const stop = el(
    "button",
    {
      type: "button",
      id: "forecast-stop",
      hidden: true,
      onclick: () => ask("forecast.cancel", { forecast }),
    },
    localize("Forecast.Stop"),
  );
  const bar = el("progress", { hidden: true, "aria-label": localize("Forecast.Counting") });
  const answer = el("div", { class: "forecast-answer", "aria-live": "polite" });
  host.append(
    el(
      "details",
      {},
      el("summary", {}, localize("Forecast.Title")),
      el("p", {}, localize("Forecast.Explain")),
      field(localize("Forecast.Continuations"), list),
      start,
      stop,
      bar,
      answer,
    ),
  );

  const show = (/** @type {Forecast} */ found) => {
    const isRunning = found.state === "waiting" || found.state === "running";
    start.disabled = isRunning;
    stop.hidden = bar.hidden = !isRunning;
    bar.max = found.total;
    bar.value = found.played;
    const isOld = found.seq !== store.state.replica?.seq;
    replaceContent(answer, ...result(found, isOld));
    return isRunning;
  };
  const run = async (/** @type {number} */ count) => {
    let found = await ask("forecast.start", { count });
    forecast = found?.forecast ?? "";
    while (found && found.forecast === forecast && show(found)) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      found = await ask("forecast.read", { forecast });
    }
    if (!found) start.disabled = !(stop.hidden = bar.hidden = true);
  };

  /**
   * @template {"forecast.start" | "forecast.read" | "forecast.cancel"} K
   * @param {K} kind
   * @param {Sent.Commands[K]} body
   * @returns {Promise<Forecast | null>} null if refused
   */
  const ask = async (kind, body) => {
    try {
      const ack = await session.client.send(kind, body, null);
      return /** @type {Forecast} */ (ack.result);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      replaceContent(answer, el("p", {}, error.message));
      return null;
    }
  };
}

/** @param {Forecast} found @param {boolean} isOld whether the battle has gone on since @returns {HTMLElement[]} */
function result(found, isOld) {
  const { played, total, margin, sides, tokens, undecided, state } = found;
  if (state === "failed") return [el("p", {}, localize("Forecast.Failed"))];
  const progress = localize("Forecast.Played", { played, total, margin: Math.round(margin * 100) });
  const head = el("p", {}, played ? progress : localize("Forecast.Waiting"));
  if (!played) return [head];
  const wins = sides.map(({ name, chance }) =>
    el("li", {}, localize("Forecast.Wins", { name, chance: formatChance(chance) })),
  );
  const open = undecided[0]
    ? [el("li", {}, localize("Forecast.Open", { chance: formatChance(undecided) }))]
    : [];
  const fallen = tokens
    .filter(({ chance }) => chance[0])
    .slice(0, NAMED)
    .map(({ name, chance }) =>
      el("li", {}, localize("Forecast.Falls", { name, chance: formatChance(chance) })),
    );
  return [
    head,
    el("ul", { class: "forecast-wins" }, ...wins, ...open),
    el("p", {}, localize("Forecast.Rounds", { rounds: median(found.rounds) })),
    el("ul", { class: "forecast-fallen" }, ...fallen),
    ...(isOld ? [el("p", {}, localize("Forecast.Old"))] : []),
  ];
}

/** Return the number of rounds that half of the continuations do not exceed. @param {[number, number][]} rounds */
function median(rounds) {
  const half = rounds.reduce((sum, [, count]) => sum + count, 0) / 2;
  let sum = 0;
  return rounds.find(([, count]) => (sum += count) >= half)?.[0] ?? 0;
}
