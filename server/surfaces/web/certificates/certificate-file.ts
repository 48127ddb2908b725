// `GET /api/certificates/<id>` and `GET /api/certificates/<id>.pdf`: a certificate as a file, for programs and for people.
import { z } from "zod";
import { bundleMediaType } from "@/server/domain/certificates/bundle";
import { certificatePdf, checkAddress } from "@/server/domain/certificates/pdf/certificate-pdf";
import { getCertificate } from "@/server/usecases/certificates/certificates";
import { readAsker } from "@/server/surfaces/web/asker";
import { fileHeaders } from "@/server/surfaces/web/evidence/download";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const guid = z.guid();
const pdfEnding = ".pdf";

async function pdfResponse(backend: WebBackend, requestId: string, id: string, bundle: string) {
  const address = checkAddress(backend.config.baseUrl, id);
  const pdf = address === null ? null : await certificatePdf(bundle, address);
  return pdf === null
    ? problemResponse(
        {
          code: "notAllowedNow",
          detail: "The public address (RECLAIM_BASE_URL) cannot be written into a PDF.",
        },
        requestId,
      )
    : new Response(Buffer.from(pdf), { headers: fileHeaders(`certificate-${id}.pdf`, "application/pdf") });
}

/** @param name the id, with `.pdf` behind it for a PDF */
export async function certificateResponse(
  backend: WebBackend,
  request: Request,
  name: string,
): Promise<Response> {
  const isPdf = name.endsWith(pdfEnding);
  const id = isPdf ? name.slice(0, -pdfEnding.length) : name;
  const { requestId } = requestFacts(request.headers);
  const actor = await readAsker(backend, request.headers);
  if (actor === null)
    return problemResponse({ code: "unauthenticated", detail: "Sign in first." }, requestId);
  if (!guid.safeParse(id).success)
    return problemResponse({ code: "invalid", detail: "It must be the id of a certificate." }, requestId);
  const found = await getCertificate(backend, actor, { id });
  if (!found.ok) return problemResponse(found.problem, requestId);
  if (isPdf) return pdfResponse(backend, requestId, id, found.value.bundle);
  return new Response(found.value.bundle, {
    headers: fileHeaders(`certificate-${id}.json`, bundleMediaType),
  });
}
