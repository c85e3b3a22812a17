/** Terrain by its name: "Hedge [cover, cost 2]", "Hill [height 10]", "Pond [closed]", "Wood [blocks sight]". */

/** @import {Terrain} from "../../types/contract.js" */

const WORDS = /^(.*?)\s*\[([^[\]]{1,100})\]\s*$/s;
const NUMBER = /^(cost|height)\s+(-?\d{1,4})$/;
const KIND = /^[a-z][a-z -]{0,39}$/;
/** The highest cost of a cell, in steps. */
const MAX_COST = 10;

/**
 * Reads what a name says of the ground. Words that mean nothing are left out.
 * @param {string} name
 * @returns {(Omit<Terrain, "id" | "cells" | "hidden"> & {height: number}) | null} null for a name without words in brackets
 */
export function terrainOf(name) {
  const found = WORDS.exec(name);
  if (!found) return null;
  const ground = { name: found[1], cost: 1, kind: "", height: 0, blocks_sight: false };
  for (const word of found[2].split(",").map((one) => one.trim().toLowerCase())) {
    const number = NUMBER.exec(word);
    if (number?.[1] === "height") ground.height = Number(number[2]);
    else if (number) ground.cost = Math.min(MAX_COST, Math.max(1, Number(number[2])));
    else if (word === "closed") ground.cost = 0;
    else if (word === "blocks sight") ground.blocks_sight = true;
    else if (KIND.test(word)) ground.kind = word;
  }
  return ground;
}
