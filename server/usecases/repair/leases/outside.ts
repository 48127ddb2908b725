// What an external repair system does with its token: takes a host, writes about it, and returns it (docs/repair.md#who-has-the-host).
import type { AuditAction } from "@/server/domain/access/audit-actions";
import { writeAudit } from "@/server/db/audit";
import type { AuditFacts } from "@/server/db/audit";
import type { Database, Transaction } from "@/server/db/prisma";
import { inTransaction } from "@/server/db/transaction";
import { tokenHash } from "@/server/domain/access/tokens";
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";
import type { HostLabels } from "@/server/domain/hosts/labels/host-labels";
import { completionChanges, repairReports, repairStatusLabel } from "@/server/domain/repair/completion";
import type { HealthIssue } from "@/server/domain/repair/health-issue";
import { leaseRefusal } from "@/server/domain/repair/leases/lease";
import { repairNote } from "@/server/domain/repair/repairs";
import type { StatedOutcome } from "@/server/domain/repair/repairs";
import { noteUse } from "@/server/usecases/repair/external-systems";
import type { ProgramReach } from "@/server/usecases/repair/external-systems";
import { unknownCallers } from "@/server/usecases/access/unknown-callers";
import type { Request } from "@/server/usecases/actor";
import { ticketsOutside, updateOutside } from "@/server/usecases/break-fix/outside-tickets";
import type { OutsideUpdate } from "@/server/usecases/break-fix/outside-tickets";
import { ticketsOfRepair } from "@/server/usecases/break-fix/ticket-hooks";
import { lockLease, readLeasedHost } from "@/server/usecases/repair/leases/lock-lease";
import type { LeasedHost } from "@/server/usecases/repair/leases/lock-lease";
import { beginLease, endLease } from "@/server/usecases/repair/leases/write-lease";
import type { LeaseTerms } from "@/server/usecases/repair/leases/write-lease";
import { lockHealth, readReports } from "@/server/usecases/repair/health/stored-reports";
import { writeReports } from "@/server/usecases/repair/health/write-reports";
import { labelLines, readLabels } from "@/server/usecases/instances/labels";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { noRoom } from "@/server/usecases/repair/begin-repair";

/** The system that a token belongs to. */
export interface SystemActor extends ProgramReach {
  readonly id: string;
  readonly name: string;
}

/** Null if the token is unknown, which is counted and logged. */
export async function authenticateSystem(
  database: Database,
  token: string,
  address: string | null = null,
): Promise<SystemActor | null> {
  const row = await database.repairSystem.findUnique({
    where: { hash: tokenHash(token) },
    select: { id: true, name: true, siteId: true, lastUsedAt: true },
  });
  if (row === null) {
    unknownCallers().note(database, address);
    return null;
  }
  await noteUse(row.lastUsedAt, (data) => database.repairSystem.updateMany({ where: { id: row.id }, data }));
  return { id: row.id, name: row.name, siteId: row.siteId };
}

const actorName = ({ name }: SystemActor): string => `repair system ${name}`;

/** A request of a system about one host. */
export interface OfHost {
  readonly system: SystemActor;
  readonly by: Request;
  readonly hostId: string;
}

/** A request that names its lease. */
interface OfLease extends OfHost {
  readonly leaseId: string;
}

interface Written<T> {
  readonly value: T;
  readonly facts: AuditFacts;
}

/** Runs `work` with the host locked, and writes the audit event in the same transaction. */
const write = <T>(
  database: Database,
  { system, by, hostId }: OfHost,
  action: AuditAction,
  work: (tx: Transaction, host: LeasedHost) => Promise<Outcome<Written<T>>>,
): Promise<Outcome<T>> =>
  inTransaction(database, async (tx) => {
    // The lock for writing health comes first, in the same order as in a release.
    await lockHealth(tx, hostId);
    const host = await lockLease(tx, hostId);
    if (host === null) return notFound("host", hostId);
    const written = await work(tx, host);
    if (!written.ok) return written;
    await writeAudit(tx, {
      actor: { kind: "adapter", id: system.name, name: actorName(system) },
      action,
      targetId: hostId,
      tenantId: null,
      ...by,
      outcome: "done",
      before: null,
      after: written.value.facts,
    });
    return done(written.value.value);
  });

export interface Taken {
  readonly id: string;
  /** What the system must know about the machine; null if nothing. */
  readonly notice: string | null;
}

/** From the first erase until the host is Ready, the boot server does not boot it from its disks, whoever has it (docs/security.md). */
const networkBootWaits =
  "A network boot of the machine waits. To start it from disk or another system, set a one-time boot device through its BMC.";

export const takeHost = (
  database: Database,
  call: OfHost & { readonly terms: LeaseTerms },
): Promise<Outcome<Taken>> =>
  write(database, call, "lease.take", async (tx, host) => {
    const { system, terms } = call;
    if (host.systemId === system.id)
      return refused("conflict", "You already have the host. Read its lease for the id.");
    const begun = await beginLease(tx, host, system, { kind: "system", name: actorName(system) }, terms);
    if (!begun.ok) return begun;
    const value = { id: begun.value.id, notice: host.bootHeld ? networkBootWaits : null };
    return done({ value, facts: { lease: value.id, ...told(terms) } });
  });

const told = ({ reason, ticket, until }: LeaseTerms): AuditFacts => ({
  reason,
  ticket,
  until: until?.toISOString() ?? null,
});

/** The fence of every write: the named lease must be the open one, and belong to the token's system. Null if so. Pure. */
export function leaseFence(
  { leaseId, systemId }: Pick<LeasedHost, "leaseId" | "systemId">,
  system: Pick<SystemActor, "id">,
  named: string,
): Outcome<never> | null {
  // safety: custody: a write names the lease that is in force (always)
  if (leaseId !== null && leaseId === named.toLowerCase() && systemId === system.id) return null;
  const now =
    leaseId === null
      ? "no repair system has the host now"
      : systemId === system.id
        ? "you have the host under another lease"
        : "somebody else has the host now";
  return refused("conflict", `The lease ${named} is not active: ${now}. Nothing was written.`);
}

export interface LeaseNote {
  readonly note?: string | undefined;
  readonly ticket?: string | null | undefined;
  readonly until?: Date | null | undefined;
}

/** Records progress and the expected end. */
export const noteLease = (
  database: Database,
  call: OfLease & { readonly note: LeaseNote },
): Promise<Outcome<null>> =>
  write(database, call, "lease.note", async (tx, host) => {
    const { system, leaseId } = call;
    const { note, ticket, until } = call.note;
    const fenced = leaseFence(host, system, leaseId);
    if (fenced !== null) return fenced;
    await tx.repairLease.update({
      where: { id: leaseId },
      data: {
        ...(note === undefined ? {} : { note, notedAt: new Date() }),
        ...(ticket === undefined ? {} : { ticket }),
        ...(until === undefined ? {} : { until }),
      },
    });
    const facts = { lease: leaseId, note: note ?? null, until: until?.toISOString() ?? null };
    return done({ value: null, facts });
  });

/** Replaces the labels. One of them is the outcome of the repair, as for a repair tenant. */
export const labelLeased = (
  database: Database,
  call: OfLease & { readonly labels: HostLabels },
): Promise<Outcome<null>> =>
  write(database, call, "lease.label", async (tx, host) => {
    const { system, hostId, leaseId, labels } = call;
    const fenced = leaseFence(host, system, leaseId);
    if (fenced !== null) return fenced;
    await tx.host.update({ where: { id: hostId }, data: { labels } });
    return done({ value: null, facts: { lease: leaseId, labels: labelLines(labels) } });
  });

/** Writes to a ticket of the host. */
export const updateLeasedTicket = (
  database: Database,
  call: OfLease & { readonly ticket: string; readonly update: OutsideUpdate },
): Promise<Outcome<null>> =>
  write(database, call, "lease.ticket", async (tx, host) => {
    const { system, leaseId, update } = call;
    const fenced = leaseFence(host, system, leaseId);
    if (fenced !== null) return fenced;
    const written = await updateOutside(tx, actorName(system), call, update);
    if (!written.ok) return written;
    const { ref, changed } = written.value;
    return done({ value: null, facts: { lease: leaseId, ticket: ref, changed: changed.join(", ") } });
  });

interface Return {
  /** How the repair ended; null if the label says it. */
  readonly outcome: StatedOutcome | null;
  /** What is still wrong. */
  readonly issue: HealthIssue | null;
}

/** The final labels. Null if there is no room for the outcome. */
async function labelsAtEnd(
  tx: Transaction,
  { id, labels: stored }: LeasedHost,
  outcome: StatedOutcome | null,
): Promise<HostLabels | null> {
  const before = readLabels(stored);
  if (outcome === null) return before;
  const labels = { ...before, [repairStatusLabel]: outcome };
  if (!hostLabels.safeParse(labels).success) return null;
  await tx.host.update({ where: { id }, data: { labels } });
  return labels;
}

/** Changes the alerts as a repair tenant's release does, in the same transaction. */
export const returnHost = (database: Database, call: OfLease & Return): Promise<Outcome<null>> =>
  write(database, call, "lease.return", async (tx, host) => {
    const { system, hostId, leaseId, outcome: stated, issue } = call;
    const fenced = leaseFence(host, system, leaseId);
    if (fenced !== null) return fenced;
    const labels = await labelsAtEnd(tx, host, stated);
    if (labels === null) return noRoom;
    const changes = completionChanges(repairReports(await readReports(tx, hostId)), labels, issue);
    const by = actorName(system);
    const reported = await writeReports(tx, hostId, changes, { name: by, reason: "the repair ended" });
    if (!reported.ok) return reported;
    const { outcome, ticket } = repairNote(labels);
    const newIssue = issue?.summary ?? null;
    await endLease(tx, hostId, leaseId, { how: "returned", by, reason: null, outcome, ticket, newIssue });
    const completed = issue === null && outcome === "completed";
    await ticketsOfRepair(tx, hostId, completed ? "completed" : "failed");
    return done({ value: null, facts: { lease: leaseId, outcome, health: reported.value.level } });
  });

/** A host as its repair system sees it: only the system's own lease is disclosed. */
export async function readOutside(database: Database, system: SystemActor, hostId: string) {
  const host = await readLeasedHost(database, hostId);
  if (host === null) return null;
  const mine = host.leaseId !== null && host.systemId === system.id;
  const lease = mine
    ? await database.repairLease.findUnique({
        where: { id: host.leaseId },
        select: { id: true, takenAt: true, until: true, reason: true, ticket: true, note: true },
      })
    : null;
  const refusal = mine ? null : leaseRefusal(host.facts, { kind: "system" });
  return {
    hostId,
    name: host.name,
    state: host.facts.state,
    labels: host.facts.instanceOpen ? null : readLabels(host.labels),
    lease,
    tickets: mine ? await ticketsOutside(database, hostId) : [],
    mayTake: !mine && refusal === null,
    whyNot: refusal,
  };
}
