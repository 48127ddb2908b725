// Releases an instance, for its tenant or an operator, which starts the reclamation of its host.
import { newWish, noWish, wishRefusal } from "@/server/domain/break-fix/ticket";
import { sql } from "kysely";
import { markReleased } from "@/server/db/hot/host/release";
import { Gather } from "@/server/db/hot/gather";
import type { Database } from "@/server/db/prisma";
import { queryRows, sqlOf } from "@/server/db/sql";
import type { Sql } from "@/server/db/sql";
import { decide } from "@/server/domain/access/access";
import { mayRepairAt } from "@/server/domain/access/tenant-grants";
import { releaseOne } from "@/server/contract/instances/instances";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { unchanged, defineTellingAct } from "@/server/usecases/define-act";
import type { Target } from "@/server/usecases/define-act";
import { factsColumns, factsFrom, toHostFacts } from "@/server/usecases/hosts/host-facts";
import type { FactsRow, HostFacts } from "@/server/usecases/hosts/host-facts";
import { releaseRefusal } from "@/server/domain/lifecycle/intents";
import {
  isPrevented,
  mayNotRepair,
  preventedRelease,
  releaseWithReports,
} from "@/server/usecases/repair/release-with-reports";
import { reporterOf } from "@/server/usecases/break-fix/ticket-hooks";
import { findInstanceOwner } from "@/server/usecases/instances/instance-pages";
import type { Member } from "@/server/usecases/instances/tenant-instances";
import { done, notFound, refused, sentence } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export interface HeldInstance extends Target<HostFacts> {
  readonly tenantOrg: string | null;
}

type HeldRow = FactsRow & { readonly id: string; readonly tenant_org: string | null };

/** At most one query per this time, for all instances requested meanwhile. */
const paceMs = 25;
const lookups = new WeakMap<object, Gather<string, HeldRow | undefined>>();

/** Concurrent releases share one query. */
function lookupOf(on: Sql): Gather<string, HeldRow | undefined> {
  const known = lookups.get(on);
  if (known !== undefined) return known;
  const made = new Gather<string, HeldRow | undefined>(
    async (ids) => {
      const rows = await queryRows(
        on,
        sql<HeldRow>`
        SELECT ${factsColumns}, i.id::text, t.org AS tenant_org FROM ${factsFrom} LEFT JOIN tenant t ON t.id = i.tenant_id
        WHERE i.id = ANY(${[...new Set(ids)]}::uuid[])`,
      );
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id.toLowerCase()));
    },
    { paceMs, maxUnderWay: 4 },
  );
  lookups.set(on, made);
  return made;
}

/** An instance that has not ended, with the facts of its host. */
export async function findHeld(reader: Database | Sql, id: string): Promise<HeldInstance | null> {
  const row = await lookupOf(sqlOf(reader)).ask(id);
  return row === undefined
    ? null
    : { id, belongs: { tenantId: row.tenant_id }, value: toHostFacts(row), tenantOrg: row.tenant_org };
}

/** An instance whose host has no record any more is listed, but cannot be released. */
async function ofGoneHost(database: Database, actor: Actor, id: string): Promise<Outcome<never>> {
  const owner = await findInstanceOwner(database, id);
  if (owner === null || owner.ended || decide(actor, releaseOne.right, owner) === "hidden")
    return notFound("instance", id);
  return refused("notAllowedNow", "Its host no longer exists, so there is nothing to release.");
}

/** What a member is about to release. `notFound` also for another tenant's; `forbidden` if the organisation is not its tenant's. */
export async function findReleasable(
  { database }: Backend,
  { actor, org }: Member,
  instanceId: string,
): Promise<Outcome<Target<HostFacts>>> {
  const held = await findHeld(database, instanceId);
  if (held === null) return ofGoneHost(database, actor, instanceId);
  if (decide(actor, releaseOne.right, held.belongs) === "hidden") return notFound("instance", instanceId);
  return held.tenantOrg === org
    ? done(held)
    : refused("forbidden", `The instance ${instanceId} does not belong to ${org}.`);
}

/** Shown to tenants in the status history (docs/api.md#nico). */
export const releaseMessage = "Release accepted; the host is being returned";

/** As a sentence. */
export const notNow = (reason: string) => refused("notAllowedNow", sentence(reason));

/** Idempotent while in progress; an ended instance is not found. */
export const releaseInstance = defineTellingAct({
  ...releaseOne,
  names: ({ instanceId }) => ({ kind: "instance", id: instanceId }),
  find: ({ tx }, { instanceId }) => findHeld(tx, instanceId),
  run: ({ actor, by }, host, { instanceId: id, issue, repairTenant, ...wish }) => {
    const { hostId, tenantId } = host;
    // safety: repair: only a privileged tenant ends a repair
    if (repairTenant && !mayRepairAt(actor, host.siteId)) return mayNotRepair;
    const unheard = wishRefusal(wish, Boolean(issue) && !repairTenant);
    if (unheard !== null) return refused("invalid", unheard.reason, unheard.field);
    const already = unchanged({ instanceId: id, hostId, alreadyReleasing: true });
    const says = repairTenant || Boolean(issue);
    if (host.releaseRequested && !says) return already;
    const reason = host.releaseRequested ? null : releaseRefusal(host, actor.role);
    if (reason !== null) return notNow(reason);
    return done({
      value: { instanceId: id, hostId, alreadyReleasing: false },
      store: async (pool, events) => {
        const release = {
          instanceId: id,
          hostId,
          tenantId,
          releasedBy: actor.personId,
          message: releaseMessage,
          repair: repairTenant,
          payload: { by, instanceId: id },
        };
        if (says)
          return releaseWithReports(pool, release, events, {
            issue: issue ?? null,
            repairTenant,
            wish,
            by: reporterOf(actor),
          });
        if (await markReleased(pool, release, events))
          return done({ instanceId: id, hostId, alreadyReleasing: false });
        // Not marked: another request was first, or an alert prevents it.
        return (await isPrevented(pool, id))
          ? preventedRelease
          : done({ instanceId: id, hostId, alreadyReleasing: true });
      },
      changes: [
        {
          targetId: id,
          tenantId,
          before: { name: host.instanceName, hostId, released: false },
          after: {
            released: true,
            ...(issue ? { issue: issue.summary, category: issue.category } : {}),
            ...(repairTenant ? { repairTenant } : {}),
            ...newWish(wish, noWish),
          },
        },
      ],
    });
  },
});
