// Exceptions, or what runs out when, as a file.
import { assuranceCsvResponse } from "@/server/surfaces/web/csv/assurance-csv";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return assuranceCsvResponse(webBackend(), request);
}
