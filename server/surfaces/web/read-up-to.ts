// Reads the body of an upload, up to its limit.

/** Null: it is longer. The rest is left to the front (server/surfaces/http/linger.ts): to cancel the stream would close the connection before the answer. */
export async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    bytes += read.value.length;
    if (bytes > limit) return null;
    pieces.push(read.value);
  }
  return Buffer.concat(pieces, bytes);
}
