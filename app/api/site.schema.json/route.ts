// The JSON Schema of a site document, for editors. It tells nothing of a site, so nobody need sign in for it.
import { siteJsonSchema } from "@/server/domain/site/json-schema";

export const dynamic = "force-static";

export function GET(): Response {
  return Response.json(siteJsonSchema());
}
