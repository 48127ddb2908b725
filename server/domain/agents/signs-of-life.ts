// Signs of life of agents: how exactly they are recorded, and until when an agent counts as heard of (docs/adr/0030-signs-of-life.md).

/** A session's sign of life is recorded at most so often: a write for every request would cost more than it tells. */
export const signEveryMs = 10_000;

/** Progress that need not be stored before its answer is stored at most so often for each attempt, and looked for so often. */
export const progressEveryMs = 5_000;
export const progressFlushMs = 1_000;

/** By how much an agent may have been heard of later than its session says: a request right before a sign is due records none, and the next may be held. */
export const signLagMs = signEveryMs + progressEveryMs + progressFlushMs;

/** The longest that a server holds a poll open: an idle agent is heard of between two of them only. */
export const longestPollMs = 45_000;

/** An agent repeats what got no answer: after its time limit, and a pause of at most so long. */
export const callTimeoutMs = 30_000;
export const pollTimeoutMs = longestPollMs + 15_000;
export const longestPauseMs = 10_000;

/** Until when an agent may have been heard of within `limitMs`, by the last sign that its session or attempt records. Pure. */
export function heardUntilMs(recordedMs: number, limitMs: number): number {
  return recordedMs + signLagMs + limitMs;
}
