// Tickets, notices or events of capacity as a file.
import { breakFixCsvResponse } from "@/server/surfaces/web/csv/break-fix-csv";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return breakFixCsvResponse(webBackend(), request);
}
