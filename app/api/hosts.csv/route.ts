// The hosts list as a file.
import { hostsCsvResponse } from "@/server/surfaces/web/csv/hosts-csv";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return hostsCsvResponse(webBackend(), request);
}
