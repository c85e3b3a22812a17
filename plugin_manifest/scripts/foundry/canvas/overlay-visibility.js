/** The user's choice to see what the module draws on the map, for as long as the page is open. */

let isShown = true;

/** @returns {boolean} whether the page shows the overlays */
export const areOverlaysShown = () => isShown;

/** @param {boolean} isOn */
export const setOverlaysShown = (isOn) => (isShown = isOn);
