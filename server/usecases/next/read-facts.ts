// What needs a person of the provider, in aggregates: one row for each cause, never one for each host. The number of statements is fixed, but for the advice of the newest groups of a single host.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { z } from "zod";
import type { Reader } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { approvalKinds } from "@/server/domain/assurance/approvals/approval";
import { valuesDigest } from "@/server/domain/attestation/bundle";
import { isBrakeDimension } from "@/server/domain/cleaning/queue/brake";
import { storedState } from "@/server/domain/lifecycle/states";
import { elsewhereStates, personStates } from "@/server/domain/next/host-lines";
import type { FailureFact, SilentAgentsFact, StateFact } from "@/server/domain/next/host-lines";
import { endingMs } from "@/server/domain/next/kinds";
import type {
  BrakeFact,
  DecisionFact,
  EndingFact,
  MeasurementFact,
  SecurityFact,
} from "@/server/domain/next/other-lines";
import type { LeaseFact, RepairFact, WebhookFact } from "@/server/domain/next/repair-lines";
import { reliedException } from "@/server/usecases/assurance/approvals/list-ending";
import { heldByBrake } from "@/server/usecases/cleaning/queue/get-queue";
import { overLimit } from "@/server/usecases/hosts/list/host-filter-sql";
import { readFailureFacts, waitingInstance } from "@/server/usecases/next/read-failures";
import { readPending } from "@/server/usecases/hosts/attestation/pending-rows";
import { agentStep, lastHeard, missedCall } from "@/server/usecases/hosts/silent-agents";
import { readClaimable } from "@/server/usecases/repair/queue-rows";

/** Requests of one kind by one person. Whoever may have signed in as that person must not decide on them. */
export interface AskedBy extends DecisionFact {
  readonly askedById: string;
  readonly askerResetBy: readonly string[];
}

/** What concerns the provider, whoever asks. */
export interface NextFacts {
  readonly failures: readonly FailureFact[];
  readonly waiting: readonly StateFact[];
  readonly overLimit: readonly StateFact[];
  readonly silentAgents: SilentAgentsFact | null;
  readonly brakes: readonly BrakeFact[];
  readonly security: readonly SecurityFact[];
  readonly decisions: readonly AskedBy[];
  readonly measurements: readonly MeasurementFact[];
  readonly repair: Omit<RepairFact, "own"> | null;
  readonly lease: LeaseFact | null;
  readonly ending: EndingFact | null;
  readonly webhook: WebhookFact | null;
}

const sitePart = (siteId: string | null, column: RawBuilder<unknown>): RawBuilder<unknown> =>
  siteId === null ? sql`true` : sql`${column} = ${siteId}::uuid`;

interface StateRow extends Omit<StateFact, "state"> {
  readonly state: string;
}

const statesOf = (
  reader: Reader,
  siteId: string | null,
  where: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
) =>
  queryRows(
    reader,
    sql<StateRow>`
    SELECT r.state, count(*)::int AS hosts, count(DISTINCT i.tenant_id)::int AS tenants, min(${since}) AS since, (array_agg(r.name ORDER BY ${since}, r.host_id))[1] AS host, '{}'::text[] AS racks
    FROM host_run r LEFT JOIN ${waitingInstance} WHERE ${where} AND ${sitePart(siteId, sql`r.site_id`)} GROUP BY r.state`,
  ).then((rows) => rows.map((row): StateFact => ({ ...row, state: storedState(row.state) })));

async function readBrakeFacts(reader: Reader, siteId: string | null): Promise<readonly BrakeFact[]> {
  const rows = await queryRows(
    reader,
    sql<Omit<BrakeFact, "dimension" | "holds"> & { dimension: string; holds: bigint }>`
    SELECT b.id::text, s.name AS site, b.dimension, b.value, b.message, b.asks, b.engaged_at AS since, ${heldByBrake} AS holds
    FROM brake b JOIN site s ON s.id = b.site_id WHERE b.lifted_at IS NULL AND ${sitePart(siteId, sql`b.site_id`)}`,
  );
  return rows.flatMap(({ dimension, holds, ...row }) =>
    isBrakeDimension(dimension) ? [{ ...row, dimension, holds: Number(holds) }] : [],
  );
}

const readSecurityFacts = (reader: Reader, siteId: string | null) =>
  queryRows(
    reader,
    sql<SecurityFact>`
    SELECT e.kind AS event, count(*)::int AS events, min(e.first_at) AS since,
      (array_remove(array_agg(DISTINCT coalesce(h.name, e.host_name)), NULL))[1:2] AS hosts, (array_agg(DISTINCT e.address))[1:2] AS addresses
    FROM security_event e LEFT JOIN host h ON h.id = e.host_id
    WHERE e.acknowledged_at IS NULL AND ${sitePart(siteId, sql`e.site_id`)} GROUP BY e.kind`,
  );

const approvalKind = z.enum(approvalKinds);

/** Requests of a kind that another release wrote are decided there. */
async function readDecisionFacts(reader: Reader, siteId: string | null): Promise<readonly AskedBy[]> {
  const rows = await queryRows(
    reader,
    sql<Omit<AskedBy, "of"> & { of: string }>`
    SELECT a.kind AS of, a.asked_by::text AS "askedById", a.asker_reset_by::text[] AS "askerResetBy", count(*)::int AS requests, count(DISTINCT a.host_id)::int AS hosts, min(a.asked_at) AS since,
      (array_agg(h.name ORDER BY a.asked_at, a.id))[1] AS host, (array_agg(a.asked_by_name ORDER BY a.asked_at, a.id))[1] AS "askedBy", (array_agg(left(a.reason, 200) ORDER BY a.asked_at, a.id))[1] AS reason
    FROM approval a LEFT JOIN host h ON h.id = a.host_id
    WHERE a.decision IS NULL AND a.voided_at IS NULL AND (a.valid_until IS NULL OR a.valid_until > now()) AND ${sitePart(siteId, sql`coalesce(h.site_id, a.site_id)`)}
    GROUP BY a.kind, a.asked_by, a.asker_reset_by`,
  );
  return rows.flatMap(({ of, ...row }) => {
    const kind = approvalKind.safeParse(of).data;
    return kind === undefined ? [] : [{ ...row, of: kind }];
  });
}

/** One row for each distinct measurement, and no more of them than anybody reads. */
async function readMeasurementFacts(
  reader: Reader,
  siteId: string | null,
): Promise<readonly MeasurementFact[]> {
  const rows = await readPending(reader, sitePart(siteId, sql`h.site_id`));
  return rows.map(({ values, hostName: host, ...row }) => ({ ...row, host, digest: valuesDigest(values) }));
}

/** Those over a limit are on the list as that. */
async function readSilentAgents(reader: Reader, siteId: string | null): Promise<SilentAgentsFact | null> {
  const [row] = await queryRows(
    reader,
    sql<SilentAgentsFact>`
    SELECT count(*)::int AS hosts, count(DISTINCT i.tenant_id)::int AS tenants, min(${lastHeard}) AS since, '{}'::text[] AS racks,
      (array_agg(r.name ORDER BY ${lastHeard}, r.host_id))[1] AS host, (array_agg(t.interface || '.' || t.step ORDER BY ${lastHeard}, r.host_id))[1] AS step,
      (count(*) FILTER (WHERE x.erase_until > now()))::int AS erasing, max(x.erase_until) FILTER (WHERE x.erase_until > now()) AS "eraseUntil"
    FROM host_run r JOIN reclamation c ON c.host_id = r.host_id AND c.ended_at IS NULL JOIN ${agentStep}
      JOIN host h ON h.id = r.host_id LEFT JOIN chassis_erase x ON x.chassis_serial = h.serial LEFT JOIN ${waitingInstance}
    WHERE ${missedCall} AND r.state NOT LIKE 'Failed/%' AND NOT coalesce(${overLimit}, false) AND ${sitePart(siteId, sql`r.site_id`)} HAVING count(*) > 0`,
  );
  return row ?? null;
}

async function readLeaseFact(reader: Reader, siteId: string | null): Promise<LeaseFact | null> {
  const [row] = await queryRows(
    reader,
    sql<LeaseFact>`
    SELECT count(*)::int AS hosts, (array_agg(r.name ORDER BY l.until, l.id))[1] AS host, (array_agg(l.system_name ORDER BY l.until, l.id))[1] AS system, min(l.until) AS since
    FROM repair_lease l JOIN host_run r ON r.host_id = l.host_id
    WHERE l.ended_at IS NULL AND l.until < now() AND ${sitePart(siteId, sql`r.site_id`)} HAVING count(*) > 0`,
  );
  return row ?? null;
}

async function readEndingFact(reader: Reader, siteId: string | null): Promise<EndingFact | null> {
  const [row] = await queryRows(
    reader,
    sql<EndingFact>`
    SELECT count(*)::int AS exceptions, count(DISTINCT h.id)::int AS hosts, (array_agg(h.name ORDER BY a.valid_until, x.id))[1] AS host,
      (array_agg(x.gate || coalesce(', drive ' || x.drive_serial, '') ORDER BY a.valid_until, x.id))[1] AS subject, min(a.decided_at) AS since, min(a.valid_until) AS due
    FROM ${reliedException} JOIN host h ON h.id = x.host_id
    WHERE a.decision = 'approved' AND a.voided_at IS NULL AND a.valid_until > now() AND a.valid_until < now() + ${endingMs} * interval '1 ms' AND ${sitePart(siteId, sql`h.site_id`)}
    HAVING count(*) > 0`,
  );
  return row ?? null;
}

/** Webhooks that accept nothing. @param tenantId whose; null: the provider's */
export async function readWebhookFact(reader: Reader, tenantId: string | null): Promise<WebhookFact | null> {
  const since = sql`coalesce(w.failing_since, w.disabled_at)`;
  const [row] = await queryRows(
    reader,
    sql<WebhookFact>`
    SELECT count(*)::int AS webhooks, (count(*) FILTER (WHERE w.disabled_at IS NOT NULL))::int AS off, (array_agg(w.name ORDER BY ${since}, w.id))[1] AS name, min(${since}) AS since
    FROM webhook w WHERE w.tenant_id IS NOT DISTINCT FROM ${tenantId}::uuid AND ${since} IS NOT NULL HAVING count(*) > 0`,
  );
  return row ?? null;
}

/** @param siteId only this site, without what belongs to none; null: all */
export async function readNextFacts(reader: Reader, siteId: string | null): Promise<NextFacts> {
  const elsewhere = [...personStates, ...elsewhereStates];
  const [
    failures,
    waiting,
    over,
    silentAgents,
    brakes,
    security,
    decisions,
    measurements,
    repair,
    lease,
    ending,
    webhook,
  ] = await Promise.all([
    readFailureFacts(reader, sitePart(siteId, sql`r.site_id`)),
    statesOf(reader, siteId, sql`r.state = ANY(${[...personStates]})`, sql`r.state_since`),
    statesOf(reader, siteId, sql`${overLimit} AND r.state <> ALL(${elsewhere})`, sql`r.limit_at`),
    readSilentAgents(reader, siteId),
    readBrakeFacts(reader, siteId),
    readSecurityFacts(reader, siteId),
    readDecisionFacts(reader, siteId),
    readMeasurementFacts(reader, siteId),
    readClaimable(reader, sitePart(siteId, sql`h.site_id`)),
    readLeaseFact(reader, siteId),
    readEndingFact(reader, siteId),
    siteId === null ? readWebhookFact(reader, null) : null,
  ]);
  return {
    failures,
    waiting,
    overLimit: over,
    silentAgents,
    brakes,
    security,
    decisions,
    measurements,
    repair,
    lease,
    ending,
    webhook,
  };
}
