// `POST /api/evidence?name=…`: accepts one evidence file as the body of the request.
import type { EvidenceReceipt } from "@/server/contract/assurance/evidence";
import { maxEvidenceBytes } from "@/server/domain/assurance/evidence/file-type";
import { perProcess } from "@/server/process/process-state";
import { putEvidence, mayBring } from "@/server/usecases/assurance/evidence/put-evidence";
import type { Problem } from "@/server/usecases/problem";
import { isDeliberate, readAsker } from "@/server/surfaces/web/asker";
import { readUpTo } from "@/server/surfaces/web/read-up-to";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import { UploadPlaces } from "@/server/surfaces/web/evidence/upload-places";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const uploads = perProcess("evidenceUploads", () => new UploadPlaces());

const created = ({ sha256, name, type, bytes }: EvidenceReceipt): Response =>
  Response.json(
    { sha256, name, type, bytes },
    { status: 201, headers: { location: `/api/evidence/${sha256}`, "cache-control": "no-store" } },
  );

/** A caller without the right is refused before the body is read. */
export async function uploadResponse(backend: WebBackend, request: Request): Promise<Response> {
  const facts = requestFacts(request.headers);
  const refuse = (problem: Problem): Response => problemResponse(problem, facts.requestId);
  const actor = await readAsker(backend, request.headers);
  if (actor === null) return refuse({ code: "unauthenticated", detail: "Sign in first." });
  if (!isDeliberate(request.headers, backend.config.baseUrl))
    return refuse({ code: "forbidden", detail: "The request does not come from the console's own pages." });
  const may = mayBring(actor);
  if (!may.ok) return refuse(may.problem);
  const giveBack = uploads().take(actor);
  if (giveBack === null)
    return refuse({ code: "tooMany", detail: "Too many uploads in progress. Retry the request." });
  try {
    const bytes = await readUpTo(request.body, maxEvidenceBytes);
    if (bytes === null)
      return refuse({ code: "invalid", detail: "A file has at most 25 MiB.", field: "file" });
    const name = new URL(request.url).searchParams.get("name") ?? "";
    const declaredType = request.headers.get("content-type");
    const stored = await putEvidence(backend, actor, facts, { name, declaredType, bytes });
    return stored.ok ? created(stored.value) : refuse(stored.problem);
  } finally {
    giveBack();
  }
}
