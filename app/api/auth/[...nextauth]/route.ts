// Sign-in and sign-out.
import NextAuth from "next-auth";
import { authOptions } from "@/server/surfaces/web/auth-options";
import { webBackend } from "@/server/surfaces/web/web-backend";

export const dynamic = "force-dynamic";

interface Segment {
  readonly params: Promise<{ readonly nextauth: string[] }>;
}

/** Made per request, because settings are read when the process runs and not when it is built. */
async function handle(request: Request, segment: Segment): Promise<Response> {
  const handler: (request: Request, segment: Segment) => Promise<Response> = NextAuth(
    authOptions(webBackend()),
  );
  return handler(request, segment);
}

export { handle as GET, handle as POST };
