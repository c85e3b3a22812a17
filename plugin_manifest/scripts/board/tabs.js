/** Tabs as the ARIA guide has them: arrows move between them, one panel shows. */

/** @param {HTMLElement} list an element with role "tablist" */
export function tabs(list) {
  const all = /** @type {HTMLButtonElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
  const open = (/** @type {HTMLButtonElement} */ tab) =>
    all.forEach((other) => setOpen(other, other === tab));
  list.addEventListener("click", (event) => {
    const tab = all.find((other) => other === event.target);
    if (tab) open(tab);
  });
  list.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const shown = all.filter((tab) => tab.offsetParent !== null);
    const at = shown.findIndex((tab) => tab === document.activeElement);
    if (!way || at < 0) return;
    const next = shown[(at + way + shown.length) % shown.length];
    open(next);
    next.focus();
  });
}

/** @param {HTMLButtonElement} tab @param {boolean} isOpen */
function setOpen(tab, isOpen) {
  tab.setAttribute("aria-selected", String(isOpen));
  tab.tabIndex = isOpen ? 0 : -1;
  const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
  if (panel) panel.hidden = !isOpen;
}
