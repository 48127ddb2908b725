// Takes a file of evidence.
import { uploadResponse } from "@/server/surfaces/web/evidence/upload";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export function POST(request: Request): Promise<Response> {
  return uploadResponse(webBackend(), request);
}
