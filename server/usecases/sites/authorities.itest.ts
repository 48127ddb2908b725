// A site's certificate authorities in its document, and which certificates a person may confirm (docs/sites.md#certificate-authorities).
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Pool } from "pg";
import { stringify } from "yaml";
import { createPool } from "@/server/db/connection";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import { hotStatements } from "@/server/db/hot/pool";
import { formatChange } from "@/server/domain/sites/difference";
import { authorityForTests } from "@/server/hardware/http/testing/self-signed";
import { confirmCertificate } from "@/server/usecases/hosts/enrolment/confirm-certificate";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { applySite } from "@/server/usecases/sites/apply-site";
import { getSite } from "@/server/usecases/sites/get-site";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let pool: Pool;
beforeEach(async () => {
  world = await createWorld();
  pool = createPool({ connectionString: world.url, max: 1 }, () => undefined);
});
afterEach(async () => {
  await pool.end();
  await world.stop();
});

const lab = authorityForTests("Lab CA", 10);
const spare = authorityForTests("Spare CA");
const asked = (parts: object, who: "provider-admin" | "operator" = "provider-admin") =>
  applySite(world.backend, world.actor(who), world.request(), {
    document: stringify({ format: 1, site: "a", ...parts }),
    reason: "ticket 4711",
  });
async function apply(parts: object): Promise<readonly string[]> {
  const result = await asked(parts);
  if (!result.ok) throw new Error(result.problem.detail);
  return result.value.changes.map(formatChange);
}
const site = async () => {
  const found = await getSite(world.backend, world.actor("auditor"), { site: "a" });
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value;
};
const authorities = {
  lab: { usedFor: ["bmc", "networkController"], pem: `${lab.cert}${spare.cert}` },
};

describe("the authorities of a site", () => {
  it("are applied, told one by one, exported as they are, and taken away by what leaves them out", async () => {
    expect(await apply({ bmcTrust: "pin", authorities })).toHaveLength(2);
    const { document, authorities: lines } = await site();
    expect(document).toMatchObject({ bmcTrust: "pin", authorities });
    expect(lines).toMatchObject([
      { name: "lab", subject: "CN=Lab CA", expiry: "soon", usedFor: ["bmc", "networkController"] },
      { name: "lab", subject: "CN=Spare CA", expiry: "later" },
    ]);
    expect(await apply({ bmcTrust: "pin", authorities })).toEqual([]);
    expect(await apply({})).toEqual([
      'bmcTrust: "pin" → "pinOrAuthority"',
      expect.stringMatching(/^authorities: removed/),
    ]);
    expect((await site()).authorities).toEqual([]);
  });

  it("with a fault leave the site as it is; only a provider admin sets them", async () => {
    const broken = { bad: { usedFor: ["bmc"], pem: `${lab.cert}${spare.key}` } };
    expect(await asked({ authorities: broken })).toMatchObject({
      problem: { code: "invalid", faults: [{ path: "authorities.bad.pem" }] },
    });
    expect(JSON.stringify(await asked({ authorities: broken }))).not.toContain(spare.key.split("\n")[1]);
    expect(await asked({ bmcTrust: "any" })).toMatchObject({ problem: { faults: [{ path: "bmcTrust" }] } });
    expect(await asked({ authorities }, "operator")).toMatchObject({ problem: { code: "forbidden" } });
    expect((await site()).document).not.toHaveProperty("authorities");
  });

  it("are there for the next request to a BMC, once for all hosts of a batch", async () => {
    const hosts = [await world.host("gpu-1"), await world.host("gpu-2")];
    const targets = async () => [...(await effectTargets(pool, hosts)).values()];
    const system = { bmc_trust: "pinOrAuthority", authorities: { bmc: null, networkController: null } };
    expect(await targets()).toMatchObject([system, system]);
    await apply({ bmcTrust: "authority", authorities });
    const { pem } = authorities.lab;
    const own = { bmc_trust: "authority", authorities: { bmc: pem, networkController: pem } };
    const [first, second] = await targets();
    expect([first, second]).toMatchObject([own, own]);
    expect(second?.authorities).toBe(first?.authorities);
    // The same text is parsed only once.
    expect((await targets())[0]?.authorities).toBe(first?.authorities);
    const sent = await pool.query<{ authorities: string | null }>(
      hotStatements().get("effect_targets") ?? "",
      [hosts],
    );
    expect(sent.rows.filter((row) => row.authorities !== null)).toHaveLength(1);
  });

  it("of the release beside this one stop nothing, and stay", async () => {
    const hostId = await world.host("gpu-1");
    const { pem } = authorities.lab;
    const lab = { usedFor: ["bmc", "agents"], pem, note: "n" };
    const stored = { lab, agents: { usedFor: ["agents"], pem } };
    await world.backend.database.site.update({
      where: { id: world.siteId },
      data: { authorities: stored },
    });
    expect((await effectTargets(pool, [hostId])).get(hostId)).toMatchObject({
      authorities: { bmc: pem, networkController: null },
    });
    expect((await site()).document).toMatchObject({ authorities: { lab: { usedFor: ["bmc"], pem } } });
    await apply({ authorities });
    const now = await world.backend.database.site.findUniqueOrThrow({ where: { id: world.siteId } });
    expect(now.authorities).toEqual({
      ...stored,
      lab: { ...lab, usedFor: ["bmc", "networkController", "agents"] },
    });
  });
});

describe("a certificate", () => {
  const sha256 = "ab".repeat(32);
  const shown = (trusted: boolean) => ({
    sha256,
    subject: "CN=bmc",
    issuer: "CN=Lab CA",
    validFrom: "2026-01-01T00:00:00.000Z",
    validTo: "2036-01-01T00:00:00.000Z",
    trusted,
    refusal: trusted ? null : "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  });
  async function hostThatShows(trusted: boolean) {
    const hostId = await world.host("gpu-1");
    await world.backend.database.host.update({
      where: { id: hostId },
      data: { certificateSeen: shown(trusted) },
    });
    return hostId;
  }
  const confirm = (hostId: string) =>
    confirmCertificate(world.backend, world.actor("operator"), world.request(), { hostId, sha256 });
  async function offered(host: string) {
    const found = await getHost(world.backend, world.actor("operator"), { host });
    if (!found.ok) throw new Error(found.problem.detail);
    const { actions, certificate } = found.value;
    const act = actions.find(({ intent }) => intent === "confirmCertificate");
    return { accepted: certificate?.accepted, reason: act?.reason };
  }

  it("that no authority vouches for is confirmed by nobody where authorities decide", async () => {
    const hostId = await hostThatShows(false);
    await apply({ bmcTrust: "authority" });
    expect(await offered(hostId)).toEqual({
      accepted: false,
      reason: "the site accepts only certificates issued by a trusted authority",
    });
    expect(await confirm(hostId)).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringMatching(/Add its issuer/) },
    });
    await apply({});
    expect(await confirm(hostId)).toMatchObject({ ok: true });
    await apply({ bmcTrust: "authority" });
    expect(await offered(hostId)).toEqual({ accepted: true, reason: "the certificate is confirmed" });
  });

  it("that an authority vouches for is still confirmed where only pins count", async () => {
    const hostId = await hostThatShows(true);
    expect(await offered(hostId)).toEqual({
      accepted: true,
      reason: "the certificate is issued by a trusted authority",
    });
    await apply({ bmcTrust: "pin" });
    expect(await offered(hostId)).toEqual({ accepted: false, reason: null });
    expect(await confirm(hostId)).toMatchObject({ ok: true });
    expect(await offered(hostId)).toMatchObject({ accepted: true });
  });

  it("is vouched for by no authority that was judged by others: the BMC is asked first", async () => {
    const hostId = await hostThatShows(true);
    // An authority for another use changes nothing.
    const other = { lab: { ...authorities.lab, usedFor: ["networkController"] } };
    await apply({ bmcTrust: "authority", authorities: other });
    expect(await offered(hostId)).toMatchObject({ accepted: true });
    await apply({ bmcTrust: "authority", authorities });
    expect(await offered(hostId)).toEqual({
      accepted: false,
      reason: "the site accepts only certificates issued by a trusted authority",
    });
    expect(await confirm(hostId)).toMatchObject({
      problem: { code: "notAllowedNow", detail: expect.stringMatching(/authorities have changed.*Retry/) },
    });
    // A removed authority no longer vouches for any host.
    await world.backend.database.host.update({
      where: { id: hostId },
      data: { certificateSeen: shown(true) },
    });
    await apply({ bmcTrust: "authority" });
    expect(await offered(hostId)).toMatchObject({ accepted: false });
    const { certificateSeen } = await world.backend.database.host.findUniqueOrThrow({
      where: { id: hostId },
    });
    expect(certificateSeen).toEqual({ ...shown(false), refusal: "AUTHORITIES_CHANGED" });
  });
});
