// Live changes as server-sent events.
import { liveResponse } from "@/server/surfaces/live/live-response";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return liveResponse(webBackend(), request);
}
