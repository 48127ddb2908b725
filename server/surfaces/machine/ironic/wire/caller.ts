// Who calls the Ironic API: HTTP basic with the console's people and tokens, a bearer token, or no sign-in from this machine
// (docs/api-ironic.md#address-and-sign-in).
import { createHmac, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { bearerToken, isApiToken } from "@/server/domain/access/tokens";
import { isProvisioningAddress } from "@/server/agents/boot/provisioning-networks";
import { authenticateToken } from "@/server/usecases/access/authenticate-token";
import { readSessionActor } from "@/server/usecases/access/read-actor";
import { signIn } from "@/server/usecases/access/sign-in";
import { localActor, type Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { perDatabase } from "@/server/usecases/timed-cache";
import { fault, faultOfProblem } from "@/server/surfaces/machine/ironic/wire/errors";

/** How long a correct password is not hashed again. Whether the person may still sign in is checked again every two seconds. */
export const passwordAgeMs = 60_000;

export interface ProvenPassword {
  readonly personId: string;
  readonly sessionEpoch: number;
}

const provenOf = perDatabase<ProvenPassword>("provenPasswords", { ttlMs: passwordAgeMs, max: 10_000 });

/** Known passwords are stored as hashes that are useless outside this process. */
const cacheKey = randomBytes(32);

const wrong = () => fault(401, "Incorrect username or password");

/** Whether the socket's peer is this machine, and neither a proxy for others nor a page in a browser. */
function isLocal(request: FastifyRequest): boolean {
  const { forwarded, origin, host = "" } = request.headers;
  if (forwarded !== undefined || request.headers["x-forwarded-for"] !== undefined) return false;
  if (origin !== undefined || request.headers["sec-fetch-site"] !== undefined) return false;
  // A name that an attacker points at this machine is not one of these.
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  if (isIP(name) === 0 && name !== "localhost" && !name.endsWith(".localhost")) return false;
  return isProvisioningAddress(request.socket.remoteAddress ?? "", ["loopback"]);
}

/** Name and password of `Authorization: Basic …`; null for anything else. */
function basicCredentials(header: string): { readonly name: string; readonly password: string } | null {
  const match = /^Basic ([A-Za-z0-9+/]{1,4096}={0,2})$/i.exec(header);
  if (match?.[1] === undefined) return null;
  const text = Buffer.from(match[1], "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon === -1 ? null : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

async function withPassword(
  backend: Backend,
  request: FastifyRequest,
  header: string,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<Actor> {
  const key = createHmac("sha256", cacheKey).update(header).digest("base64");
  const cache = provenOf(backend.database);
  // A wrong password throws, and errors are not cached: each attempt counts towards the limit.
  const { personId, sessionEpoch } = await cache.get(key, async () => {
    const result = await signIn(
      backend,
      { email: name, password },
      { requestId: request.id, address: request.clientAddress },
    );
    if (result.ok) return { personId: result.value.actor.personId, sessionEpoch: result.value.sessionEpoch };
    throw result.problem.code === "unauthenticated" ? wrong() : faultOfProblem(result.problem);
  });
  const actor = await readSessionActor(backend.database, personId, sessionEpoch);
  if (actor !== null) return actor;
  cache.delete(key);
  throw wrong();
}

async function withToken(backend: Backend, request: FastifyRequest, token: string): Promise<Actor> {
  const actor = await authenticateToken(backend.database, token, request.clientAddress);
  if (actor === null) throw wrong();
  return actor;
}

/**
 * The person who calls. `X-Auth-Token` is Keystone's and ignored. With `noauth` a program on this machine needs no sign-in, judged by the address
 * of its socket alone. Throws 401, and 429 after too many wrong passwords.
 */
export async function callerOf(backend: Backend, request: FastifyRequest, noauth: boolean): Promise<Actor> {
  const header = request.headers.authorization;
  if (header === undefined) {
    if (noauth && isLocal(request)) return localActor;
    throw fault(401, "Authorization required");
  }
  const token = bearerToken(header);
  if (token !== null) return withToken(backend, request, token);
  const given = basicCredentials(header);
  if (given === null) throw fault(401, "Only basic authentication and bearer tokens are supported");
  return isApiToken(given.password)
    ? withToken(backend, request, given.password)
    : withPassword(backend, request, header, given);
}
