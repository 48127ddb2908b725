// How precisely agents' signs of life are recorded, and until when an agent may have been heard from (docs/adr/0022-durations-travel.md).

/** Minimum time between two recorded signs of life of a session. A write per request would cost more than it is worth. */
export const signEveryMs = 10_000;

/** Progress that need not be stored before its answer is stored at most this often per attempt; a timer checks for it every `progressFlushMs`. */
export const progressEveryMs = 5_000;
export const progressFlushMs = 1_000;

/** How much later than recorded an agent may have been heard from: a request just before a sign is due records nothing, and the next may be held. */
export const signLagMs = signEveryMs + progressEveryMs + progressFlushMs;

/** How long a server may hold a poll open. An idle agent is heard from only between polls. */
export const maxPollMs = 45_000;

/** An agent retries a call without an answer: after this timeout (polls: `pollTimeoutMs`) and a pause of at most `longestPauseMs`. */
export const callTimeoutMs = 30_000;
export const pollTimeoutMs = maxPollMs + 15_000;
export const longestPauseMs = 10_000;

/** Until when an agent may have been heard from within `limitMs`, given the last recorded sign of its session or attempt. Pure. */
export function heardUntilMs(recordedMs: number, limitMs: number): number {
  return recordedMs + signLagMs + limitMs;
}
