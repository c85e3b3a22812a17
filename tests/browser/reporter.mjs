// Collects what node:test tells of the tests in this process, by file: worker.mjs runs all of its files in one process.

import { spec } from "node:test/reporters";

let events = [];
/** The name of the test that ends the file, and what it calls. */
let [end, ended] = ["", () => {}];

/** Returns the events of the tests until one of this name. */
export function eventsUntil(name) {
  return new Promise((resolve) => ([end, ended] = [name, resolve]));
}

/** Returns events as node's own reporter shows them. */
export async function toText(all) {
  let text = "";
  const view = new spec();
  view.on("data", (part) => (text += part));
  for (const event of all) view.write(event);
  await new Promise((resolve) => view.end(resolve));
  return text;
}

/** The reporter that node:test is given: prints nothing. */
// eslint-disable-next-line require-yield
export default async function* collect(source) {
  for await (const event of source) {
    const isResult = ["test:pass", "test:fail"].includes(event.type);
    if (isResult && event.data.name === end) ended(events.splice(0));
    else events.push(event);
  }
}
