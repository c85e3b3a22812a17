/** Sounds made by Web Audio, for players who want them: none is needed, and none plays unless it is switched on. */

import { SOUNDS } from "../moment/sounds.js";
import { setting } from "./display.js";

/** @import {Part, SoundName} from "../moment/sounds.js" */

const VOLUME = 0.35;
/** A part begins and ends so softly, in seconds: without that it would crack. */
const EDGE_SECONDS = 0.008;

/** Made with the first sound: a browser lets a page make sounds only after a click. @type {AudioContext | null} */
let audio = null;

/** Play sounds at their times from now on, in seconds, if this browser wants sounds. @param {{name: SoundName, at: number}[]} sounds */
export function playSounds(sounds) {
  if (setting("sound") !== "on" || !sounds.length) return;
  audio ??= new AudioContext();
  audio.resume();
  for (const { name, at } of sounds) for (const part of SOUNDS[name]) playPart(audio, part, at + part.at);
}

/** @param {AudioContext} context @param {Part} part @param {number} at in seconds from now on */
function playPart(context, { seconds, hz: [from, to], volume, source }, at) {
  const [start, end] = [context.currentTime + at, context.currentTime + at + seconds];
  const loudness = context.createGain();
  loudness.gain.setValueAtTime(0, start);
  loudness.gain.linearRampToValueAtTime(volume * VOLUME, start + EDGE_SECONDS);
  loudness.gain.exponentialRampToValueAtTime(0.001, end);
  loudness.connect(context.destination);
  const pitch = source === "tone" ? tone(context, loudness) : noise(context, loudness, seconds);
  pitch.frequency.setValueAtTime(from, start);
  pitch.frequency.exponentialRampToValueAtTime(to, end);
  pitch.player.start(start);
  pitch.player.stop(end);
}

/** @param {AudioContext} context @param {AudioNode} to */
function tone(context, to) {
  const player = context.createOscillator();
  player.type = "triangle";
  player.connect(to);
  return { player, frequency: player.frequency };
}

/** @param {AudioContext} context @param {AudioNode} to @param {number} seconds */
function noise(context, to, seconds) {
  const player = context.createBufferSource();
  player.buffer = context.createBuffer(1, Math.ceil(seconds * context.sampleRate), context.sampleRate);
  const samples = player.buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  player.connect(filter).connect(to);
  return { player, frequency: filter.frequency };
}
