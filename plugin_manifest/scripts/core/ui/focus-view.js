/**
 * Focus fire: pick a target and attackers in order, and see the chance to bring it down, what is left over, and the
 * best order.
 */

import { RequestError } from "../table/connection.js";
import { formatChance } from "../dice/notation.js";
import { canPlay, hasChanged } from "../game/store.js";
import { field, selectField } from "./controls.js";
import { el, replaceContent } from "./dom.js";
import { localize } from "./i18n.js";
import { inNameOrder } from "./names.js";

/** @import {FocusFire, Scene, Token} from "../../../types/contract.js" */
/** @import {TableState} from "../../../types/page.js" */
/** @import {Session} from "../game/session.js" */
/** @import {Store} from "../game/store.js" */

/** The most attackers of one question, as the table limits them. */
const MOST = 6;

/**
 * Fill an element with the form and its answer.
 * @param {HTMLElement} host
 * @param {{store: Store, session: Session}} parts
 */
export function focusView(host, { store, session }) {
  /** @type {string[]} */
  let attackers = [];
  let target = "";
  let asked = 0;
  const form = el("div", {});
  const answer = el("div", { class: "focus-answer", "aria-live": "polite" });
  host.append(el("details", {}, el("summary", {}, localize("Focus.Title")), form, answer));

  const ask = async () => {
    const number = (asked += 1);
    const found = target && attackers.length ? await request(session, target, attackers) : null;
    if (number !== asked) return;
    const { scene } = store.state.replica ?? {};
    replaceContent(answer, ...(found && scene ? result(scene, found, useOrder) : []));
  };
  const useOrder = (/** @type {string[]} */ order) => {
    attackers = order;
    fill(store.state);
    ask();
  };
  const toggle = (/** @type {string} */ id) => {
    attackers = attackers.includes(id) ? attackers.filter((one) => one !== id) : [...attackers, id];
    fill(store.state);
    ask();
  };
  const fill = (/** @type {TableState} */ state) => {
    const tokens = inNameOrder(state.replica?.scene.tokens.filter(({ at }) => at) ?? []);
    const sides = new Set(tokens.filter((token) => canPlay(state, token)).map(({ side }) => side));
    const targets = tokens.filter(({ side }) => sides.size > 1 || !sides.has(side));
    if (!targets.some(({ id }) => id === target)) target = targets[0]?.id ?? "";
    const side = tokens.find(({ id }) => id === target)?.side;
    const able = tokens.filter((token) => token.side !== side && canPlay(state, token));
    attackers = attackers.filter((one) => able.some(({ id }) => id === one)).slice(0, MOST);
    const list = selectField(
      "focus-target",
      targets.map(({ id, name }) => [id, name]),
      target,
    );
    list.onchange = () => {
      target = list.value;
      fill(store.state);
      ask();
    };
    replaceContent(
      form,
      field(localize("Focus.Target"), list),
      el("ul", { class: "focus-attackers" }, ...able.map((token) => attackerRow(token, attackers, toggle))),
    );
  };
  store.subscribe((state, before) => {
    if (!state.replica || !hasChanged(state, before, "replica")) return;
    fill(state);
    ask();
  });
}

/** @param {Token} token @param {string[]} attackers @param {(id: string) => void} toggle */
function attackerRow({ id, name }, attackers, toggle) {
  const place = attackers.indexOf(id) + 1;
  const box = el("input", { type: "checkbox", id: `focus-${id}`, checked: place > 0 });
  box.disabled = !place && attackers.length >= MOST;
  box.onchange = () => toggle(id);
  const text = place ? localize("Focus.InOrder", { place, name }) : name;
  return el("li", {}, box, el("label", { htmlFor: box.id }, text));
}

/** @param {Scene} scene @param {FocusFire} found @param {(order: string[]) => void} useOrder */
function result(scene, found, useOrder) {
  const nameOf = (/** @type {string} */ id) => scene.tokens.find((token) => token.id === id)?.name ?? "";
  const target = nameOf(found.target);
  const steps = found.steps.map(({ token, label, chance }) =>
    el(
      "li",
      {},
      label
        ? localize("Focus.Step", { name: nameOf(token), label, chance: formatChance(chance) })
        : localize("Focus.NoAttack", { name: nameOf(token) }),
    ),
  );
  const left = found.left.map(({ hit_points: points, chance }) =>
    points === null
      ? localize("Focus.LeftStanding", { chance: formatChance(chance) })
      : localize("Focus.Left", { points, chance: formatChance(chance) }),
  );
  const isBest = String(found.best) === String(found.steps.map(({ token }) => token));
  const use = () => useOrder(found.best);
  const better = el(
    "button",
    { type: "button", id: "focus-best", onclick: use },
    localize("Focus.Better", {
      names: found.best.map(nameOf).join(", "),
      chance: formatChance(found.best_chance),
    }),
  );
  const sum = localize("Focus.Chance", { target, chance: formatChance(found.chance) });
  return [
    el("p", { class: "focus-chance" }, el("strong", {}, `${found.exact ? "" : "≈ "}${sum}`)),
    el("ol", {}, ...steps),
    el("p", {}, left.join(", ")),
    ...(isBest ? [el("p", {}, localize("Focus.IsBest"))] : [better]),
  ];
}

/**
 * Request the answer. A refusal is not shown: a token may be gone meanwhile.
 * @param {Session} session
 * @param {string} target
 * @param {string[]} attackers
 * @returns {Promise<FocusFire | null>} null if refused
 */
async function request(session, target, attackers) {
  try {
    const ack = await session.client.send("focus.ask", { target, attackers }, null);
    return /** @type {FocusFire} */ (ack.result);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return null;
  }
}
