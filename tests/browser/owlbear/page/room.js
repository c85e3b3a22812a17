// A client's page: frames, their messages, and a rough picture of the items.

const frames = new Map();
const SCALE = 0.45;

window.openFrame = ({ name, url, origin, ready }) => {
  document.getElementById(`frame-${name}`)?.remove();
  const frame = Object.assign(document.createElement("iframe"), { id: `frame-${name}`, src: url });
  frames.set(name, { frame, origin });
  // Once, after the page has loaded. (SDK messages/MessageBus.ts)
  frame.addEventListener("load", () => frame.contentWindow.postMessage(ready, origin));
  document.body.append(frame);
};

window.closeFrame = (name) => {
  frames.get(name)?.frame.remove();
  frames.delete(name);
};

window.emit = (name, message) => {
  const { frame, origin } = frames.get(name) ?? {};
  frame?.contentWindow?.postMessage(message, origin);
};

window.addEventListener("message", async ({ source, origin, data }) => {
  for (const [name, known] of frames) {
    if (known.frame.contentWindow !== source || known.origin !== origin) continue;
    const answer = await window.toRoom(name, data);
    if (answer) source.postMessage(answer, origin);
  }
});

window.paint = ({ items, local, dpi }) => {
  const pen = document.getElementById("map").getContext("2d");
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = "#1c2030";
  pen.fillRect(0, 0, 1024, 700);
  pen.setTransform(SCALE, 0, 0, SCALE, 20, 20);
  const bottom = [...items].sort((a, b) => Number(b.layer === "MAP") - Number(a.layer === "MAP"));
  for (const item of [...bottom, ...[...local].sort((a, b) => a.zIndex - b.zIndex)]) draw(pen, item, dpi);
};

function draw(pen, item, dpi) {
  pen.save();
  pen.translate(item.position.x, item.position.y);
  pen.rotate((item.rotation * Math.PI) / 180);
  pen.scale(item.scale.x, item.scale.y);
  if (item.type === "IMAGE") image(pen, item, dpi);
  if (item.type === "LINE") line(pen, item);
  if (item.type === "PATH") path(pen, item);
  if (item.type === "TEXT" || item.type === "LABEL") text(pen, item);
  pen.restore();
}

function image(pen, { layer, image: { width, height }, grid, name, visible }, dpi) {
  const ratio = dpi / grid.dpi;
  pen.translate(-grid.offset.x * ratio, -grid.offset.y * ratio);
  pen.globalAlpha = visible ? 1 : 0.4;
  pen.fillStyle = layer === "MAP" ? "#6b7a5e" : "#8c4b3a";
  if (layer === "MAP") {
    pen.fillRect(0, 0, width * ratio, height * ratio);
    pen.strokeStyle = "#00000040";
    for (let x = 0; x <= width * ratio; x += dpi) pen.strokeRect(x, 0, 0, height * ratio);
    for (let y = 0; y <= height * ratio; y += dpi) pen.strokeRect(0, y, width * ratio, 0);
    return;
  }
  pen.beginPath();
  pen.arc((width * ratio) / 2, (height * ratio) / 2, (width * ratio) / 2.4, 0, 7);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.font = "28px sans-serif";
  pen.textAlign = "center";
  pen.fillText(name, (width * ratio) / 2, (height * ratio) / 2 + 10);
}

function line(pen, { startPosition: a, endPosition: b }) {
  pen.strokeStyle = "#111";
  pen.lineWidth = 10;
  pen.beginPath();
  pen.moveTo(a.x, a.y);
  pen.lineTo(b.x, b.y);
  pen.stroke();
}

function path(pen, { commands, style }) {
  pen.beginPath();
  for (const [command, ...n] of commands) {
    if (command === 0) pen.moveTo(...n);
    else if (command === 1) pen.lineTo(...n);
    else if (command === 5) pen.closePath();
  }
  pen.globalAlpha = style.fillOpacity;
  pen.fillStyle = style.fillColor;
  pen.fill("nonzero");
  pen.globalAlpha = style.strokeOpacity;
  pen.strokeStyle = style.strokeColor;
  pen.lineWidth = style.strokeWidth;
  if (style.strokeWidth) pen.stroke();
}

function text(pen, { type, text: { plainText, style, width, height } }) {
  const size = style.fontSize;
  pen.font = `${style.fontWeight} ${size}px sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const lines = plainText.split("\n");
  const [x, y] = type === "TEXT" ? [width / 2, height / 2] : [0, 0];
  if (type === "LABEL") {
    const wide = Math.max(...lines.map((one) => pen.measureText(one).width)) + 20;
    const high = lines.length * size * 1.5;
    pen.fillStyle = "#3d4051e0";
    pen.fillRect(-wide / 2, -high - 8, wide, high);
  }
  lines.forEach((one, i) => {
    const at =
      type === "LABEL"
        ? y - 8 - (lines.length - i - 0.5) * size * 1.5
        : y + (i - (lines.length - 1) / 2) * size;
    if (style.strokeWidth) {
      pen.strokeStyle = style.strokeColor;
      pen.lineWidth = style.strokeWidth;
      pen.strokeText(one, x, at);
    }
    pen.fillStyle = style.fillColor;
    pen.fillText(one, x, at);
  });
}
