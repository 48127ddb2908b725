// A tab of the page *Repair* as a file.
import { repairCsvResponse } from "@/server/surfaces/web/csv/repair-csv";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return repairCsvResponse(webBackend(), request);
}
