// Names that try to be more than text, each of which would set `window.hurt` where it is read as markup or code.

const HURT = "window.hurt=1";
const MARKUP = [
  `<img src=x onerror="${HURT}">`,
  `<svg onload=${HURT}>`,
  `<svg/onload=${HURT}//`,
  `<script>${HURT}</script>`,
  `</script><script>${HURT}</script>`,
  `<iframe srcdoc="<script>parent.${HURT}</script>">`,
  `<iframe src="javascript:parent.${HURT}">`,
  `<details open ontoggle=${HURT}>`,
  `<video><source onerror=${HURT}></video>`,
  `<audio src=x onerror=${HURT}>`,
  `<input autofocus onfocus=${HURT}>`,
  `<body onload=${HURT}>`,
  `<marquee onstart=${HURT}>`,
  `<object data="javascript:${HURT}">`,
  `<embed src="javascript:${HURT}">`,
  `<math><mtext><img src=x onerror=${HURT}>`,
  `<style>@keyframes x{}</style><b style="animation-name:x" onanimationstart=${HURT}>`,
  `<template><img src=x onerror=${HURT}></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${HURT}>">`,
  `<a href="javascript:${HURT}" autofocus onfocus=${HURT}>x</a>`,
];
const PREFIXES = ["", '"', "'", '">', "'>", "-->", "]]>", "`", "</li>", "</textarea>", "${", "{{{"];

/** 241 of them, none longer than the table takes for a name. */
export const HOSTILE_NAMES = [
  "{{constructor.constructor('window.hurt=1')()}}",
  ...PREFIXES.flatMap((prefix) => MARKUP.map((markup) => `${prefix}${markup}`.slice(0, 100))),
];
