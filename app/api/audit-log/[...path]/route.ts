// The files of the signed audit log, for verification in the browser.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly path: readonly string[] }> },
): Promise<Response> {
  return consoleServer().responses.logFile(request, (await params).path);
}
