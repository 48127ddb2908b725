// Downloads a pack, and tells how much of it has arrived.
import { z } from "zod";
import { ShownError } from "@/components/trpc/query-client";
import { routes } from "@/server/domain/console/routes";
import type { ProofQuery } from "@/server/domain/console/routes";

const refusal = z.object({ detail: z.string() });

/** Throws ShownError with the server's reason. @param onBytes is called with the bytes received so far */
export async function fetchPack(
  selection: ProofQuery & { readonly pdf: boolean },
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<readonly BlobPart[]> {
  const response = await fetch(routes.files.proofPack(selection), { signal });
  if (!response.ok || response.body === null) {
    const told = refusal.safeParse(await response.json().catch(() => null));
    throw new ShownError(told.success ? told.data.detail : "The server did not make it. Try again.");
  }
  const parts: BlobPart[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    onBytes((bytes += read.value.length));
  }
  return parts;
}
