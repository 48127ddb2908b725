// `GET /api/certificates/<id>`: the bundle of a certificate as a file.
import { z } from "zod";
import { bundleMediaType } from "@/server/domain/certificates/bundle";
import { getCertificate } from "@/server/usecases/certificates/certificates";
import { readAsker } from "@/server/surfaces/web/asker";
import { fileHeaders } from "@/server/surfaces/web/evidence/download";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const guid = z.guid();

export async function certificateResponse(
  backend: WebBackend,
  request: Request,
  id: string,
): Promise<Response> {
  const { requestId } = requestFacts(request.headers);
  const actor = await readAsker(backend, request.headers);
  if (actor === null)
    return problemResponse({ code: "unauthenticated", detail: "Sign in first." }, requestId);
  if (!guid.safeParse(id).success)
    return problemResponse({ code: "invalid", detail: "It must be the id of a certificate." }, requestId);
  const found = await getCertificate(backend, actor, { id });
  if (!found.ok) return problemResponse(found.problem, requestId);
  return new Response(found.value.bundle, {
    headers: fileHeaders(`certificate-${id}.json`, bundleMediaType),
  });
}
