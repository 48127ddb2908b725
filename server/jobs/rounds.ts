// Work that is done again and again while the process lives: every so often, one round at a time.

/**
 * A round that is due while one is under way is left out. Returns how it ends, which resolves when what is under way has.
 * @param round told by the signal that it is over
 */
export function startRounds(
  everyMs: number,
  round: (over: AbortSignal) => Promise<unknown>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const ending = new AbortController();
  let underWay: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    underWay ??= round(ending.signal)
      .catch(failed)
      .finally(() => {
        underWay = null;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    ending.abort();
    await underWay;
  };
}
