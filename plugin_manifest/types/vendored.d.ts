// PIXI comes as a global, as it does in Foundry; the socket client's types are mapped in tsconfig.json.
declare const PIXI: typeof import("pixi.js");
