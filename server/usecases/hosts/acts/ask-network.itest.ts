// A network that does not come: shown on the host's page with the last answer, and requested again by hand.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { roles, type Role } from "@/server/domain/access/roles";
import type { NetworkAnswer } from "@/server/domain/hosts/network/controller-answer";
import { askNetwork } from "@/server/usecases/hosts/acts/ask-network";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { validateNetwork } from "@/server/usecases/hosts/network/validate-network";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let hostId: string;
beforeEach(async () => {
  world = await createWorld();
  hostId = await world.host("gpu-1");
});
afterEach(() => world.stop());

const wanted = {
  host: "gpu-1",
  version: 3,
  network: "tenant",
  tenant: null,
  interfaces: ["dpu0"],
  extensionServices: true,
};

async function shown() {
  const found = await getHost(world.backend, world.actor("operator"), { host: "gpu-1" });
  if (!found.ok) throw new Error(found.problem.detail);
  const { network, actions } = found.value;
  return { network, act: actions.find(({ intent }) => intent === "askNetwork") };
}

async function waiting(network: object, lastError: string | null = null): Promise<void> {
  await world.put(hostId, "Assigned/WaitingForNetworkConfig");
  await world.backend.database.hostRun.update({
    where: { hostId },
    data: { context: { network: { wanted, sha256: null, ...network } }, lastError },
  });
}

describe("validating the network of a host", () => {
  const asked: { url: string; token: string; hostId: string; timeoutMs: number }[] = [];
  /** Seals the token anew, so that no earlier answer is in the cache. */
  const anew = (place = world.siteId) => {
    const { database, secrets } = world.backend;
    const networkToken = secrets.seal("the-token", secretPlaces.networkToken(place));
    return database.site.update({ where: { id: world.siteId }, data: { networkToken } });
  };
  const said = async (answer: NetworkAnswer, role: Role = "operator", of = hostId) => {
    const outcome = await validateNetwork(
      {
        ...world.backend,
        askNetworkController: async ({ url, token }, id, timeoutMs) => {
          asked.push({ url, token, hostId: id, timeoutMs });
          return answer;
        },
      },
      world.actor(role),
      { hostId: of },
    );
    return outcome.ok ? outcome.value : outcome.problem.code;
  };
  const works: NetworkAnswer = { kind: "answered", status: 204, allows: ["PUT"] };

  it("asks the site's controller with its token, for seconds, and changes nothing", async () => {
    const { database } = world.backend;
    expect(await said(works)).toMatch(/no network controller/);
    expect(asked).toEqual([]);
    await database.site.update({
      where: { id: world.siteId },
      data: {
        networkUrl: "http://network.localhost",
      },
    });
    await anew();
    await database.host.update({ where: { id: hostId }, data: { networkInterfaces: ["dpu0"] } });
    const before = await database.hostRun.findUnique({ where: { hostId } });
    expect(await said(works)).toBeNull();
    expect(asked).toEqual([
      { url: "http://network.localhost", token: "the-token", hostId, timeoutMs: expect.any(Number) },
    ]);
    expect(asked[0]?.timeoutMs).toBeLessThanOrEqual(5_000);
    await anew();
    expect(await said({ kind: "answered", status: 404, allows: null })).toMatch(/responded with 404/);
    await anew();
    expect(await said({ kind: "lost", cause: "timeout", reason: "no answer within 3000 ms" })).toMatch(
      /does not respond/,
    );
    expect(await said(works, "tenant-admin")).toBe("forbidden");

    await anew();
    const askedAt = new Date(Date.now() - 300_000).toISOString();
    await waiting({ sha256: "x", askedAt, retryAt: null, failures: 0 });
    expect(await said(works)).toMatch(/accepted the request for the tenant network 5 min ago.*dpu0/);
    await waiting({ askedAt: null, retryAt: askedAt, failures: 1 }, "PUT was answered 503");
    expect(await said(works)).toMatch(/PUT was answered 503/);
    await anew(hostId);
    expect(await said(works)).toMatch(/stored token for it cannot be decrypted/);
    expect(await database.signal.count()).toBe(0);
    expect((await database.hostRun.findUnique({ where: { hostId } }))?.wakeSeq).toBe(before?.wakeSeq);

    // An answer is shared by all hosts of the site for some seconds, unless it is about one host's address.
    const other = await world.host("gpu-2");
    const hosts = [hostId, other, other];
    const count = async (answer: NetworkAnswer) => {
      await anew();
      asked.length = 0;
      for (const of of hosts) await said(answer, "operator", of);
      return asked.map((question) => question.hostId);
    };
    expect(await count(works)).toEqual([hostId]);
    expect(await count({ kind: "answered", status: 404, allows: null })).toEqual([hostId, other]);
  });
});

describe("a network that does not come", () => {
  it("is shown with who was asked for which, since when, and the last answer", async () => {
    expect(await shown()).toEqual({ network: null, act: undefined });
    const askedAt = "2026-11-22T10:00:00.000Z";
    await waiting({ askedAt, retryAt: null, failures: 0 });
    expect(await shown()).toMatchObject({
      network: { wanted: "tenant", version: 3, acceptedAt: new Date(askedAt), failures: 0, answer: null },
      act: { allowed: true, words: "Ask network again" },
    });
    await waiting({ askedAt: null, retryAt: askedAt, failures: 4 }, "PUT was answered 503");
    expect(await shown()).toMatchObject({
      network: { acceptedAt: null, retryAt: new Date(askedAt), failures: 4, answer: "PUT was answered 503" },
    });
  });

  it("is asked for again by who may retry, and by nobody else", async () => {
    await waiting({ askedAt: null, retryAt: null, failures: 1 });
    const answers: Record<string, string> = {};
    for (const role of roles) {
      const answer = await askNetwork(world.backend, world.actor(role), world.request(), { hostId });
      answers[role] = answer.ok ? "accepted" : answer.problem.code;
    }
    expect(answers).toMatchObject({
      operator: "accepted",
      "provider-admin": "accepted",
      auditor: "forbidden",
    });
    expect(answers["tenant-admin"]).not.toBe("accepted");
    const signals = await world.backend.database.signal.findMany({ where: { hostId, kind: "askNetwork" } });
    expect(signals.length).toBeGreaterThan(0);
    await world.backend.database.signal.deleteMany({ where: { hostId } });
    await world.put(hostId, "Ready");
    expect(
      await askNetwork(world.backend, world.actor("operator"), world.request(), { hostId }),
    ).toMatchObject({ problem: { code: "notAllowedNow" } });
  });
});
