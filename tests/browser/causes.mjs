// Why a page connects or sends: because of one of its timers, of an event, or of neither. Tests of how soon a page tries again
// look at the pauses that it plans, and not at the clock: a busy machine changes the second alone.

/**
 * Has the pages of a context note in `window.causes` each connection that they open and each text that they send, as
 * `{act, cause}`: `act` is "connect" or the text, `cause` the ms of the timer that ran it, "online", or null.
 */
export const noteCauses = (context) =>
  context.addInitScript(() => {
    const { setTimeout: wait, addEventListener: listen, WebSocket: Socket } = window;
    let cause = null;
    const during =
      (name, run) =>
      (...given) => {
        const before = cause;
        cause = name;
        try {
          return run(...given);
        } finally {
          cause = before;
        }
      };
    window.causes = [];
    window.setTimeout = (run, ms = 0, ...rest) => wait(during(ms, run), ms, ...rest);
    window.addEventListener = (kind, run, ...rest) =>
      listen.call(window, kind, kind === "online" ? during(kind, run) : run, ...rest);
    window.WebSocket = class extends Socket {
      constructor(...address) {
        super(...address);
        window.causes.push({ act: "connect", cause });
      }

      send(text) {
        if (typeof text === "string") window.causes.push({ act: text, cause });
        super.send(text);
      }
    };
  });

/** Returns the causes of a page's acts whose text has a word, oldest first. */
export const causesOf = (page, word) =>
  page.evaluate(
    (wanted) => window.causes.filter(({ act }) => act.includes(wanted)).map(({ cause }) => cause),
    word,
  );

/** Returns the pauses among causes, in ms. */
export const pausesOf = (causes) => causes.filter((cause) => typeof cause === "number");
