/* global PIXI */
// What the canvas shows of a scene: the map, its tokens, and the one that is dragged.

import { middleOf } from "./canvas-grid.js";

/** Draws into a container of the canvas. */
export class CanvasPainter {
  /** The dragged token's preview. */
  shadow = null;

  constructor(group) {
    this.group = group;
  }

  paint(scene, tokens) {
    this.scene = scene;
    const pen = new PIXI.Graphics();
    // A canvas that leaks would hide a leak of the module.
    for (const child of this.group.removeChildren()) if (child !== this.shadow) child.destroy();
    this.group.addChild(pen);
    this.#paintMap(pen);
    for (const token of tokens) if (token.visible) this.#paintToken(pen, token);
  }

  /** Draws a dragged token faintly where the pointer is. */
  paintPreview(doc, at, labels) {
    const radius = (doc.width * this.scene.grid.size) / 2 - 4;
    const { x, y } = middleOf({ ...at, width: doc.width, height: doc.height }, this.scene.grid);
    this.shadow ??= new PIXI.Graphics();
    this.shadow.clear().lineStyle(4, 0xff9829).beginFill(0xffffff, 0.4).drawCircle(x, y, radius).endFill();
    this.paintLabels(labels);
    this.group.addChild(this.shadow);
  }

  /** Writes a ruler's labels under its waypoints. */
  paintLabels(labels) {
    if (!this.shadow) return;
    for (const child of this.shadow.removeChildren()) child.destroy();
    for (const { at, text } of labels) {
      const label = new PIXI.Text(text, { fontSize: 22, fill: 0xffffff, stroke: 0, strokeThickness: 4 });
      label.anchor.set(0.5, 0);
      label.position.set(at.x, at.y + 44);
      this.shadow.addChild(label);
    }
  }

  removePreview() {
    this.group.removeChild(this.shadow);
  }

  #paintMap(pen) {
    const { sceneX, sceneY, sceneWidth, sceneHeight, size } = this.scene.dimensions;
    pen.beginFill(0x8d8471).drawRect(sceneX, sceneY, sceneWidth, sceneHeight).endFill();
    pen.lineStyle(1, 0, 0.25);
    if (this.scene.grid.type === 1) {
      for (let x = sceneX; x <= sceneX + sceneWidth; x += size)
        pen.moveTo(x, sceneY).lineTo(x, sceneY + sceneHeight);
      for (let y = sceneY; y <= sceneY + sceneHeight; y += size)
        pen.moveTo(sceneX, y).lineTo(sceneX + sceneWidth, y);
    }
    for (const wall of this.scene.walls) {
      if (wall.door && wall.ds === 1) continue;
      const [x1, y1, x2, y2] = wall.c;
      pen
        .lineStyle(6, wall.door ? 0x6b3f1d : 0x26241f)
        .moveTo(x1, y1)
        .lineTo(x2, y2);
    }
  }

  #paintToken(pen, token) {
    const { document: doc, center } = token;
    const radius = (doc.width * this.scene.grid.size) / 2 - 4;
    const color = { "-1": 0xa83232, 0: 0xc9a227, 1: 0x2f7d9e }[doc.disposition] ?? 0x666666;
    const angle = ((doc.rotation + 90) * Math.PI) / 180;
    pen.lineStyle(token.controlled ? 5 : 2, token.controlled ? 0xff9829 : 0x111111);
    pen
      .beginFill(color, doc.hidden ? 0.5 : 1)
      .drawCircle(center.x, center.y, radius)
      .endFill();
    pen
      .moveTo(center.x, center.y)
      .lineTo(center.x + radius * Math.cos(angle), center.y + radius * Math.sin(angle));
    const label = new PIXI.Text(doc.name, { fontSize: 18, fill: 0xffffff, stroke: 0, strokeThickness: 3 });
    label.anchor.set(0.5, 0);
    label.position.set(center.x, center.y + radius + 2);
    this.group.addChild(label);
  }
}
