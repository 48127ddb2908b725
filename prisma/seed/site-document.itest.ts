// The demo's site as a document makes the same site in an empty database.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { loadSeedConfig } from "@/server/config";
import { createDatabase } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { applySite } from "@/server/usecases/sites/apply-site";
import { getSite } from "@/server/usecases/sites/get-site";
import { begin } from "@/prisma/seed/begin";
import { enrollFleet } from "@/prisma/seed/fleet";

const admin: Actor = {
  kind: "person",
  personId: randomUUID(),
  name: "Mara Okafor",
  email: "",
  role: "provider-admin",
  tenantId: null,
  org: null,
  targetedAt: [],
};
const request = { requestId: "test", address: null };

/** As the fleet's list has them; two vendors, one with a baseline. */
const fleet = (["dell", "lenovo"] as const).map((vendor, index) => ({
  serial: `S${index}`,
  name: `gpu-a-${index}`,
  vendor,
  manufacturer: vendor,
  model: `model ${index}`,
  sku: `SKU-${index}`,
  uuid: randomUUID(),
  rack: "A01",
  slot: index,
  macs: [],
  networkInterfaces: ["dpu0"],
  parts: {},
  infiniband: [{ dpu: false }],
  cpus: [{ model: "Xeon" }],
  memoryBytes: "1099511627776",
  drives: [{ media: "nvme" as const, capacityBytes: "3840755982336" }],
  bmc: { address: `http://bmc-${index}.localhost:9`, username: "root" },
}));

async function withDatabase<T>(key: Buffer, work: (backend: Backend, url: string) => Promise<T>): Promise<T> {
  const test = await createTestDatabase();
  const database = createDatabase(test.url, { max: 4, applicationName: "test" });
  try {
    return await work({ database, secrets: createSecretBox(key) }, test.url);
  } finally {
    await database.$disconnect();
    await test.drop();
  }
}

async function documentOf(backend: Backend) {
  const result = await getSite(backend, admin, { site: "a" });
  if (!result.ok) throw new Error(result.problem.detail);
  return result.value.document;
}

it("the demo's site, exported, makes the same site in an empty database", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reclaim-site-"));
  const key = randomBytes(32);
  const token = `planted-${randomUUID()}`;
  try {
    const exported = await withDatabase(key, async (backend, url) => {
      const config = loadSeedConfig({
        DATABASE_URL: url,
        RECLAIM_BASE_URL: "http://localhost:3000",
        RECLAIM_DEMO_LOGINS: join(folder, "logins.json"),
        RECLAIM_ENCRYPTION_KEY: key.toString("base64"),
        RECLAIM_SEED_NEW_LOGINS: "0",
        RECLAIM_SIM_PORT: "4000",
        RECLAIM_SIM_BMC_PASSWORD: "p".repeat(8),
        RECLAIM_SIM_NETWORK_TOKEN: token,
      });
      const begun = await begin(backend.database, backend.secrets, config);
      const enroll = () =>
        enrollFleet(backend, admin, request, begun?.siteId ?? "", "p".repeat(8), fleet, true);
      await enroll();
      const enrolled = await documentOf(backend);
      // A demo of before baselines were required gets them, and one that a person changed stays.
      const sku = { name: "SKU-1" };
      const { components } = await backend.database.sku.findUniqueOrThrow({ where: sku });
      const { baseline: _, ...before } = Object(components);
      await backend.database.sku.update({ where: sku, data: { components: before } });
      await enroll();
      expect(await documentOf(backend)).toEqual(enrolled);
      const changed = { ...before, baseline: { lockdown: true } };
      await backend.database.sku.update({ where: sku, data: { components: changed } });
      await enroll();
      expect((await documentOf(backend)).skus?.[1]?.components.baseline).toEqual({ lockdown: true });
      await backend.database.sku.update({ where: sku, data: { components: components ?? {} } });
      return documentOf(backend);
    });
    expect(exported.skus?.map(({ name }) => name)).toEqual(["SKU-0", "SKU-1"]);
    expect(exported.skus?.[0]?.components.baseline).toBeDefined();
    expect(exported.tenants).toHaveLength(3);
    expect(exported.networkController?.acknowledgementToken).toEqual({ stored: true });
    const text = stringify(exported);
    expect(text).not.toContain(token);
    await withDatabase(randomBytes(32), async (backend) => {
      const refused = await applySite(backend, admin, request, {
        document: text,
        create: true,
        reason: "test",
      });
      expect(refused).toMatchObject({
        problem: {
          faults: [{ path: "networkController.token" }, { path: "networkController.acknowledgementToken" }],
        },
      });
      const document = text.replaceAll("stored: true", "fromEnv: NET");
      const made = await applySite(backend, admin, request, {
        document,
        create: true,
        secrets: { "env:NET": token },
        reason: "test",
      });
      expect(made).toMatchObject({ ok: true, value: { created: true, version: 1 } });
      expect(await documentOf(backend)).toEqual(exported);
      expect(await backend.database.site.findFirst()).toMatchObject({ demo: false, label: null });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
