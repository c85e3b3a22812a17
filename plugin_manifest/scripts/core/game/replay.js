/** An act played step by step: the scene after each step. Pure functions. */

/** @import {ActStep, LogEntry, Scene, Token} from "../../../types/contract.js" */

/** Return whether an entry can be played step by step. @param {LogEntry} entry */
export const hasSteps = ({ facts }) => (facts.steps?.length ?? 0) > 1;

/**
 * Return the scene after a step of an act, from the scene now. Tokens that the steps change stand as they did then;
 * a token that has left since is missing.
 * @param {Scene} scene
 * @param {ActStep[]} steps
 * @param {number} index 0 for the scene before the act
 * @returns {Scene}
 */
export function sceneAtStep(scene, steps, index) {
  /** @type {Map<string, Partial<Token>>} */
  const changed = new Map();
  for (const { changes } of steps.slice(0, index + 1))
    for (const { token, ...change } of changes) changed.set(token, change);
  const tokens = scene.tokens.map((token) => ({ ...token, ...changed.get(token.id) }));
  return { ...scene, tokens };
}
