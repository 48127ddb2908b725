// The result of an act on many hosts as a file.
import { bulkCsvResponse } from "@/server/surfaces/web/csv/bulk-csv";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return bulkCsvResponse(webBackend(), request);
}
