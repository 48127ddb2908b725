// The files of the signed audit log, for the check in the browser.
import { logFileResponse } from "@/server/surfaces/web/audit-log/log-file";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly path: readonly string[] }> },
): Promise<Response> {
  return logFileResponse(webBackend(), request, (await params).path);
}
