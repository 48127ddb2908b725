// The people of a demo site, whom its sign-in page offers to who sits at the machine that the site runs on (docs/demo.md).
import { z } from "zod";
import { isProvisioningAddress } from "@/server/agents/boot/provisioning-networks";
import type { SignInError } from "@/server/domain/access/sign-in-errors";
import { roles } from "@/server/domain/access/roles";
import { viaProxyHeader } from "@/server/surfaces/http/client-address";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const timeoutMs = 2_000;

const person = z.object({ role: z.enum(roles), org: z.string(), email: z.string(), password: z.string() });
const answer = z.object({ people: z.array(person) });
type DemoLogin = z.infer<typeof person>;
type DemoPerson = Omit<DemoLogin, "password">;

const ownNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Through a proxy on this machine, or under a name that others use, come people who are elsewhere. */
const comesFromHere = (headers: Headers, baseUrl: string): boolean =>
  headers.get(viaProxyHeader) === "0" &&
  ownNames.has(new URL(baseUrl).hostname) &&
  ownNames.has(URL.parse(`http://${headers.get("host") ?? ""}`)?.hostname ?? "") &&
  isProvisioningAddress(requestFacts(headers).address ?? "", ["loopback"]);

/** Null: this is no demo, or the request comes from another machine. */
async function readLogins(
  { config, logger }: WebBackend,
  headers: Headers,
): Promise<readonly DemoLogin[] | "noAnswer" | null> {
  const { demoDesk } = config;
  if (demoDesk === undefined || !comesFromHere(headers, config.baseUrl)) return null;
  try {
    const response = await fetch(`${demoDesk.url}/people`, {
      headers: { authorization: `Bearer ${demoDesk.token}` },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return answer.parse(await response.json()).people;
  } catch (error) {
    logger.warn({ err: error }, "the demo desk does not say who its people are");
    return "noAnswer";
  }
}

/** Whom the sign-in page offers; none if the desk does not answer. Null: it says nothing of a demo. */
export async function demoPeople(backend: WebBackend, headers: Headers): Promise<DemoPerson[] | null> {
  const logins = await readLogins(backend, headers);
  if (logins === null || logins === "noAnswer") return logins === null ? null : [];
  return logins.map(({ role, org, email }) => ({ role, org, email }));
}

/** The password of one of them; null: nobody whom the page would have offered. Throws the `SignInError` NoDesk if the desk does not answer. */
export async function demoPassword(
  backend: WebBackend,
  headers: Headers,
  email: string,
): Promise<string | null> {
  const logins = await readLogins(backend, headers);
  if (logins === "noAnswer") throw new Error("NoDesk" satisfies SignInError);
  return logins?.find((login) => login.email === email)?.password ?? null;
}
