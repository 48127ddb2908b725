// Stores how far a restart of a BMC is, and tells the pages that show it.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { sql } from "kysely";
import type { z } from "zod";
import type { AuditEvent, AuditFacts } from "@/server/db/audit";
import { withTransaction } from "@/server/db/connection";
import { jsonText } from "@/server/db/hot/json-text";
import { tellWithin } from "@/server/db/hot/signal";
import { execute, queryRows, sqlOn } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { BmcResetStep } from "@/server/domain/hardware/bmc-reset";
import { resetPhaseWords } from "@/server/domain/hardware/bmc-reset";
import { readResetFacts } from "@/server/usecases/hosts/bmc/reset-facts";

/** One request of one host: a later request of the same host is another one. */
export interface ResetKey {
  readonly hostId: string;
  readonly requestedAt: Date;
}

interface WhatIsSent {
  readonly type: string;
  /** What proves the restart. */
  readonly before: z.core.util.JSONType;
}

/** What Reclaim did itself, beside who asked for it. */
const eventOf = (hostId: string, after: AuditFacts): AuditEvent => ({
  actor: { kind: "system", id: null, name: null },
  action: "host.resetBmc",
  targetId: hostId,
  tenantId: null,
  requestId: randomUUID(),
  address: null,
  outcome: "done",
  before: null,
  after,
});

/** @param after for the audit log; null: nothing to log */
const tell = (tx: SqlReader, hostId: string, after: AuditFacts | null): Promise<void> =>
  tellWithin(
    tx,
    { feed: [{ hostId, tenantId: null, what: "settings" }] },
    after === null ? [] : [eventOf(hostId, after)],
  );

/** `busy`: something is in progress on the host, which ends. */
export type Permission = "permitted" | "busy" | "over";

/**
 * Notes that the request is sent, immediately before it is: no process sends it again. Not permitted if the host forbids it now, which ends the request, or
 * if another process has sent it.
 */
export const permitReset = (
  pool: Pool,
  { hostId, requestedAt }: ResetKey,
  { type, before }: WhatIsSent,
): Promise<Permission> =>
  withTransaction(pool, async (client) => {
    const tx = sqlOn(client);
    // What begins on a host from here on waits for this transaction, and then begins after the request.
    await queryRows(
      tx,
      sql`SELECT r.host_id FROM host_run r WHERE r.host_id IN (
        SELECT o.id FROM host o JOIN host h ON h.id = ${hostId}::uuid WHERE o.id = h.id OR o.bmc_address IN (h.bmc_address, h.bmc_address || '/', rtrim(h.bmc_address, '/')))
        ORDER BY r.host_id FOR UPDATE`,
    );
    const facts = await readResetFacts(tx, hostId);
    if (facts === null) return "over";
    const { refusal, isBusy } = facts;
    const isMine = sql`host_id = ${hostId}::uuid AND requested_at = ${requestedAt} AND phase = 'requested'`;
    // safety: bmc: a restart is not sent where something forbids it meanwhile
    if (refusal !== null) {
      const says = `Nothing was sent: ${refusal}.`;
      const ended = await execute(
        tx,
        sql`UPDATE bmc_reset SET phase = 'failed', ended_at = now(), says = ${says}, todo = 'Reset it again after that.' WHERE ${isMine}`,
      );
      if (ended > 0) await tell(tx, hostId, { ended: resetPhaseWords.failed, says });
      return "over";
    }
    const others = await queryRows(
      tx,
      sql`SELECT b.host_id FROM bmc_reset b JOIN host o ON o.id = b.host_id JOIN host h ON h.id = ${hostId}::uuid
        WHERE b.phase IN ('sent', 'away') AND o.id <> h.id AND rtrim(o.bmc_address, '/') = rtrim(h.bmc_address, '/') LIMIT 1`,
    );
    // Two hosts of one BMC may be asked for at once.
    if (isBusy || others.length > 0) return "busy";
    const noted = await execute(
      tx,
      sql`UPDATE bmc_reset SET phase = 'sent', sent_at = now(), reset_type = ${type}, before = ${jsonText(before)}::jsonb WHERE ${isMine}`,
    );
    if (noted === 0) return "over";
    await tell(tx, hostId, { sent: type });
    return "permitted";
  });

interface Progress extends Omit<BmcResetStep, "says"> {
  /** Left out: as before. */
  readonly says?: string | null;
  /** The BMC accepted the request; left out: as before. */
  readonly answered?: true;
  /** For the next look; left out: as before. */
  readonly before?: z.core.util.JSONType;
  /** What the look that found this began with. If another process has stored more since, it stores nothing. */
  readonly since?: { readonly phase: string; readonly before: z.core.util.JSONType };
}

/** What is known now. It does nothing to a request that has ended, and a BMC that was away stays so. */
export const storeReset = (
  pool: Pool,
  { hostId, requestedAt }: ResetKey,
  { phase, todo, since, ...rest }: Progress,
): Promise<void> =>
  withTransaction(pool, async (client) => {
    const tx = sqlOn(client);
    const answered = rest.answered === true;
    const says = rest.says ?? null;
    const saysAnew = rest.says !== undefined;
    const before = rest.before === undefined ? null : jsonText(rest.before);
    const isEnd = phase === "done" || phase === "failed" || phase === "unknown";
    const isAsSeen =
      since === undefined
        ? sql`true`
        : sql`phase = ${since.phase} AND before = ${jsonText(since.before)}::jsonb`;
    const stored = await execute(
      tx,
      sql`UPDATE bmc_reset SET phase = CASE WHEN phase = 'away' AND ${phase} = 'sent' THEN phase ELSE ${phase} END, says = CASE WHEN ${saysAnew}::boolean THEN ${says}::text ELSE says END, todo = ${todo},
        answered = answered OR ${answered}, before = coalesce(${before}::jsonb, before),
        away_at = CASE WHEN ${phase === "away"} THEN coalesce(away_at, now()) ELSE away_at END, ended_at = CASE WHEN ${isEnd} THEN now() END
      WHERE host_id = ${hostId}::uuid AND requested_at = ${requestedAt} AND ended_at IS NULL AND ${isAsSeen}`,
    );
    if (stored > 0) await tell(tx, hostId, isEnd ? { ended: resetPhaseWords[phase], says } : null);
  });
