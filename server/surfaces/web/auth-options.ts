// next-auth's settings: email and password, and a short session in an encrypted cookie that contains only the person and the session epoch.
import { randomUUID } from "node:crypto";
import type { AuthOptions, User } from "next-auth";
import type CredentialsProvider from "next-auth/providers/credentials";
import type { SignInError } from "@/server/domain/access/sign-in-errors";
import { deviceCookie, knownDevice } from "@/server/usecases/access/known-device";
import { signIn } from "@/server/usecases/access/sign-in";
import { outageProblem } from "@/server/usecases/database/database-problems";
import { isSignedOut, sessionSeconds, signOut } from "@/server/usecases/access/sign-out";
import { demoPassword } from "@/server/surfaces/web/demo-people";
import { requestFacts } from "@/server/surfaces/web/request";
import { sessionToken } from "@/server/surfaces/web/session";
import type { WebBackend } from "@/server/surfaces/web/web-backend";
import { routes } from "@/server/domain/console/routes";

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

/**
 * Checks a person's password; null: wrong. Throws nothing but a `SignInError`: next-auth sends the message of anything thrown here to the
 * caller, and a driver's message names tables, hosts and statements.
 */
async function authorize(
  backend: WebBackend,
  given: { readonly email: string; readonly password: string },
  headers: Headers,
  setCookie: (header: string) => void,
): Promise<User | null> {
  const told = (error: SignInError): Error => new Error(error);
  const { nextAuthSecret: secret, baseUrl } = backend.config;
  const deviceOf = (email: string) => knownDevice(secret, email, headers.get("cookie"));
  const result = await signIn(backend, { ...given, deviceOf }, requestFacts(headers)).catch(
    (error: unknown) => {
      const outage = outageProblem(error);
      backend.logger.error({ err: error }, outage?.detail ?? "a sign-in failed");
      throw told(outage === null ? "ServerFailed" : "NoDatabase");
    },
  );
  if (result.ok) {
    const { actor, sessionEpoch } = result.value;
    if (deviceOf(actor.email) === null)
      setCookie(deviceCookie(secret, actor.email, baseUrl.startsWith("https:")));
    return { id: actor.personId, name: actor.name, email: actor.email, sessionEpoch };
  }
  if (result.problem.code === "tooMany") throw told("RateLimited");
  if (result.problem.code === "unavailable") throw told("Busy");
  return null;
}

const textsOf = (headers: Record<string, unknown> | undefined): Headers =>
  new Headers(
    Object.entries(headers ?? {}).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );

/** Only to our own pages: an outside address would lead away from a sign-in that looks like ours. */
function ownPage({ url, baseUrl }: { readonly url: string; readonly baseUrl: string }): string {
  if (url.startsWith("/") && !url.startsWith("//")) return `${baseUrl}${url}`;
  return url.startsWith(`${baseUrl}/`) ? url : baseUrl;
}

/**
 * @param credentialsProvider next-auth's own, from the bundle that handles the request
 * @param setCookie adds a `Set-Cookie` header to the response, which next-auth does not let `authorize` do
 */
export function authOptions(
  backend: WebBackend,
  credentialsProvider: typeof CredentialsProvider,
  setCookie: (header: string) => void,
): AuthOptions {
  return {
    secret: backend.config.nextAuthSecret,
    useSecureCookies: backend.config.baseUrl.startsWith("https:"),
    session: { strategy: "jwt", maxAge: sessionSeconds },
    pages: { signIn: routes.signIn(), error: routes.signIn() },
    logger: {
      error: (code) => backend.logger.warn({ code }, "next-auth"),
      warn: () => undefined,
      debug: () => undefined,
    },
    providers: [
      credentialsProvider({
        credentials: {
          email: { label: "Email", type: "email" },
          password: { label: "Password", type: "password" },
          /** `1`: one of the people whom the sign-in page of a demo offers, without a password. */
          demo: { type: "hidden" },
        },
        authorize: async (credentials, request) => {
          const headers = textsOf(request.headers);
          const email = credentials?.email ?? "";
          const password =
            credentials?.demo === "1"
              ? await demoPassword(backend, headers, email)
              : (credentials?.password ?? "");
          return password === null ? null : authorize(backend, { email, password }, headers, setCookie);
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
      // next-auth renews the cookie of anybody who has one. A session that was signed out must not be renewed.
      jwt: async ({ token, user }) => {
        if (user !== undefined)
          return { ...token, personId: user.id, sessionEpoch: user.sessionEpoch, sessionId: randomUUID() };
        const session = sessionToken.safeParse(token);
        if (!session.success || (await isSignedOut(backend.database, session.data.sessionId)))
          throw new Error("the session has ended");
        return token;
      },
      redirect: ownPage,
    },
  };
}
