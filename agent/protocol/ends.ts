// Why the agent's program ends; thrown through everything that is running.

/** The server no longer knows this session; only a new boot gives a new one (docs/design/agent.md#how-a-host-boots-it). */
export class SessionOver extends Error {
  override readonly name = "SessionOver";
}

/** Ends what ran beside work that is over. One shared error, because nobody reads it and each new one would cost a stack trace. */
export const isOver = new Error("what it ran beside is over");

/** The program was told to stop. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}
