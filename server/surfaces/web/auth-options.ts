// next-auth's settings: email and password, a short session in an encrypted cookie that holds who and which epoch, and nothing else.
import { randomUUID } from "node:crypto";
import type { AuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { signIn } from "@/server/usecases/access/sign-in";
import { isSignedOut, sessionSeconds, signOut } from "@/server/usecases/access/sign-out";
import { requestFacts } from "@/server/surfaces/web/request";
import { sessionToken } from "@/server/surfaces/web/session";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

declare module "next-auth" {
  interface User {
    sessionEpoch: number;
  }
}
declare module "next-auth/jwt" {
  interface JWT {
    personId?: string;
    sessionEpoch?: number;
    sessionId?: string;
  }
}

/** What the sign-in form knows a limit by, and that too many sign in at once. */
const limited = "RateLimited";
const busy = "Busy";

const textsOf = (headers: Record<string, unknown> | undefined): Headers => new Headers(Object.entries(headers ?? {}).flatMap(([name, value]): [string, string][] => (typeof value === "string" ? [[name, value]] : [])));

export function authOptions(backend: WebBackend): AuthOptions {
  return {
    secret: backend.config.nextAuthSecret,
    useSecureCookies: backend.config.baseUrl.startsWith("https:"),
    session: { strategy: "jwt", maxAge: sessionSeconds },
    pages: { signIn: "/signin", error: "/signin" },
    logger: { error: (code) => backend.logger.warn({ code }, "next-auth"), warn: () => undefined, debug: () => undefined },
    providers: [
      CredentialsProvider({
        credentials: { email: { label: "Email", type: "email" }, password: { label: "Password", type: "password" } },
        authorize: async (credentials, request) => {
          const result = await signIn(backend, { email: credentials?.email ?? "", password: credentials?.password ?? "" }, requestFacts(textsOf(request.headers)));
          if (!result.ok) {
            if (result.problem.code === "tooMany") throw new Error(limited);
            if (result.problem.code === "unavailable") throw new Error(busy);
            return null;
          }
          const { actor, sessionEpoch } = result.value;
          return { id: actor.personId, name: actor.name, email: actor.email, sessionEpoch };
        },
      }),
    ],
    events: {
      signOut: async ({ token }) => {
        const session = sessionToken.safeParse(token);
        if (session.success) await signOut(backend.database, session.data);
      },
    },
    callbacks: {
      // next-auth gives a cookie anew to who has one: not to a session that was signed out.
      jwt: async ({ token, user }) => {
        if (user !== undefined) return { ...token, personId: user.id, sessionEpoch: user.sessionEpoch, sessionId: randomUUID() };
        const session = sessionToken.safeParse(token);
        if (!session.success || (await isSignedOut(backend.database, session.data.sessionId))) throw new Error("the session has ended");
        return token;
      },
      // Only to our own pages: an address from outside would lead away from a sign-in that looks like ours.
      redirect: ({ url, baseUrl }) => (url.startsWith("/") && !url.startsWith("//") ? `${baseUrl}${url}` : url.startsWith(`${baseUrl}/`) ? url : baseUrl),
    },
  };
}
