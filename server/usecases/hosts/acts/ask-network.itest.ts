// A network that does not come: shown on the host's page with what was answered last, and asked for again by hand.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import { askNetwork } from "@/server/usecases/hosts/acts/ask-network";
import { getHost } from "@/server/usecases/hosts/one/get-host";
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
