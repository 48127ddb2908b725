// Streams an evidence file from the store to the reader.
import { createHash } from "node:crypto";

async function* checkedPieces(
  sha256: string,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash("sha256");
  let held: Uint8Array | null = null;
  for await (const piece of pieces) {
    hash.update(piece);
    if (held !== null) yield held;
    held = piece;
  }
  // A file that differs from its upload is never delivered completely.
  if (hash.digest("hex") !== sha256) throw new Error(`the bytes of the file ${sha256} were changed`);
  if (held !== null) yield held;
}

/** Closes the source if the reader stops early, even before the first piece. */
export function checked(
  sha256: string,
  pieces: AsyncIterableIterator<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  const all = checkedPieces(sha256, pieces);
  const iterator: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    next: () => all.next(),
    async return() {
      await all.return();
      await pieces.return?.();
      return { done: true, value: undefined };
    },
  };
  return iterator;
}

/** Waits for the first piece, so that a service that is down is noticed before the response begins. */
export async function begun(pieces: AsyncIterable<Uint8Array>): Promise<AsyncIterableIterator<Uint8Array>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array> | null = await iterator.next();
  // Not a generator: one that has not started ends without its `finally`, which would leave the request to the service open.
  const begins: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => begins,
    async next() {
      const next = first ?? (await iterator.next());
      first = null;
      return next;
    },
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
  return begins;
}
