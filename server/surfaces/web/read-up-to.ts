// Reads the body of an upload, up to its limit.

export class TooLong extends Error {
  override readonly name = "TooLong";
}

/**
 * The pieces of a body. Throws TooLong. What is not read is left to the front (server/surfaces/http/linger.ts): to cancel the stream would close the
 * connection before the answer, so this never does.
 */
export async function* piecesUpTo(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    bytes += read.value.length;
    if (bytes > limit) throw new TooLong();
    yield read.value;
  }
}

/** Null: it is longer. */
export async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of piecesUpTo(body, limit)) pieces.push(piece);
  } catch (error) {
    if (error instanceof TooLong) return null;
    throw error;
  }
  return Buffer.concat(pieces);
}
