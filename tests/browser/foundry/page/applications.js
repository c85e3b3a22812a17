// Windows: the members of ApplicationV2 and DialogV2 that the module declares. Dialogs take HTML.

/** The layer of the window in front. */
let front = 30;

/** A window that renders by `_renderHTML` and `_replaceHTML`. */
export class ApplicationV2 {
  static DEFAULT_OPTIONS = { tag: "div", classes: [], actions: {}, window: {}, position: {} };

  constructor(options = {}) {
    this.options = mergedOptions(this.constructor, options);
    this.position = { ...this.options.position };
    this.rendered = false;
    this.element = null;
  }

  get id() {
    return this.options.id ?? this.constructor.name;
  }

  get title() {
    const { title = "" } = this.options.window;
    return window.game.i18n.localize(title);
  }

  async render(options = {}) {
    if (!this.rendered && !options.force) return this;
    const context = await this._prepareContext(options);
    const result = await this._renderHTML(context, options);
    this.element ??= this.#frame();
    this._replaceHTML(result, this.element.querySelector(".window-content"), options);
    this.setPosition({ ...this.#middle(), ...this.position });
    this.rendered = true;
    this._onRender(context, options);
    return this;
  }

  async close(options = {}) {
    this.element?.remove();
    this.element = null;
    this.rendered = false;
    this._onClose(options);
    return this;
  }

  bringToFront() {
    front += 1;
    this.element.style.zIndex = front;
  }

  /** Moves the window; it stays on the screen. */
  setPosition(position) {
    Object.assign(this.position, position);
    for (const key of ["left", "top", "width", "height"])
      if (typeof this.position[key] === "number") this.element.style[key] = `${this.position[key]}px`;
    const { offsetWidth, offsetHeight } = this.element;
    const clamp = (key, most) => {
      this.position[key] = Math.max(0, Math.min(this.position[key], most));
      this.element.style[key] = `${this.position[key]}px`;
    };
    if ("left" in this.position) clamp("left", innerWidth - offsetWidth);
    if ("top" in this.position) clamp("top", innerHeight - offsetHeight);
    return this.position;
  }

  /** A window without a place opens in the middle of the screen, over those that opened there before. */
  #middle() {
    const { offsetWidth, offsetHeight } = this.element;
    return { left: (innerWidth - offsetWidth) / 2, top: (innerHeight - offsetHeight) / 2 };
  }

  async _prepareContext() {
    return {};
  }

  async _renderHTML() {
    throw new Error(`${this.constructor.name} must implement _renderHTML`);
  }

  _replaceHTML() {
    throw new Error(`${this.constructor.name} must implement _replaceHTML`);
  }

  _onRender() {}

  _onClose() {}

  #frame() {
    const { tag, classes, position } = this.options;
    const frame = document.createElement(tag);
    frame.id = this.id;
    frame.classList.add("application", ...classes);
    const header = document.createElement("header");
    header.className = "window-header";
    const icon = Object.assign(document.createElement("i"), {
      className: `window-icon ${this.options.window.icon ?? ""}`,
    });
    const title = Object.assign(document.createElement("h1"), { className: "window-title" });
    title.textContent = this.title;
    const close = Object.assign(document.createElement("button"), { type: "button" });
    close.className = "header-control icon fa-solid fa-xmark";
    Object.assign(close.dataset, { action: "close" });
    close.setAttribute("aria-label", "Close");
    header.append(icon, title, ...this.#menu(), close);
    const content = Object.assign(document.createElement("section"), { className: "window-content" });
    frame.append(header, content);
    frame.addEventListener("click", (event) => this.#click(event));
    if (tag === "form") this.#submits(frame);
    document.body.append(frame);
    if (typeof position.width === "number") frame.style.width = `${position.width}px`;
    frame.addEventListener("pointerdown", () => this.bringToFront(), { capture: true });
    this.element = frame;
    return frame;
  }

  /** Returns the header's menu of controls: a list behind an ellipsis, as in core. */
  #menu() {
    const { controls = [] } = this.options.window;
    if (!controls.length) return [];
    const menu = Object.assign(document.createElement("menu"), {
      className: "controls-dropdown",
      hidden: true,
    });
    for (const { icon, label, action } of controls) {
      const entry = document.createElement("li");
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.dataset.action = action;
      button.append(
        Object.assign(document.createElement("i"), { className: icon }),
        window.game.i18n.localize(label),
      );
      entry.append(button);
      menu.append(entry);
    }
    const toggle = Object.assign(document.createElement("button"), { type: "button" });
    toggle.className = "header-control icon fa-solid fa-ellipsis-vertical";
    toggle.dataset.action = "toggleControls";
    toggle.setAttribute("aria-label", "Controls");
    toggle.onclick = () => (menu.hidden = !menu.hidden);
    return [toggle, menu];
  }

  #click(event) {
    const target = event.target.closest("[data-action]");
    if (!target) return;
    const { action } = target.dataset;
    if (action === "close") return this.close();
    this.options.actions[action]?.call(this, event, target);
  }

  #submits(frame) {
    const { handler, submitOnChange, closeOnSubmit } = this.options.form ?? {};
    const submit = async (event) => {
      const object = Object.fromEntries(new FormData(frame));
      for (const box of frame.querySelectorAll("input[type=checkbox][name]")) object[box.name] = box.checked;
      await handler?.call(this, event, frame, { object });
      if (closeOnSubmit) await this.close();
    };
    frame.addEventListener("submit", (event) => {
      event.preventDefault();
      submit(event);
    });
    if (submitOnChange) frame.addEventListener("change", submit);
  }
}

function mergedOptions(type, own) {
  const line = [];
  for (let at = type; at?.DEFAULT_OPTIONS; at = Object.getPrototypeOf(at))
    if (Object.hasOwn(at, "DEFAULT_OPTIONS")) line.unshift(at.DEFAULT_OPTIONS);
  const merged = { actions: {}, window: {}, position: {}, classes: [] };
  for (const options of [...line, own]) {
    const { actions, window: frame, position, classes, ...rest } = options;
    Object.assign(merged, rest);
    Object.assign(merged.actions, actions);
    Object.assign(merged.window, frame);
    Object.assign(merged.position, position);
    merged.classes = [...merged.classes, ...(classes ?? [])];
  }
  return merged;
}

/** A dialog with yes and no. */
export const DialogV2 = {
  confirm({ window: { title }, content }) {
    const dialog = document.createElement("dialog");
    dialog.innerHTML = `<h1></h1><div class="content">${content}</div>
      <button type="button" data-answer="yes">Yes</button><button type="button" data-answer="no">No</button>`;
    dialog.querySelector("h1").textContent = title;
    document.body.append(dialog);
    dialog.show();
    return new Promise((resolve) => {
      dialog.addEventListener("click", (event) => {
        const { answer } = event.target.dataset;
        if (!answer) return;
        dialog.remove();
        resolve(answer === "yes");
      });
    });
  },
};
