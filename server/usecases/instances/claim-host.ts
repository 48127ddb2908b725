// Makes an instance on a host that is Ready and may be allocated: an exact one, or any of a site and SKU (docs/design/lifecycle.md#allocation).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { queryRows } from "@/server/db/sql";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { tellWithin } from "@/server/db/hot/signal";
import type { Transaction } from "@/server/db/prisma";
import { isUniqueViolation } from "@/server/db/transaction";
import { defineAct } from "@/server/usecases/define-act";
import { allocationStop, tenantStop } from "@/server/usecases/database/allocation-stop";
import { networkResources } from "@/server/usecases/instances/network-resources";
import { done, notFound, refused } from "@/server/usecases/problem";

const name = z.string().trim().min(2, "at least 2 characters").max(256, "at most 256 characters");

export const claimHostInput = z.strictObject({
  name,
  description: z.string().max(1024).optional(),
  labels: z
    .record(z.string().min(1).max(128), z.string().max(256))
    .refine((labels) => Object.keys(labels).length <= 50, "at most 50 labels")
    .default({}),
  wanted: z.union([
    z.strictObject({ hostId: z.uuid("must be the id of a host") }),
    z.strictObject({
      siteId: z.uuid("must be the id of a site"),
      skuId: z.uuid("must be the id of a SKU").optional(),
    }),
  ]),
});
type Wanted = z.output<typeof claimHostInput>["wanted"];

interface Claimed {
  readonly id: string;
  readonly hostId: string;
}

const whichHosts = (wanted: Wanted): RawBuilder<unknown> =>
  "hostId" in wanted
    ? sql`r.host_id = ${wanted.hostId}::uuid`
    : sql`r.site_id = ${wanted.siteId}::uuid ${wanted.skuId === undefined ? sql`` : sql`AND h.sku_id = ${wanted.skuId}::uuid`}`;

interface NewInstance {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * One statement: pick, insert, take out of allocation. The lock on the host's row and the unique index on its open instance let one of two win.
 * @param passBy leave out hosts that someone is writing to now, rather than wait for them
 */
async function claim(
  tx: Transaction,
  instance: NewInstance,
  wanted: Wanted,
  passBy: boolean,
): Promise<Claimed | null> {
  const resources = JSON.stringify(networkResources(instance.id));
  const rows = await queryRows(
    tx,
    sql<Claimed>`
    WITH picked AS (
      SELECT r.host_id FROM host_run r JOIN host h ON h.id = r.host_id
      WHERE r.state = 'Ready'
        AND r.allocatable -- safety: claim: an allocatable host
        AND database_is_current() -- safety: restore: no host is claimed before the database was looked at
        AND ${whichHosts(wanted)}
        AND NOT EXISTS (SELECT 1 FROM instance i WHERE i.host_id = r.host_id AND i.ended_at IS NULL)
      ORDER BY r.state_since, r.host_id LIMIT 1 FOR UPDATE OF r ${passBy ? sql`SKIP LOCKED` : sql``}
    ), made AS (
      INSERT INTO instance (id, name, tenant_id, host_id, labels, description)
      SELECT ${instance.id}::uuid, ${instance.name}, ${instance.tenantId}::uuid, host_id, ${JSON.stringify(instance.labels)}::jsonb, ${instance.description ?? null} FROM picked
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

/** Any host first passes by those that are locked, so that claims do not queue behind each other. */
async function claimOne(
  tx: Transaction,
  instance: NewInstance,
  wanted: Wanted,
): Promise<Claimed | "taken" | null> {
  try {
    return (
      ("hostId" in wanted ? null : await claim(tx, instance, wanted, true)) ??
      (await claim(tx, instance, wanted, false))
    );
  } catch (error) {
    if (isUniqueViolation(error)) return "taken";
    throw error;
  }
}

/** The tenant that claims is always the actor's own; an exact host asks for the capability `targetedInstanceCreation`. */
export const claimHost = defineAct({
  action: "instance.create",
  right: "instance.create",
  input: claimHostInput,
  names: ({ wanted }) =>
    "hostId" in wanted ? { kind: "host", id: wanted.hostId } : { kind: "site", id: wanted.siteId },
  find: async ({ tx, actor }, { wanted }) => {
    const id = "hostId" in wanted ? wanted.hostId : wanted.siteId;
    const there =
      "hostId" in wanted ? await tx.host.count({ where: { id } }) : await tx.site.count({ where: { id } });
    return there === 0 || actor.tenantId === null
      ? null
      : { id, belongs: { tenantId: actor.tenantId }, value: { tenantId: actor.tenantId } };
  },
  run: async ({ tx, actor, by }, { tenantId }, input) => {
    const exact = "hostId" in input.wanted;
    const skuId = "hostId" in input.wanted ? undefined : input.wanted.skuId;
    // safety: claim: an exact host needs the capability
    if (exact && !actor.targeted)
      return refused("forbidden", "Claiming one exact host needs the capability targetedInstanceCreation.");
    if (skuId !== undefined && (await tx.sku.count({ where: { id: skuId } })) === 0)
      return notFound("SKU", skuId);
    if ((await tx.instance.count({ where: { tenantId, name: input.name, endedAt: null } })) > 0)
      return refused("conflict", `An instance named ${input.name} exists already.`, "name");
    const instance = {
      id: randomUUID(),
      tenantId,
      name: input.name,
      description: input.description,
      labels: input.labels,
    };
    const claimed = await claimOne(tx, instance, input.wanted);
    if (claimed === "taken")
      return refused(
        "conflict",
        `The name ${input.name} or the host was taken at the same moment. Try again.`,
      );
    if (claimed === null) {
      if ((await allocationStop(tx)) !== null) return refused("conflict", tenantStop);
    }
    if (claimed === null)
      return refused(
        "conflict",
        exact ? "The host cannot be allocated now." : "No host of this kind can be allocated now.",
      );
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
    return done({
      value: claimed,
      changes: [
        { targetId: claimed.id, tenantId, before: null, after: { name: input.name, hostId: claimed.hostId } },
      ],
    });
  },
});
