// The bytes of a file of evidence on their way from the store to whoever reads it.
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
  // What is not as it was brought is not given out whole.
  if (hash.digest("hex") !== sha256) throw new Error(`the bytes of the file ${sha256} were changed`);
  if (held !== null) yield held;
}

/** Closed where nobody reads it to its end, be it before the first piece. */
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

/** The pieces, when the first one has come: a service that is down is found out before the answer begins. */
export async function begun(pieces: AsyncIterable<Uint8Array>): Promise<AsyncIterableIterator<Uint8Array>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array> | null = await iterator.next();
  // No generator: one that has not begun ends without its `finally`, and the request of the service would stay open.
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
