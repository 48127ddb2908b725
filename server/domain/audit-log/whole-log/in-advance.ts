// Sequential reads with read-ahead.

/** @param ahead reads in progress while an item is processed; 0: none */
export async function* inAdvance<Item, Read>(
  items: readonly Item[],
  ahead: number,
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<readonly [Item, Read]> {
  const begun: Promise<Read>[] = [];
  for (const [place, item] of items.entries()) {
    for (const next of items.slice(place + begun.length, place + 1 + ahead)) {
      const reading = read(next);
      reading.catch(() => undefined); // raised when its turn comes; after another failure nobody awaits it
      begun.push(reading);
    }
    const [reading] = begun.splice(0, 1);
    if (reading === undefined) throw new Error("a read was not begun");
    yield [item, await reading];
  }
}
