// `GET /api/evidence/<sha256>`: an evidence file, always as a download and never displayed, so that no browser runs its content under our address.
import { attachment } from "@/server/domain/assurance/evidence/file-name";
import { readEvidence } from "@/server/usecases/assurance/evidence/read-evidence";
import { readAsker } from "@/server/surfaces/web/asker";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

/** If reading fails midway the stream breaks, so that half a file is not taken for a complete one. */
export function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
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

/** Headers that keep a browser from running an uploaded file. */
export const fileHeaders = (name: string, type: string): Readonly<Record<string, string>> => ({
  "content-type": type,
  "content-disposition": attachment(name),
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
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
