// Shapes in the form of PlanarAlly's messages. @source PlanarAlly server/src/api/models/shape

import { randomUUID } from "node:crypto";

export const CELL = 50;

/** Fields that every shape has. @source server/src/api/models/shape/shape.py */
const core = (type_, name, [x, y], more) => ({
  ...{
    uuid: randomUUID(),
    type_,
    x,
    y,
    name,
    name_visible: true,
    fill_colour: "#a33",
    stroke_colour: '["#000"]',
  },
  ...{
    vision_obstruction: 0,
    movement_obstruction: false,
    draw_operator: "source-over",
    options: "[]",
    badge: 0,
  },
  ...{
    show_badge: false,
    default_edit_access: false,
    default_vision_access: false,
    default_movement_access: false,
  },
  ...{ is_invisible: false, is_defeated: false, is_locked: false, angle: 0, stroke_width: 2, group: null },
  ...{
    ignore_zoom_size: false,
    is_door: false,
    is_teleport_zone: false,
    custom_data: [],
    owners: [],
    trackers: [],
  },
  ...{ auras: [], character: null, odd_hex_orientation: false, size_x: 0, size_y: 0, show_cells: false },
  ...{ cell_fill_colour: null, cell_stroke_colour: null, cell_stroke_width: null, notes: [], variants: null },
  ...more,
});

/** A round token on the middle of a cell, with hit points. */
export function token(name, [column, row], { hitPoints = 3, owner = null, ...more } = {}) {
  const shape = core("circulartoken", name, [(column + 0.5) * CELL, (row + 0.5) * CELL], {
    ...{ radius: CELL / 2, viewing_angle: null, text: name.slice(0, 2), font: "10px serif", ...more },
  });
  const access = { edit_access: true, movement_access: true, vision_access: true };
  shape.owners = owner ? [{ shape: shape.uuid, user: owner, ...access }] : [];
  shape.trackers = [
    {
      ...{
        uuid: randomUUID(),
        shape: shape.uuid,
        visible: true,
        name: "HP",
        value: hitPoints,
        maxvalue: hitPoints,
      },
      ...{ draw: true, primary_color: "#0f0", secondary_color: "#f00" },
    },
  ];
  return shape;
}

/** A line that blocks movement and sight. */
export const wall = (name, [x1, y1], [x2, y2], more = {}) =>
  core("line", name, [x1 * CELL, y1 * CELL], {
    ...{
      x2: x2 * CELL,
      y2: y2 * CELL,
      line_width: 4,
      movement_obstruction: true,
      vision_obstruction: 1,
      ...more,
    },
  });

/** An area with a name. */
export const area = (name, [left, top], [wide, high]) =>
  core("rect", name, [left * CELL, top * CELL], {
    width: wide * CELL,
    height: high * CELL,
    fill_colour: "#0a03",
  });
