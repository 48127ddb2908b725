// Stores security events: repeats are merged, and noise is bounded, so that it neither fills the table nor hides an event (docs/security.md#security-events).
import { randomUUID } from "node:crypto";
import { auditInsert, auditText } from "@/server/db/audit";
import { jsonText } from "@/server/db/hot/json-text";
import { feedChannel } from "@/server/db/hot/signal";
import { executeText } from "@/server/db/sql";
import { perProcess } from "@/server/process/process-state";
import type { SqlReader } from "@/server/db/sql";
import type { EventKind } from "@/server/domain/break-fix/event-kinds";
import {
  keptTries,
  ownAddresses,
  ownHosts,
  securityEventKinds,
  type SecurityEventKind,
} from "@/server/domain/access/security-events/kinds";

export interface SecurityAttempt {
  readonly kind: SecurityEventKind;
  /** The host that it was about; null: none of ours was named. */
  readonly hostId: string | null;
  /** Left out: the host's. */
  readonly siteId?: string | null;
  /** Remote address of the connection. */
  readonly address: string;
  /** In words, without secrets: "a report for step run … of another host". */
  readonly tried: string;
  /** Method and path, without the query: "POST /agent/v1/result". */
  readonly path: string;
  readonly requestId?: string;
  /** How often it was tried; left out: once. */
  readonly count?: number;
}

const webhookKind = "security.event" satisfies EventKind;

/**
 * Merges into the open event of the same kind, host, address and hour. An address beyond the first few of a host, and a host beyond the first many
 * of an address, are counted in one event for all of them. A new event is audited and sent to webhooks in the same statement; a repeat is not.
 */
const record = `
  WITH q AS (
    SELECT $1::text AS kind, h.id AS host_id, h.name AS host_name, coalesce(h.site_id, $3::uuid) AS site_id, $4::text AS address, date_trunc('hour', now(), 'UTC') AS hour
    FROM (SELECT 1) one LEFT JOIN host h ON h.id = $2::uuid
  ), placed AS (
    SELECT q.*, CASE
        WHEN EXISTS (SELECT 1 FROM security_event e WHERE e.kind = q.kind AND e.hour = q.hour AND e.others IS NULL
          AND e.host_id IS NOT DISTINCT FROM q.host_id AND e.address = q.address) THEN NULL
        WHEN (SELECT count(DISTINCT e.address) FROM security_event e WHERE e.kind = q.kind AND e.hour = q.hour AND e.others IS NULL
          AND e.host_id IS NOT DISTINCT FROM q.host_id) >= ${ownAddresses} THEN 'addresses'
        WHEN (SELECT count(DISTINCT e.host_id) FROM security_event e WHERE e.kind = q.kind AND e.hour = q.hour AND e.others IS NULL
          AND e.address = q.address) >= ${ownHosts} THEN 'hosts' END AS others
    FROM q
  ), noted AS (
    INSERT INTO security_event AS s (id, kind, host_id, host_name, site_id, address, others, tried, paths, hour, count, merge_key)
    SELECT $9::uuid, kind, CASE WHEN others IS DISTINCT FROM 'hosts' THEN host_id END, CASE WHEN others IS DISTINCT FROM 'hosts' THEN host_name END, site_id, address, others,
      ARRAY[$5::text], ARRAY[$6::text], hour, $7::bigint,
      concat_ws('|', kind, CASE WHEN others = 'hosts' THEN '*' ELSE coalesce(host_id::text, '-') END, CASE WHEN others = 'addresses' THEN '*' ELSE address END, extract(epoch FROM hour)::bigint)
    FROM placed
    ON CONFLICT (merge_key) WHERE acknowledged_at IS NULL DO UPDATE SET count = s.count + excluded.count, last_at = now(),
      tried = CASE WHEN s.tried @> excluded.tried OR cardinality(s.tried) >= ${keptTries} THEN s.tried ELSE s.tried || excluded.tried END,
      paths = CASE WHEN s.paths @> excluded.paths OR cardinality(s.paths) >= ${keptTries} THEN s.paths ELSE s.paths || excluded.paths END
    RETURNING xmax = 0 AS is_new, s.host_id, s.host_name
  ), fresh AS (
    SELECT * FROM noted WHERE is_new
  ), audited AS (${auditInsert("(SELECT $8::text FROM fresh)")}
  ), sent AS (
    INSERT INTO webhook_delivery (webhook_id, kind, body)
    SELECT w.id, '${webhookKind}', jsonb_set($10::jsonb, '{data,host}', coalesce(to_jsonb(host_name), 'null'))::text FROM fresh, webhook w
    WHERE w.tenant_id IS NULL AND (cardinality(w.kinds) = 0 OR '${webhookKind}' = ANY(w.kinds))
  ), fed AS (
    INSERT INTO feed (host_id, tenant_id, what) SELECT host_id, NULL, 'securityEvent' FROM fresh WHERE host_id IS NOT NULL
  )
  SELECT pg_notify('${feedChannel}', '')::text FROM fresh WHERE host_id IS NOT NULL`;

const longest = 400;
const short = (text: string): string => text.replaceAll("\0", "").slice(0, longest);

/** Writes it now. */
export async function writeSecurityEvent(database: SqlReader, attempt: SecurityAttempt): Promise<void> {
  const { kind, hostId, siteId = null, path, requestId = randomUUID(), count = 1 } = attempt;
  const tried = short(attempt.tried);
  const address = short(attempt.address);
  const audited = auditText([
    {
      actor: { kind: "unknown", id: null, name: null },
      action: "security.event",
      targetId: hostId,
      tenantId: null,
      requestId,
      address,
      outcome: "refused",
      before: null,
      after: { kind, tried, path: short(path) },
    },
  ]);
  const id = randomUUID();
  const { title, severity } = securityEventKinds[kind];
  const data = { id, kind, title, severity, hostId, host: null, address, tried, path: short(path) };
  const body = jsonText({ type: webhookKind, timestamp: new Date().toISOString(), data });
  await executeText(database, record, [
    kind,
    hostId,
    siteId,
    address,
    tried,
    short(path),
    count,
    audited,
    id,
    body,
  ]);
}

/** How long repeats are only counted after one was written. */
const quietMs = 30_000;
/** Keys of one database that are remembered: beyond them, each attempt is written. */
const maxHeld = 5_000;

interface Held {
  readonly attempt: SecurityAttempt;
  /** Repeats since the last write. */
  repeats: number;
}

/** The first of each kind, host and address is written at once; repeats are counted and written together, so that a flood costs few statements. */
export class HeldSecurityEvents {
  readonly #held = new Map<SqlReader, Map<string, Held>>();
  #timer: NodeJS.Timeout | undefined;

  async note(database: SqlReader, attempt: SecurityAttempt): Promise<void> {
    const held = this.#held.get(database) ?? new Map<string, Held>();
    this.#held.set(database, held);
    const { kind, hostId, address, tried, path } = attempt;
    const key = JSON.stringify([kind, hostId, address, tried, path]);
    const known = held.get(key);
    if (known !== undefined) {
      known.repeats += attempt.count ?? 1;
      return;
    }
    if (held.size < maxHeld) held.set(key, { attempt, repeats: 0 });
    this.#timer ??= setTimeout(() => void this.flush(), quietMs).unref();
    await writeSecurityEvent(database, attempt);
  }

  /** Writes what was counted. A failed write loses only a count: the first of them was written. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counted = [...this.#held];
    this.#held.clear();
    for (const [database, held] of counted)
      for (const { attempt, repeats } of held.values())
        if (repeats > 0)
          await writeSecurityEvent(database, { ...attempt, count: repeats }).catch(() => undefined);
  }
}

const heldSecurityEvents = perProcess("heldSecurityEvents", () => new HeldSecurityEvents());

/** @param database a client, not a transaction: repeats are written later */
export const recordSecurityEvent = (database: SqlReader, attempt: SecurityAttempt): Promise<void> =>
  heldSecurityEvents().note(database, attempt);

/** Before the process ends. */
export const flushSecurityEvents = (): Promise<void> => heldSecurityEvents().flush();
