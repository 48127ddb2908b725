// The demo desk, where a site has one.
import { demoDeskResponse } from "@/server/surfaces/web/demo-desk";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return demoDeskResponse(webBackend(), request);
}

export function POST(request: Request): Promise<Response> {
  return demoDeskResponse(webBackend(), request);
}
