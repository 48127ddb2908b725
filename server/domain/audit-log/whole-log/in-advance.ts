// Reads one after another, some of them begun before the one before them is worked on.

/** @param ahead so many are under way while one is worked on; 0: none */
export async function* inAdvance<Item, Read>(
  items: readonly Item[],
  ahead: number,
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<readonly [Item, Read]> {
  const begun: Promise<Read>[] = [];
  for (const [place, item] of items.entries()) {
    for (const next of items.slice(place + begun.length, place + 1 + ahead)) {
      const reading = read(next);
      reading.catch(() => undefined); // told when its turn comes; after another failure nobody waits for it
      begun.push(reading);
    }
    const [reading] = begun.splice(0, 1);
    if (reading === undefined) throw new Error("a read was not begun");
    yield [item, await reading];
  }
}
