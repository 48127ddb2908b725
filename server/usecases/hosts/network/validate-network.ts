// What keeps a host from the networks that it needs: the current answer of its site's network controller, and the result of the last request.
import { createHash } from "node:crypto";
import type { Prisma } from "@/server/db/generated/prisma/client";
import { SecretError, secretPlaces } from "@/server/db/secrets/secret-box";
import { extensionServiceStates } from "@/server/domain/hosts/network/network-protocol";
import { networkContext, type NetworkContext } from "@/server/domain/lifecycle/context";
import { acknowledged } from "@/server/domain/hosts/network/acknowledged";
import { networkTrouble } from "@/server/domain/hosts/network/controller-answer";
import type { AcceptedRequest, NetworkAnswer } from "@/server/domain/hosts/network/controller-answer";
import { isObject } from "@/server/domain/json";
import { bundlesOf } from "@/server/domain/sites/authorities";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { perDatabase } from "@/server/usecases/timed-cache";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** A person waits for the answer, and a client may ask about every host in turn. */
const answerWithinMs = 3_000;

/** A client asks about every host in turn, and the answer is the same for the whole site, so it is cached. */
const cacheOf = perDatabase<AskedOfNetwork>("networkAnswers", { ttlMs: 5_000, max: 500 });

/** An answer, and the host whose address was used. */
export interface AskedOfNetwork {
  readonly hostId: string;
  readonly answer: NetworkAnswer | null;
}

const read = {
  networkInterfaces: true,
  networkAcks: true,
  run: { select: { state: true, context: true, lastError: true, waitReason: true } },
  site: { select: { id: true, networkUrl: true, networkToken: true, authorities: true } },
} satisfies Prisma.HostSelect;
type Row = Prisma.HostGetPayload<{ select: typeof read }>;

const lost = (reason: string): NetworkAnswer => ({ kind: "lost", cause: "other", reason });

/** Never throws: whatever prevents the request is the answer. */
async function ask(
  { secrets, askNetworkController }: Backend,
  { site }: Row,
  hostId: string,
): Promise<NetworkAnswer | null> {
  const { id: siteId, networkUrl: url, networkToken } = site;
  if (askNetworkController === undefined || url === null || networkToken === null) return null;
  const bundles = bundlesOf(site.authorities);
  if (bundles === null) return lost("the site's certificate authorities cannot be read");
  try {
    const token = secrets.open(networkToken, secretPlaces.networkToken(siteId));
    const of = { siteId, url, token, authorities: bundles.networkController };
    return await askNetworkController(of, hostId, answerWithinMs);
  } catch (error) {
    if (error instanceof SecretError) return lost("the stored token for it cannot be decrypted");
    return lost(error instanceof TypeError ? error.message : "the question failed");
  }
}

/** Is about the requested address, not about the controller. */
const isOfAddress = (answer: NetworkAnswer | null): boolean =>
  answer?.kind === "answered" && (answer.status === 404 || answer.status === 410);

/** One answer for all hosts of a site, cached for seconds; changed settings take effect at once. */
async function askShared(backend: Backend, row: Row, hostId: string): Promise<NetworkAnswer | null> {
  const { id, networkUrl, networkToken, authorities } = row.site;
  const settings = [networkUrl, Buffer.from(networkToken ?? []).toString("base64"), authorities];
  const site = `${id} ${createHash("sha256").update(JSON.stringify(settings)).digest("hex")}`;
  const get = (key: string): Promise<AskedOfNetwork> =>
    cacheOf(backend.database).get(key, async () => ({ hostId, answer: await ask(backend, row, hostId) }));
  const known = await get(site);
  return isOfAddress(known.answer) && known.hostId !== hostId
    ? (await get(`${site} ${hostId}`)).answer
    : known.answer;
}

const contextOf = (run: Row["run"]): unknown => (isObject(run?.context) ? run.context["network"] : null);

/** The request that the controller accepted; null if it accepted none, or if another one is due. */
function acceptedRequest(
  { wanted, sha256, askedAt }: NetworkContext,
  { networkAcks }: Row,
): AcceptedRequest | null {
  if (askedAt === null) return null;
  // What another release wrote there does not count as an acknowledgement.
  const acks = networkAcks.flatMap(({ extensionServices, ...ack }) => {
    const known = extensionServiceStates.find((state) => state === extensionServices);
    return known === undefined ? [] : [{ ...ack, extensionServices: known }];
  });
  const state = acknowledged({ wanted, sha256, acks }, wanted.network);
  return {
    network: wanted.network,
    ms: Date.parse(askedAt),
    waiting: state.done ? null : state.reason,
  };
}

/** The result of the last requests; null if there is no known problem. */
function lastTrouble({ run }: Row): string | null {
  if (run === null) return null;
  const network = contextOf(run);
  const failures = isObject(network) ? network["failures"] : 0;
  const failed = run.state.startsWith("Failed/Network") || (typeof failures === "number" && failures > 0);
  return failed ? (run.lastError ?? run.waitReason) : null;
}

/** One sentence on what keeps a host from its networks; null if nothing known does. Asks the controller without changing anything, and waits a few seconds. */
export async function validateNetwork(
  backend: Backend,
  actor: Actor,
  { hostId }: { readonly hostId: string },
): Promise<Outcome<string | null>> {
  const scope = scopeOf(actor, "host.read");
  if (!scope.ok) return scope;
  const row = await backend.database.host.findUnique({ where: { id: hostId }, select: read });
  if (row === null) return notFound("host", hostId);
  const answer = await askShared(backend, row, hostId);
  const context = networkContext.safeParse(contextOf(row.run));
  return done(
    networkTrouble(
      {
        interfaces: row.networkInterfaces.length,
        hasController: row.site.networkUrl !== null && row.site.networkToken !== null,
        answer,
        accepted: context.success ? acceptedRequest(context.data, row) : null,
        trouble: lastTrouble(row),
      },
      Date.now(),
    ),
  );
}
