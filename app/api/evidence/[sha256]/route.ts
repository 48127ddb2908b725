// Downloads an evidence file as an attachment.
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly sha256: string }> },
): Promise<Response> {
  return consoleServer().responses.evidence(request, (await params).sha256);
}
