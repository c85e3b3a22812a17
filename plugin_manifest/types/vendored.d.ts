// PIXI comes as a global, as it does in Foundry; the socket client brings its types along (vendor.mjs).
declare const PIXI: typeof import("pixi.js");
