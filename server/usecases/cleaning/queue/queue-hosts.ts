// The hosts that wait at a site, in pages, in the order of release.
import { sql } from "kysely";
import { hotWithin, queryRows } from "@/server/db/sql";
import { admit } from "@/server/domain/cleaning/queue/admission";
import { readAdmission } from "@/server/db/hot/fleet/admission";
import type { AdmissionFacts } from "@/server/db/hot/fleet/admission";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import type { Place } from "@/server/usecases/cursor";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import type { QueueHosts } from "@/server/contract/cleaning/queue-answers";
import { readBrakesInForce, reasonOf } from "@/server/usecases/cleaning/queue/wait-reason";
import { scopeOf } from "@/server/usecases/read";

const pages = pagesByTime("queue");

/** A page of one site's queue after `after`, the key of a row: the start of its reclamation, and its host. */
export async function readQueueHosts(
  database: Database,
  siteId: string,
  { waiting, use, policy }: AdmissionFacts,
  after: Place | null,
  limit: number,
): Promise<QueueHosts> {
  const [rows, brakes] = await Promise.all([
    readQueued(database, siteId, after, limit + 1),
    readBrakesInForce(database, siteId),
  ]);
  const places = new Map(waiting.map((host, index) => [host.hostId, index + 1]));
  const limits = admit(waiting, use, policy.admission).waiting;
  const { page, nextCursor } = pages.page(rows, limit, (row) => [row.started_at, row.host_id]);
  return {
    hosts: page.map((row) => {
      const place = places.get(row.host_id) ?? null;
      const met = limits.get(row.host_id) ?? null;
      return {
        hostId: row.host_id,
        name: row.name,
        model: row.model,
        place,
        since: row.state_since,
        tenant: row.tenant,
        ...reasonOf(met, place !== null, row.wait_reason, brakes),
      };
    }),
    nextCursor,
  };
}

interface QueuedRow {
  readonly host_id: string;
  readonly name: string;
  readonly model: string | null;
  readonly state_since: Date;
  readonly started_at: Date;
  readonly tenant: string | null;
  readonly wait_reason: string | null;
}

function readQueued(database: Database, siteId: string, after: Place | null, limit: number) {
  return queryRows(
    database,
    sql<QueuedRow>`
    SELECT r.host_id::text, r.name, h.model, r.state_since, c.started_at, t.name AS tenant, r.wait_reason
    FROM host_run r JOIN host h ON h.id = r.host_id JOIN reclamation c ON c.id = r.reclamation_id LEFT JOIN tenant t ON t.id = c.tenant_id
    WHERE r.site_id = ${siteId}::uuid AND r.state IN ('WaitingForCleanup/Queued', 'ManualCleaning/Queued')
      AND ${beyond(sql`(c.started_at, r.host_id)`, ">", after)}
    ORDER BY c.started_at, r.host_id LIMIT ${limit}::int`,
  );
}

export interface QueueHostsQuery {
  readonly siteId: string;
  readonly cursor: string | null;
  /** 1 to 500. */
  readonly limit: number;
}

export async function queueHosts(
  { database }: Backend,
  actor: Actor,
  { siteId, cursor, limit }: QueueHostsQuery,
): Promise<Outcome<QueueHosts>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  if ((await database.site.count({ where: { id: siteId } })) === 0) return notFound("site", siteId);
  const facts = await readAdmission(hotWithin(database), siteId);
  return done(
    await readQueueHosts(database, siteId, facts, start.value, Math.min(500, Math.max(1, Math.trunc(limit)))),
  );
}
