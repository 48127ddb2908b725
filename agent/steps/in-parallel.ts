// Runs work concurrently on at most `limit` devices.

/** Results in the order of the items. Rejects with the first rejection, once all work that started has ended. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const waiting = [...items.entries()];
  const failures: unknown[] = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined && failures.length === 0; next = waiting.shift()) {
      const [index, item] = next;
      try {
        results.set(index, await work(item));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return [...results.entries()].sort(([a], [b]) => a - b).map(([, result]) => result);
}
