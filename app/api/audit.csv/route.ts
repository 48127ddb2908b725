// Events of the audit log as a file.
import { auditCsvResponse } from "@/server/surfaces/web/csv/audit-csv";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return auditCsvResponse(webBackend(), request);
}
