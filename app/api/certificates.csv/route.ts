// An index of certificates as a file.
import { certificatesCsvResponse } from "@/server/surfaces/web/csv/certificates-csv";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return certificatesCsvResponse(webBackend(), request);
}
