// A change that is slow to reach the table: others overtake it.

import { until } from "./harness.mjs";

/**
 * Holds back the next token that a tabletop's page sends with all of its state.
 * @returns what waits until it is on its way, and what sends it and waits for its answer
 */
export async function slowSending(page) {
  await page.evaluate(() => {
    const { client } = globalThis.enfilade.live ?? globalThis.enfilade;
    const send = client.send.bind(client);
    const slow = (globalThis.slowSending = { isSent: false, isDone: false, end: () => {} });
    const ended = new Promise((resolve) => (slow.end = resolve));
    client.send = async (...command) => {
      if (command[0] !== "token.place") return send(...command);
      delete client.send;
      slow.isSent = true;
      await ended;
      return send(...command).finally(() => (slow.isDone = true));
    };
  });
  return {
    isOnItsWay: () => until(() => page.evaluate(() => globalThis.slowSending.isSent), "it is on its way"),
    async end() {
      await page.evaluate(() => globalThis.slowSending.end());
      await until(() => page.evaluate(() => globalThis.slowSending.isDone), "it has been answered");
    },
  };
}
