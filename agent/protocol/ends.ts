// Why the agent's program comes to an end; thrown through everything that runs.

/** The server does not know this session any more: only a new boot gives a new one (docs/design/agent.md#how-a-host-boots-it). */
export class SessionOver extends Error {
  override readonly name = "SessionOver";
}

/** Why what ran beside something else ends: that is over. One for all, because nobody reads it and each new one costs a stack trace. */
export const isOver = new Error("what it ran beside is over");

/** The program was told to end. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}
