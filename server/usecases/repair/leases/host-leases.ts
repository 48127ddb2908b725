// Who has a host, and how people change that: handing it over to a repair system, or breaking the lease of one that does not return it.
import { leases as contract } from "@/server/contract/repair/leases";
import type { HostLease, HostOwner } from "@/server/contract/repair/lease-answers";
import type { Database, Transaction } from "@/server/db/prisma";
import { reachOf } from "@/server/domain/access/access";
import { leaseEnds, leaseRefusal, leaseState, mayHoldData } from "@/server/domain/repair/leases/lease";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { ticketsOfRepair } from "@/server/usecases/break-fix/ticket-hooks";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { lockLease, readLeasedHost } from "@/server/usecases/repair/leases/lock-lease";
import type { LeasedHost } from "@/server/usecases/repair/leases/lock-lease";
import { beginLease, endLease } from "@/server/usecases/repair/leases/write-lease";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const maxEarlier = 20;

async function readLeases(database: Database, hostId: string): Promise<readonly HostLease[]> {
  const rows = await database.repairLease.findMany({
    where: { hostId },
    // The outcome is listed with other repairs (server/usecases/repair/leases/outside-repairs.ts).
    omit: { hostId: true, systemId: true, outcome: true, newIssue: true },
    orderBy: [{ takenAt: "desc" }, { id: "desc" }],
    take: maxEarlier + 1,
  });
  const nowMs = Date.now();
  return rows.map(({ systemName: system, how, ...row }) => ({
    ...row,
    system,
    how: leaseEnds.find((known) => known === how) ?? null,
    state: leaseState(row, nowMs),
  }));
}

function ownerOf({ facts }: LeasedHost): Pick<HostOwner, "owner" | "words"> {
  if (facts.leasedTo !== null)
    return { owner: "repair-system", words: `The repair system ${facts.leasedTo} has the host.` };
  return facts.instanceOpen
    ? { owner: "tenant", words: "A tenant has the host, by its instance." }
    : { owner: "reclaim", words: "Reclaim has the host." };
}

/** Provider's people only. */
export async function getLeases(
  { database }: Backend,
  actor: Actor,
  { hostId }: { readonly hostId: string },
): Promise<Outcome<HostOwner>> {
  const scope = scopeOf(actor, "host.read");
  if (!scope.ok) return scope;
  const host = await readLeasedHost(database, hostId);
  if (host === null) return notFound("host", hostId);
  const [leases, systems] = await Promise.all([
    readLeases(database, hostId),
    database.repairSystem.findMany({
      where: { OR: [{ siteId: null }, { siteId: host.siteId }] },
      orderBy: { name: "asc" },
      select: { name: true },
    }),
  ]);
  const mayGive = reachOf(actor.role, "host.lease") !== "none";
  return done({
    ...ownerOf(host),
    lease: leases.find(({ id }) => id === host.leaseId) ?? null,
    earlier: leases.filter(({ endedAt }) => endedAt !== null).slice(0, maxEarlier),
    systems: mayGive ? systems.map(({ name }) => name) : [],
    refusal: mayGive ? leaseRefusal(host.facts, { kind: "person", mayHoldData: true }) : null,
    mayHoldData: mayHoldData(host.facts),
    mayGive,
    mayBreak: reachOf(actor.role, "host.breakLease") !== "none",
  });
}

const names = ({ hostId }: { readonly hostId: string }) => ({ kind: "host", id: hostId });

async function find(
  { tx }: ActContext<Transaction>,
  { hostId }: { readonly hostId: string },
): Promise<Target<LeasedHost> | null> {
  const host = await lockLease(tx, hostId);
  return host === null ? null : { id: hostId, belongs: { tenantId: null }, value: host };
}

export const giveLease = defineAct({
  ...contract.give,
  names,
  find,
  run: async (
    { tx, actor },
    host,
    { hostId, system: name, reason, ticket = null, until = null, mayHoldData },
  ) => {
    const system = await tx.repairSystem.findUnique({
      where: { name },
      select: { id: true, name: true, siteId: true },
    });
    if (system === null) return notFound("repair system", name);
    // safety: custody: only hosts of the system's site
    if (system.siteId !== null && system.siteId !== host.siteId)
      return refused("conflict", `The repair system ${name} belongs to another site.`, "system");
    const by = { kind: "person" as const, mayHoldData, name: actor.name };
    const begun = await beginLease(tx, host, system, by, { reason, ticket, until });
    if (!begun.ok) return begun;
    const after = { system: name, lease: begun.value.id, reason, ticket, mayHoldData };
    return acted({
      value: begun.value,
      targetId: hostId,
      tenantId: null,
      before: { state: host.facts.state },
      after,
    });
  },
});

export const breakLease = defineAct({
  ...contract.break,
  names,
  find,
  run: async ({ tx, actor }, host, { hostId, leaseId, reason }) => {
    // safety: custody: only the lease that the person saw is broken
    if (host.leaseId !== leaseId.toLowerCase())
      return refused(
        "conflict",
        "This lease is no longer active. Reload to see who has the host.",
        "leaseId",
      );
    const unknown = { outcome: "none", ticket: null, newIssue: null } as const;
    await endLease(tx, hostId, host.leaseId, { how: "broken", by: actor.name, reason, ...unknown });
    await ticketsOfRepair(tx, hostId, "failed");
    return acted({
      value: { accepted: true as const },
      targetId: hostId,
      tenantId: null,
      before: { system: host.facts.leasedTo, lease: leaseId },
      after: { broken: true, reason },
    });
  },
});
