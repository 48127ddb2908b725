// What the console's API is, for programs. It tells nothing of the site, so nobody need sign in for it.
import { openApiDocument } from "@/server/surfaces/trpc/openapi";

export const dynamic = "force-static";

export function GET(): Response {
  return Response.json(openApiDocument());
}
