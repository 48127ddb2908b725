// Runs before each page: gives it a content security policy with a fresh nonce, and tells the layout which page it is.
import { NextResponse, type NextRequest } from "next/server";

/**
 * The policy of one response. Scripts and style elements need the nonce; style attributes are allowed because
 * positions of floating parts and virtual rows are computed (React writes them into server-rendered markup).
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Sets the policy on request (Next reads the nonce there) and response. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  headers.set("x-nonce", nonce);
  headers.set("x-page", `${request.nextUrl.pathname}${request.nextUrl.search}`);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

export const config = {
  // All but routes and files, which are not pages: the HTTP server gives them a policy (server/surfaces/http/front.ts). A path with a dot may be a page's.
  // So may a prefetch: a browser may show what it has prefetched.
  matcher: ["/((?!api/|_next/static/|_next/image|favicon\\.ico$|icon\\.svg$|manifest\\.webmanifest$).*)"],
};
