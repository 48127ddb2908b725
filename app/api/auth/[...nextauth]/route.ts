// Sign-in and sign-out.
import NextAuth from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { consoleServer } from "@/server/surfaces/console/console-port";

export const dynamic = "force-dynamic";

interface Segment {
  readonly params: Promise<{ readonly nextauth: string[] }>;
}

/** Created per request, because settings are read when the process runs, not when it is built. */
async function handle(request: Request, segment: Segment): Promise<Response> {
  const cookies: string[] = [];
  const handler: (request: Request, segment: Segment) => Promise<Response> = NextAuth(
    consoleServer().authOptions(CredentialsProvider, (cookie) => cookies.push(cookie)),
  );
  const response = await handler(request, segment);
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

export { handle as GET, handle as POST };
