// The audit log's one door: every event is written here, in the transaction of the change that it tells of (docs/security.md#the-audit-log).
import { executeText } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { randomUUID } from "node:crypto";
import { auditActions } from "@/server/domain/access/audit-actions";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import { jsonText } from "@/server/db/hot/json-text";

export type AuditOutcome = "done" | "refused";

/** A JSON value without secrets. */
export type AuditFacts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface AuditEvent {
  readonly actor: {
    readonly kind: "person" | "token" | "local" | "system" | "agent" | "adapter" | "unknown";
    readonly id: string | null;
    readonly name: string | null;
  };
  readonly action: AuditAction;
  readonly targetId: string | null;
  readonly tenantId: string | null;
  readonly requestId: string;
  readonly address: string | null;
  readonly outcome: AuditOutcome;
  readonly before: AuditFacts | null;
  /** For a refused request: why. */
  readonly after: AuditFacts | null;
}

/** Inserts the events of one JSON parameter: the only text that writes the log. */
export const auditInsert = (parameter: string): string => `
    INSERT INTO audit_event (id, actor_kind, actor_id, actor_name, action, target_kind, target_id, tenant_id, request_id, address, outcome, before, after)
    SELECT id, actor_kind, actor_id, actor_name, action, target_kind, target_id, tenant_id, request_id, address, outcome, before, after
    FROM jsonb_to_recordset(${parameter}::jsonb) AS e (id uuid, actor_kind text, actor_id text, actor_name text, action text, target_kind text, target_id text, tenant_id uuid, request_id text, address text, outcome text, before jsonb, after jsonb)`;

/** That parameter. */
export const auditText = (events: readonly AuditEvent[]): string =>
  jsonText(
    events.map((event) => ({
      id: randomUUID(),
      actor_kind: event.actor.kind,
      actor_id: event.actor.id,
      actor_name: event.actor.name,
      action: event.action,
      target_kind: auditActions[event.action],
      target_id: event.targetId,
      tenant_id: event.tenantId,
      request_id: event.requestId,
      address: event.address,
      outcome: event.outcome,
      before: event.before,
      after: event.after,
    })),
  );

/** Writes events, in one statement. Pass the transaction of the change; only refusals, which change nothing, go outside one. */
export async function writeAudit(tx: SqlReader, ...events: readonly AuditEvent[]): Promise<void> {
  if (events.length > 0) await executeText(tx, auditInsert("$1"), [auditText(events)]);
}
