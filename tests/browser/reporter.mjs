// Collects what node:test tells of the tests in this process, by file: worker.mjs runs all of its files in one process.

import { spec } from "node:test/reporters";

const END = "the end of ";
let events = [];
let ended = () => {};

/** Returns the name of the test that ends a file. */
export const endOf = (file) => `${END}${file}`;

/** Returns the events of the tests until the next end of a file. */
export const eventsOfFile = () => new Promise((resolve) => (ended = resolve));

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
    if (isResult && event.data.name.startsWith(END)) ended(events.splice(0));
    else events.push(event);
  }
}
