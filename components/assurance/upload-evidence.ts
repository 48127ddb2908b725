// Uploads an evidence file and returns its digest.
import { z } from "zod";
import { ShownError } from "@/components/trpc/query-client";
import { isOffline } from "@/components/trpc/refuse-offline";
import { maxEvidenceBytes } from "@/server/domain/assurance/evidence/file-type";

const receipt = z.object({ sha256: z.string() });
const refusal = z.object({ detail: z.string() });

const failed =
  "the upload failed. Check the connection and send again. If you have changed the file since, choose it again.";

export async function uploadEvidence(file: File): Promise<string> {
  if (file.size > maxEvidenceBytes)
    throw new ShownError(`${file.name} is larger than 25 MiB. Choose a smaller file.`);
  // Not "nothing was sent": files chosen before this one may be stored already.
  if (isOffline())
    throw new ShownError(
      `${file.name} was not sent: you are offline. Send again when the connection is back.`,
    );
  const response = await fetch(`/api/evidence?name=${encodeURIComponent(file.name)}`, {
    method: "POST",
    headers: { "content-type": file.type === "" ? "application/octet-stream" : file.type },
    body: file,
  }).catch(() => null);
  // Sending a file again is harmless: it is stored by its digest.
  if (response === null) throw new ShownError(`${file.name}: ${failed}`);
  const body: unknown = await response.json().catch(() => null);
  const stored = receipt.safeParse(body);
  if (response.status === 201 && stored.success) return stored.data.sha256;
  const told = refusal.safeParse(body);
  throw new ShownError(`${file.name}: ${told.success ? told.data.detail : failed}`);
}
