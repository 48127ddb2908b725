// Creates an instance on a Ready host that may be allocated: an exact host, or any of a site and SKU (docs/design/lifecycle.md#allocation).
import { formatCounted } from "@/server/domain/numbers";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { queryRows } from "@/server/db/sql";
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { instances as contract } from "@/server/contract/instances/instances";
import type { TenantNetwork } from "@/server/domain/hosts/network/tenant-network";
import { claimGrantRefusal } from "@/server/domain/access/tenant-grants";
import type { RequestedHost, ClaimRefusal } from "@/server/domain/access/tenant-grants";
import { tellWithin } from "@/server/db/hot/signal";
import type { Transaction } from "@/server/db/prisma";
import { isUniqueViolation } from "@/server/db/transaction";
import { acted, defineAct } from "@/server/usecases/define-act";
import { allocationStop, tenantStop } from "@/server/usecases/database/allocation-stop";
import { isForRepair, isFree } from "@/server/usecases/instances/free-hosts";
import { networkResources } from "@/server/usecases/instances/network-resources";
import { beginRepair, noRoom } from "@/server/usecases/repair/begin-repair";
import { lockStanding } from "@/server/usecases/instances/quota";
import { notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

type ClaimTarget = z.output<typeof contract.create.input>["wanted"];

/** An exact host, even if something keeps it out of allocation. */
const forRepair = (wanted: ClaimTarget): boolean => "hostId" in wanted && wanted.allowUnhealthy;

interface Claimed {
  readonly id: string;
  readonly hostId: string;
}

/** Only at sites where the tenant has an allocation. */
function whichHosts(wanted: ClaimTarget, allocatedAt: readonly string[]): RawBuilder<unknown> {
  const sites = sql`r.site_id = ANY(${[...allocatedAt]}::uuid[])`;
  if ("hostId" in wanted) return sql`r.host_id = ${wanted.hostId}::uuid AND ${sites}`;
  return sql.join(
    [
      sites,
      "siteId" in wanted ? sql`r.site_id = ${wanted.siteId}::uuid` : sql`true`,
      wanted.skuId === undefined ? sql`true` : sql`h.sku_id = ${wanted.skuId}::uuid`,
    ],
    sql` AND `,
  );
}

/** The first thing that the request names, for a "not found" answer. */
function namedBy(wanted: ClaimTarget): { readonly kind: string; readonly id: string } {
  if ("hostId" in wanted) return { kind: "host", id: wanted.hostId };
  return "siteId" in wanted ? { kind: "site", id: wanted.siteId } : { kind: "SKU", id: wanted.skuId };
}

async function requestedHost(tx: Transaction, wanted: ClaimTarget): Promise<RequestedHost> {
  if (!("hostId" in wanted))
    return { kind: "any", siteId: "siteId" in wanted ? wanted.siteId.toLowerCase() : undefined };
  const host = await tx.host.findUnique({ where: { id: wanted.hostId }, select: { siteId: true } });
  return { kind: "exact", siteId: host?.siteId ?? null };
}

const refusals: Readonly<Record<ClaimRefusal, (wanted: ClaimTarget) => Outcome<never>>> = {
  disabled: () => refused("forbidden", "The tenant is disabled."),
  notCapable: () =>
    refused("forbidden", "Claiming one exact host needs the capability targetedInstanceCreation."),
  unknown: (wanted) => notFound(namedBy(wanted).kind, namedBy(wanted).id),
  noAllocation: () =>
    refused(
      "forbidden",
      "The tenant has no network allocation there. Ask the provider for one.",
      "networkAllocation",
    ),
};

interface NewInstance {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly network: TenantNetwork | undefined;
  readonly allocatedAt: readonly string[];
}

/**
 * Picks, inserts and takes the host out of allocation in one statement. The lock on the host's row and the unique index on its open instance ensure a
 * single winner.
 * @param passBy skip locked hosts instead of waiting for them
 */
async function claim(
  tx: Transaction,
  instance: NewInstance,
  wanted: ClaimTarget,
  passBy: boolean,
): Promise<Claimed | null> {
  const { allocatedAt } = instance;
  const resources = JSON.stringify(networkResources(instance.id));
  const rows = await queryRows(
    tx,
    sql<Claimed>`
    WITH picked AS (
      SELECT r.host_id FROM host_run r JOIN host h ON h.id = r.host_id
      WHERE ${forRepair(wanted) ? sql`((${isFree}) OR (${isForRepair}))` : isFree}
        AND ${whichHosts(wanted, allocatedAt)}
      ORDER BY r.state_since, r.host_id LIMIT 1 FOR UPDATE OF r ${passBy ? sql`SKIP LOCKED` : sql``}
    ), made AS (
      INSERT INTO instance (id, name, tenant_id, host_id, labels, description, network)
      SELECT ${instance.id}::uuid, ${instance.name}, ${instance.tenantId}::uuid, host_id, ${JSON.stringify(instance.labels)}::jsonb, ${instance.description ?? null}, ${instance.network === undefined ? null : JSON.stringify(instance.network)}::jsonb FROM picked
      RETURNING id, host_id
    ), held AS (
      INSERT INTO network_resource (id, host_id, instance_id, kind, value)
      SELECT gen_random_uuid(), made.host_id, made.id, g.kind, g.value FROM made, jsonb_to_recordset(${resources}::jsonb) AS g (kind text, value text)
    ), told AS (
      INSERT INTO instance_status_history (instance_id, status, message) SELECT id, 'Provisioning', 'A host was allocated; it is being prepared' FROM made
    ), taken AS (
      UPDATE host_run r SET allocatable = false, evidence_seq = r.evidence_seq + 1 FROM made WHERE r.host_id = made.host_id
    )
    SELECT id::text, host_id::text AS "hostId" FROM made`,
  );
  return rows[0] ?? null;
}

/**
 * If any host will do, locked hosts are skipped at first, so that claims do not queue behind each other. If waiting was in vain, it looks once more: a
 * statement does not see what became free while it waited.
 */
async function claimOne(
  tx: Transaction,
  instance: NewInstance,
  wanted: ClaimTarget,
): Promise<Claimed | "taken" | null> {
  try {
    if ("hostId" in wanted) return await claim(tx, instance, wanted, false);
    return (
      (await claim(tx, instance, wanted, true)) ??
      (await claim(tx, instance, wanted, false)) ??
      (await claim(tx, instance, wanted, true))
    );
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    throw error;
  }
}

export const nameTaken = (name: string) =>
  refused("conflict", `An instance named ${name} already exists.`, "name");

/** Somebody else was first, perhaps at the same moment. Does not say who. */
export const hostTaken = "The host is already assigned to an instance. Choose another host.";

/** Why no host can be given. A stop of all allocation comes first. */
async function noHost(tx: Transaction, wanted: ClaimTarget) {
  if ((await allocationStop(tx)) !== null) return refused("conflict", tenantStop);
  if (
    "hostId" in wanted &&
    (await tx.instance.count({ where: { hostId: wanted.hostId, endedAt: null } })) > 0
  )
    return refused("conflict", hostTaken, "hostId");
  if ("hostId" in wanted)
    return refused(
      "conflict",
      forRepair(wanted)
        ? "The host is not waiting for repair now. Choose another host, or try again later."
        : "The host cannot be allocated now. Choose another host, try again later, or claim it for repair if it is waiting for one.",
      "hostId",
    );
  return refused(
    "conflict",
    "No host of this kind can be allocated now. Choose another SKU, or try again later.",
  );
}

/**
 * The claiming tenant is always the actor's own. An exact host needs the capability `targetedInstanceCreation` at its site, any other host a network
 * allocation there. Both, and the quota, are checked in the transaction that creates the instance.
 */
export const claimHost = defineAct({
  ...contract.create,
  names: ({ wanted }) => namedBy(wanted),
  find: async ({ tx, actor: { tenantId } }, { wanted }) => {
    if (tenantId === null) return null;
    const asked = await requestedHost(tx, wanted);
    return { id: namedBy(wanted).id, belongs: { tenantId }, value: { tenantId, asked } };
  },
  run: async ({ tx, by }, { tenantId, asked }, { name, description, labels, network, wanted }) => {
    const standing = await lockStanding(tx, tenantId);
    const refusal = claimGrantRefusal(asked, standing);
    if (refusal !== null) return refusals[refusal](wanted);
    const skuId = "hostId" in wanted ? undefined : wanted.skuId;
    if (skuId !== undefined && (await tx.sku.count({ where: { id: skuId } })) === 0)
      return notFound("SKU", skuId);
    const { held, quota, allocatedAt } = standing;
    if (quota !== null && held >= quota)
      return refused(
        "conflict",
        `The quota of ${formatCounted(quota, "instance")} is used up. Release an instance, or ask the provider for a larger quota.`,
      );
    if ((await tx.instance.count({ where: { tenantId, name, endedAt: null } })) > 0) return nameTaken(name);
    const instance = { id: randomUUID(), tenantId, name, description, labels, network, allocatedAt };
    const claimed = await claimOne(tx, instance, wanted);
    if (claimed === "taken")
      return "hostId" in wanted
        ? refused("conflict", hostTaken, "hostId")
        : refused("conflict", `The name ${name} or the host was taken at the same time. Try again.`);
    if (claimed === null) return noHost(tx, wanted);
    const began = { instanceId: claimed.id, hostId: claimed.hostId, tenantId };
    // safety: repair: no label of an earlier repair counts
    if (!(await beginRepair(tx, began, forRepair(wanted)))) return noRoom;
    await tellWithin(tx, {
      signals: [
        {
          hostId: claimed.hostId,
          kind: "assign",
          payload: { by, instanceId: claimed.id },
        },
      ],
      feed: [{ hostId: claimed.hostId, tenantId, what: "claim" }],
    });
    return acted({
      value: claimed,
      targetId: claimed.id,
      tenantId,
      before: null,
      after: { name, hostId: claimed.hostId },
    });
  },
});
