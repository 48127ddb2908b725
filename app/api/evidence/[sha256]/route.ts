// A file of evidence, as an attachment.
import { downloadResponse } from "@/server/surfaces/web/evidence/download";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly sha256: string }> },
): Promise<Response> {
  return downloadResponse(webBackend(), request, (await params).sha256);
}
