// The signed-in person behind a request's cookie: next-auth's token says who, and the database says whether the session is still valid.
import { decode } from "next-auth/jwt";
import { z } from "zod";
import { readSessionActor } from "@/server/usecases/access/read-actor";
import { isSignedOut } from "@/server/usecases/access/sign-out";
import { noteSession } from "@/server/usecases/access/sessions";
import { requestFacts } from "@/server/surfaces/web/request";
import type { Actor } from "@/server/usecases/actor";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

/** What our cookie contains besides next-auth's own fields. */
export const sessionToken = z.object({ personId: z.guid(), sessionEpoch: z.int(), sessionId: z.guid() });

/** next-auth's own names. The prefix makes browsers refuse the cookie from an insecure page. */
export const sessionCookie = (baseUrl: string): string =>
  `${baseUrl.startsWith("https:") ? "__Secure-" : ""}next-auth.session-token`;

function cookie(headers: Headers, name: string): string | null {
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return decodeURIComponent(value.join("="));
  }
  return null;
}

/** Null without a cookie, for a forged or expired one, and for a session that was ended. */
export async function sessionActor(
  { database, config }: Pick<WebBackend, "database" | "config">,
  headers: Headers,
): Promise<Actor | null> {
  const token = cookie(headers, sessionCookie(config.baseUrl));
  if (token === null) return null;
  const payload = await decode({ token, secret: config.nextAuthSecret }).catch(() => null);
  const parsed = sessionToken.safeParse(payload);
  if (!parsed.success || (await isSignedOut(database, parsed.data.sessionId))) return null;
  const { personId, sessionEpoch, sessionId } = parsed.data;
  const actor = await readSessionActor(database, personId, sessionEpoch);
  if (actor === null) return null;
  const { address } = requestFacts(headers);
  await noteSession(database, { sessionId, personId, epoch: sessionEpoch, address });
  return { ...actor, sessionId };
}
