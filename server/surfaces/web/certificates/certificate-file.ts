// `GET /api/certificates/<id>` and `GET /api/certificates/<id>.pdf`: a certificate as a file, for programs and for people.
import { z } from "zod";
import { bundleMediaType } from "@/server/domain/assurance/certificates/bundle";
import { certificatePdf, checkAddress } from "@/server/domain/assurance/certificates/pdf/certificate-pdf";
import { perProcess } from "@/server/process/process-state";
import type { Actor } from "@/server/usecases/actor";
import { getCertificate } from "@/server/usecases/assurance/certificates/certificates";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { readAsker } from "@/server/surfaces/web/asker";
import { PdfBudget } from "@/server/surfaces/web/certificates/pdf-budget";
import { fileHeaders } from "@/server/surfaces/web/evidence/download";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const pdfBudget = perProcess("certificatePdfs", () => new PdfBudget());

const guid = z.guid();
const pdfEnding = ".pdf";

/** The PDF of a bundle that the caller may read. */
async function makePdf(
  { config }: WebBackend,
  actor: Actor,
  id: string,
  bundle: string,
): Promise<Outcome<Uint8Array>> {
  const address = checkAddress(config.baseUrl, id);
  if (address === null)
    return refused("notAllowedNow", "The public address (RECLAIM_BASE_URL) cannot be written into a PDF.");
  if (!pdfBudget().take(actor, Date.now()))
    return refused("tooMany", "Too many PDF requests. Retry in a few seconds.");
  const pdf = await certificatePdf(bundle, address);
  return pdf === null
    ? refused("notAllowedNow", "This release cannot read the certificate's bundle: download it as JSON.")
    : done(pdf);
}

/** @param name the id, followed by `.pdf` for a PDF */
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
  const { bundle } = found.value;
  if (!isPdf)
    return new Response(bundle, { headers: fileHeaders(`certificate-${id}.json`, bundleMediaType) });
  const pdf = await makePdf(backend, actor, id, bundle);
  return pdf.ok
    ? new Response(Buffer.from(pdf.value), {
        headers: fileHeaders(`certificate-${id}.pdf`, "application/pdf"),
      })
    : problemResponse(pdf.problem, requestId);
}
