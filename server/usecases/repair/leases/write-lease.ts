// Hands a host to a repair system and takes it back: the common part of take, hand-over, return and break (docs/adr/0094-one-owner.md).
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Transaction } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import { tellWithin } from "@/server/db/hot/signal";
import { leaseRefusal } from "@/server/domain/repair/leases/lease";
import type { Taker } from "@/server/domain/repair/leases/lease";
import type { RepairOutcome } from "@/server/domain/repair/repairs";
import { allocationStop } from "@/server/usecases/database/allocation-stop";
import type { LeasedHost } from "@/server/usecases/repair/leases/lock-lease";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { noRoom, resetOutcome } from "@/server/usecases/repair/begin-repair";

export interface LeaseTerms {
  readonly reason: string;
  readonly ticket: string | null;
  readonly until: Date | null;
}

interface Holder {
  readonly id: string;
  readonly name: string;
}

/**
 * The caller has locked the host's row. Its boot windows are closed and the database withdraws its command, so Reclaim neither boots nor commands the host.
 * If its boot is held, the boot server keeps it waiting.
 */
export async function beginLease(
  tx: Transaction,
  host: LeasedHost,
  holder: Holder,
  by: Taker & { readonly name: string },
  terms: LeaseTerms,
): Promise<Outcome<{ readonly id: string }>> {
  // safety: custody: not in a database that may be an older one
  if ((await allocationStop(tx)) !== null)
    return refused(
      "conflict",
      "No host can be leased now: the provider is checking the database. Try again later.",
    );
  const reason = leaseRefusal(host.facts, by);
  if (reason !== null) return refused("conflict", reason);
  const [known] = await queryRows(
    tx,
    sql`SELECT 1 FROM repair_system WHERE id = ${holder.id}::uuid FOR SHARE`,
  );
  if (known === undefined) return refused("conflict", `The repair system ${holder.name} was removed.`);
  const id = randomUUID();
  await tx.repairLease.create({
    data: {
      id,
      hostId: host.id,
      systemId: holder.id,
      systemName: holder.name,
      takenBy: by.name,
      reason: terms.reason,
      ticket: terms.ticket,
      until: terms.until,
    },
  });
  // The system is not named here, because repair tenants read what the history says.
  await execute(
    tx,
    sql`
    UPDATE host_run SET outside_lease = ${id}::uuid, generation = generation + 1, evidence_seq = evidence_seq + 1,
      wait_reason = 'a repair system has the host', touched_reason = 'a repair system had the host'
    WHERE host_id = ${host.id}::uuid`,
  );
  // safety: custody: no image of ours is served
  await execute(
    tx,
    sql`UPDATE boot_window SET expires_at = now() WHERE host_id = ${host.id}::uuid AND expires_at > now()`,
  );
  // safety: custody: no label of an earlier repair counts
  if (!(await resetOutcome(tx, host.id, true))) return noRoom;
  await tellWithin(tx, { feed: [{ hostId: host.id, tenantId: null, what: "lease" }] });
  return done({ id });
}

interface Ending {
  readonly how: "returned" | "broken";
  readonly by: string;
  readonly reason: string | null;
  /** How the repair ended, from the labels at that time. Not known for a broken lease. */
  readonly outcome: RepairOutcome;
  /** Given at the end; null keeps the lease's own. */
  readonly ticket: string | null;
  readonly newIssue: string | null;
}

/**
 * The caller has locked the host's row. The host stays touched, so that it is checked again before it is allocated. Intents that arrived at the moment of
 * the take were not carried out, and are refused now.
 */
export async function endLease(
  tx: Transaction,
  hostId: string,
  leaseId: string,
  { how, by, reason, outcome, ticket, newIssue }: Ending,
): Promise<void> {
  await execute(
    tx,
    sql`
    UPDATE repair_lease SET ended_at = now(), how = ${how}, ended_by = ${by}, ended_reason = ${reason}, outcome = ${outcome},
      ticket = coalesce(ticket, left(${ticket}::text, 128)), new_issue = ${newIssue}::text
    WHERE id = ${leaseId}::uuid AND ended_at IS NULL`,
  );
  await execute(
    tx,
    sql`
    WITH late AS (
      DELETE FROM signal
      WHERE host_id = ${hostId}::uuid AND payload ? 'by' -- safety: custody: nothing asked before it is done after it → WHERE false
      RETURNING host_id, kind, payload
    )
    INSERT INTO intent_refusal (host_id, intent, reason, request_id)
    SELECT host_id, kind, 'a repair system had the host', coalesce(payload #>> '{by,requestId}', '') FROM late`,
  );
  await execute(
    tx,
    sql`
    UPDATE host_run SET outside_lease = NULL, lease_owner = NULL, lease_until = NULL, wait_reason = NULL,
      due_at = now(), wake_seq = wake_seq + 1, evidence_seq = evidence_seq + 1
    WHERE host_id = ${hostId}::uuid AND outside_lease = ${leaseId}::uuid`,
  );
  await tellWithin(tx, { wake: true, feed: [{ hostId, tenantId: null, what: "lease" }] });
}
