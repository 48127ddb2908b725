// The bundle of a certificate, as a file.
import { certificateResponse } from "@/server/surfaces/web/certificates/certificate-file";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> },
): Promise<Response> {
  return certificateResponse(webBackend(), request, (await params).id);
}
