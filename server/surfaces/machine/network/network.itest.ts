// Network acknowledgements over real HTTP: only of the wanted network, only by the adapter of the host's own site.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { newToken, tokenHash } from "@/server/domain/access/tokens";
import { emptyContext } from "@/server/domain/lifecycle/context";
import { wantedDigest } from "@/server/domain/hosts/network/wanted-digest";
import type { NetworkWanted } from "@/server/domain/hosts/network/network-protocol";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { post } from "@/server/surfaces/machine/testing/machine-fixture";
import {
  addHost,
  auditCount,
  fingerprint,
  type TestHost,
} from "@/server/surfaces/machine/testing/machine-rows";

const path = "/network/v1/acknowledgements";
const fixture = machineServer();
let token: string;
let otherSiteId: string;
beforeAll(async () => {
  token = await adapterOf(fixture.siteId);
  otherSiteId = randomUUID();
  await fixture.query("INSERT INTO site (id, name) VALUES ($1, 'south')", [otherSiteId]);
});

async function adapterOf(siteId: string): Promise<string> {
  const made = newToken();
  await fixture.query(
    "INSERT INTO adapter_token (id, hash, adapter, site_id) VALUES ($1, $2, 'fabric', $3)",
    [randomUUID(), tokenHash(made), siteId],
  );
  return made;
}

const wantedFor = (host: TestHost): NetworkWanted => ({
  host: host.id,
  version: 7,
  network: "admin",
  tenant: null,
  interfaces: ["dpu-0", "dpu-1"],
  extensionServices: false,
});

async function wanting(
  answered = true,
  siteId = fixture.siteId,
): Promise<{ host: TestHost; sha256: string }> {
  const host = await addHost(fixture, "Assigned/WaitingForNetworkReconfig", siteId);
  const wanted = wantedFor(host);
  const network = {
    wanted,
    sha256: answered ? wantedDigest(wanted) : null,
    askedAt: null,
    retryAt: null,
    failures: 0,
  };
  await fixture.query("UPDATE host_run SET context = $2 WHERE host_id = $1", [
    host.id,
    { ...emptyContext(), network },
  ]);
  return { host, sha256: wantedDigest(wanted) };
}

const ackOf = (host: TestHost, sha256: string, change: Record<string, unknown> = {}) => ({
  host: host.id,
  interface: "dpu-0",
  version: 7,
  sha256,
  extensionServices: "terminated",
  ...change,
});
const acksOf = (host: TestHost) =>
  fixture.query(
    "SELECT interface, version, sha256, extension_services FROM network_ack WHERE host_id = $1 ORDER BY interface",
    [host.id],
  );

describe("an acknowledgement", () => {
  it.each([
    ["after", true],
    ["before", false],
  ])("that comes %s the answer to our own request is kept, and wakes the host", async (_when, answered) => {
    const { host, sha256 } = await wanting(answered);
    const woken = fixture.wakes();
    expect((await post(fixture, path, token, ackOf(host, sha256))).status).toBe(204);
    expect(
      (
        await post(
          fixture,
          path,
          token,
          ackOf(host, sha256, { interface: "dpu-1", extensionServices: "none" }),
        )
      ).status,
    ).toBe(204);
    expect(await acksOf(host)).toEqual([
      { interface: "dpu-0", version: 7, sha256, extension_services: "terminated" },
      { interface: "dpu-1", version: 7, sha256, extension_services: "none" },
    ]);
    expect(
      await fixture.query("SELECT kind, payload FROM signal WHERE host_id = $1 ORDER BY id", [host.id]),
    ).toEqual([
      { kind: "networkAck", payload: { interface: "dpu-0", version: 7 } },
      { kind: "networkAck", payload: { interface: "dpu-1", version: 7 } },
    ]);
    expect(
      await fixture.query("SELECT wake_seq::int, evidence_seq::int FROM host_run WHERE host_id = $1", [
        host.id,
      ]),
    ).toEqual([{ wake_seq: 2, evidence_seq: 2 }]);
    expect(fixture.wakes()).toBe(woken + 2);
  });

  it.each([
    ["another version", { version: 6 }],
    ["another configuration", { sha256: "0".repeat(64) }],
    ["an interface that was not asked", { interface: "dpu-9" }],
  ])("of %s changes nothing and is audited", async (_what, change) => {
    for (const answered of [true, false]) {
      const { host, sha256 } = await wanting(answered);
      const audits = await auditCount(fixture, "network.acknowledge");
      const before = await fingerprint(fixture);
      expect(await post(fixture, path, token, ackOf(host, sha256, change))).toMatchObject({
        status: 409,
        body: { code: "networkNotWanted" },
      });
      expect(await fingerprint(fixture)).toBe(before);
      expect(await auditCount(fixture, "network.acknowledge")).toBe(audits + 1);
    }
  });

  it("for a host of another site is answered like one for a host that does not exist", async () => {
    const { host, sha256 } = await wanting(true, otherSiteId);
    const before = await fingerprint(fixture);
    const answers = await Promise.all(
      [host.id, randomUUID(), "no-id"].map((id) =>
        post(fixture, path, token, ackOf(host, sha256, { host: id })),
      ),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, body: { code: "unknownHost" } });
    expect(await fingerprint(fixture)).toBe(before);
    expect((await post(fixture, path, await adapterOf(otherSiteId), ackOf(host, sha256))).status).toBe(204);
  });

  it("without a token of an adapter is refused before anything is said about it", async () => {
    const { host, sha256 } = await wanting();
    for (const wrong of [undefined, newToken()])
      for (const body of [ackOf(host, sha256), {}])
        expect((await post(fixture, path, wrong, body)).status).toBe(401);
    expect(await post(fixture, path, token, ackOf(host, "short"))).toMatchObject({
      status: 400,
      body: { field: "sha256" },
    });
    expect(await post(fixture, path, token, ackOf(host, sha256, { surplus: 1 }))).toMatchObject({
      status: 400,
      body: { field: "surplus" },
    });
    expect(await acksOf(host)).toEqual([]);
  });
});
