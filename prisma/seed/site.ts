// The demo's site: its policy, its network controller, and the token with which that one acknowledges.
import { createHash } from "node:crypto";
import type { Database, Transaction } from "@/server/db/prisma";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { acceleratedPolicy, defaultPolicy, storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";

export interface FleetAddress {
  readonly port: number;
  readonly networkToken: string;
  readonly speed: number;
  /** Whether the demo's SKUs require anything of the platform. */
  readonly baselines: boolean;
}

/** Erases are probed, so that the table of drive models has something to show. SKUs without baselines would stop their hosts. */
function demoPolicy({ speed, baselines }: FleetAddress): Policy {
  const { sanitization, ...policy } = acceleratedPolicy(defaultPolicy(), Math.max(1, speed));
  return {
    ...policy,
    requires: { ...policy.requires, platformAtBaseline: baselines },
    sanitization: { ...sanitization, canariesPerDevice: 16 },
  };
}

/** Makes the site once; with a fleet it is marked demo and says so. Only for a database that `seedingOf` lets us seed. Returns its id. */
export async function seedSite(
  tx: Transaction,
  secrets: SecretBox,
  fleet: FleetAddress | undefined,
): Promise<string> {
  const label = fleet === undefined ? null : `Simulated fleet, ×${fleet.speed}`;
  const body = fleet === undefined ? defaultPolicy() : demoPolicy(fleet);
  const known = await tx.site.findUnique({
    where: { name: "a" },
    select: { id: true, label: true, policyVersion: true },
  });
  if (known === null) {
    const site = await tx.site.create({
      data: { name: "a", demo: fleet !== undefined, label, policies: { create: { version: 1, body } } },
      select: { id: true },
    });
    if (fleet !== undefined) await connectNetwork(tx, secrets, site.id, fleet);
    return site.id;
  }
  if (await needsTwoPeople(tx, known.id, known.policyVersion)) return known.id;
  // Hardware that runs at another speed than the policy was made for needs other time limits: a new version, the old one is kept.
  if (fleet !== undefined && known.label !== label) {
    const version = known.policyVersion + 1;
    await tx.sitePolicy.create({ data: { siteId: known.id, version, body } });
    await tx.site.update({ where: { id: known.id }, data: { label, policyVersion: version, demo: true } });
    await connectNetwork(tx, secrets, known.id, fleet);
  }
  return known.id;
}

/** The demo's site trusts the maker of its GPUs, unless people have set authorities of their own. @param pem undefined: the fleet tells none */
export async function trustComponents(
  database: Database,
  siteId: string,
  pem: string | undefined,
): Promise<void> {
  if (pem === undefined) return;
  const authorities = { "simulated-components": { usedFor: ["component"], pem } };
  await database.site.updateMany({
    where: { id: siteId, demo: true, authorities: { equals: {} } },
    data: { authorities },
  });
}

/** Where changes need approval, a start changes nothing (docs/adr/0112-policy-changes-by-two-people.md). */
async function needsTwoPeople(tx: Transaction, siteId: string, version: number): Promise<boolean> {
  const { body } = await tx.sitePolicy.findUniqueOrThrow({ where: { siteId_version: { siteId, version } } });
  return storedPolicy.parse(body).changesNeedApproval;
}

async function connectNetwork(
  tx: Transaction,
  secrets: SecretBox,
  siteId: string,
  fleet: FleetAddress,
): Promise<void> {
  const hash = new Uint8Array(createHash("sha256").update(fleet.networkToken, "utf8").digest());
  const networkToken = secrets.seal(fleet.networkToken, secretPlaces.networkToken(siteId));
  await tx.site.update({
    where: { id: siteId },
    data: { networkUrl: `http://network.localhost:${fleet.port}`, networkToken },
  });
  await tx.adapterToken.upsert({ where: { hash }, update: {}, create: { hash, adapter: "network", siteId } });
}
