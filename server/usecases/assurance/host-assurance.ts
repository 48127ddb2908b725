// The procedures of one host, and the hosts that wait for people. For the provider, and for a repair tenant about hosts that it holds or may claim.
import { sql } from "kysely";
import type { DuePage, HostAssurance } from "@/server/contract/assurance/procedures";
import type { Database } from "@/server/db/prisma";
import { reachOf } from "@/server/domain/access/access";
import { roleTable } from "@/server/domain/access/roles";
import { formatProcedure } from "@/server/domain/reclamations/gates/assurance";
import { waitsForAssurance } from "@/server/domain/lifecycle/states";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import type { ProcedureStanding } from "@/server/domain/assurance/procedures/standing";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { readAssuredHosts } from "@/server/usecases/assurance/read-host-assurance";
import type { AssuredHost } from "@/server/usecases/assurance/read-host-assurance";
import { readRecords } from "@/server/usecases/assurance/records";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import { overLimit } from "@/server/usecases/hosts/list/host-filter-sql";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { readsForRepair } from "@/server/usecases/repair/known-hosts";
import { mayRepair } from "@/server/usecases/repair/repair-scope";

/** Whether a repair tenant may record on a host: only while it holds the host. */
export const isHeldBy = ({ holder }: AssuredHost, actor: Actor): boolean =>
  holder?.kind === "instance" && holder.tenantId === actor.tenantId && mayRepair(actor);

/** Includes hosts in the queue, which the repair tenant may claim. */
const isReadBy = async (database: Database, host: AssuredHost, actor: Actor): Promise<boolean> =>
  isHeldBy(host, actor) || readsForRepair(database, actor, host.id);

const maxRecords = 50;

const unsaid = "required by the site's policy";
const provider = "the provider";

/** Without the conditions for when it is due, which name other tenants. */
const untold = (procedure: Procedure): Procedure => ({
  ...procedure,
  when: { always: false, skus: [], tenants: [], afterRepair: false, afterFailures: [] },
});

/** What a tenant reads: no names of other tenants or of the provider's people. */
const forTenant = (read: HostAssurance): HostAssurance => ({
  ...read,
  standings: read.standings.map((standing) => ({
    ...standing,
    procedure: untold(standing.procedure),
    reason: unsaid,
  })),
  others: read.others.map(untold),
  records: read.records.map((record) => ({
    ...record,
    reason: unsaid,
    decidedBy: record.decidedBy === null ? null : provider,
    decidedWith: null,
  })),
});

/** A tenant reads its own records, and only the status of others. */
export async function hostAssurance(
  { database }: Backend,
  actor: Actor,
  { hostId }: { readonly hostId: string },
): Promise<Outcome<HostAssurance>> {
  const ofTenant = roleTable[actor.role].ofTenant;
  const scope = scopeOf(actor, "assurance.readHost");
  if (!scope.ok) return scope;
  const [host] = await readAssuredHosts(database, sql`h.id = ${hostId}::uuid`, 1);
  // safety: procedures: a tenant reads of the hosts that it repairs
  if (host === undefined || (ofTenant && !(await isReadBy(database, host, actor))))
    return notFound("host", hostId);
  const records = await readRecords(
    database,
    actor,
    ofTenant
      ? sql`d.host_id = ${hostId}::uuid AND d.instance_id = ${isHeldBy(host, actor) ? (host.holder?.id ?? null) : null}::uuid AND d.tenant_id = ${actor.tenantId}::uuid`
      : sql`d.host_id = ${hostId}::uuid`,
    maxRecords,
  );
  const applies = new Set(host.standings.map(({ procedure }) => procedure.name));
  const isRead = ({ record }: ProcedureStanding) =>
    record !== null && records.some(({ id }) => id === record.id);
  const read: HostAssurance = {
    host: { id: host.id, name: host.name },
    refusal:
      reachOf(actor.role, "assurance.record") === "none"
        ? `The role ${actor.role} may not record procedures.`
        : ofTenant && !isHeldBy(host, actor)
          ? "Claim the host before recording on it."
          : host.refusal,
    standings: host.standings.map((standing) => ({
      procedure: standing.procedure,
      reason: standing.reason,
      status: standing.status,
      words: formatProcedure(
        ofTenant && !isRead(standing) && standing.record !== null
          ? { ...standing, record: { ...standing.record, decidedReason: null } }
          : standing,
      ),
      recordId: isRead(standing) ? (standing.record?.id ?? null) : null,
    })),
    others: host.procedures.filter(({ name }) => !applies.has(name)),
    records,
  };
  return done(ofTenant ? forTenant(read) : read);
}

const pages = pagesByTime("procedures due");

interface DueQuery {
  readonly overLimit?: true | undefined;
  readonly cursor: string | null;
  /** Number of hosts, each with all its lines. */
  readonly limit: number;
}

/** Provider's people only. Procedures that are not signed off yet. */
export async function dueProcedures(
  { database }: Backend,
  actor: Actor,
  { overLimit: late, cursor, limit }: DueQuery,
): Promise<Outcome<DuePage>> {
  const scope = scopeOf(actor, "assurance.read");
  if (!scope.ok) return scope;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const hosts = await readAssuredHosts(
    database,
    sql`r.state = ANY(${[...waitsForAssurance]}) AND ${late ? overLimit : sql`true`} AND ${beyond(sql`(r.state_since, h.id)`, ">", start.value)}`,
    limit + 1,
  );
  const { page, nextCursor } = pages.page(hosts, limit, ({ since, id }) => [since, id]);
  return done({
    items: page.flatMap(({ standings, ...host }) =>
      standings
        .filter(({ status }) => status !== "signed")
        .map((standing) => ({
          host: { id: host.id, name: host.name },
          serial: host.serial,
          site: host.site,
          place: host.place,
          state: host.state,
          ...{ since: host.since, limitAt: host.limitAt, overLimit: host.overLimit },
          procedure: standing.procedure,
          reason: standing.reason,
          status: standing.status,
          words: formatProcedure(standing),
        })),
    ),
    nextCursor,
  });
}
