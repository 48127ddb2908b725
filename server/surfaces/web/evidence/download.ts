// `GET /api/evidence/<sha256>`: a file of evidence, to be kept and never to be shown: whatever is in it, no browser runs it under our address.
import { attachment } from "@/server/domain/evidence/file-name";
import { readEvidence } from "@/server/usecases/evidence/read-evidence";
import { readAsker } from "@/server/surfaces/web/asker";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

/** One that fails on the way breaks the stream, so that half a file is not taken for a whole one. */
function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => {
      await iterator.return?.();
    },
  });
}

/** What keeps a browser from running a file that somebody brought. */
export const fileHeaders = (name: string, type: string): Readonly<Record<string, string>> => ({
  "content-type": type,
  "content-disposition": attachment(name),
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, no-store",
});

export async function downloadResponse(
  backend: WebBackend,
  request: Request,
  sha256: string,
): Promise<Response> {
  const facts = requestFacts(request.headers);
  const actor = await readAsker(backend, request.headers);
  if (actor === null)
    return problemResponse({ code: "unauthenticated", detail: "Sign in first." }, facts.requestId);
  const file = await readEvidence(backend, actor, facts, { sha256 });
  if (!file.ok) return problemResponse(file.problem, facts.requestId);
  const { name, type, bytes, pieces } = file.value;
  return new Response(streamOf(pieces), {
    headers: { ...fileHeaders(name, type), "content-length": String(bytes) },
  });
}
