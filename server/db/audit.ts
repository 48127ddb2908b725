// All audit writes go through this file: each event is written in the transaction of the change that it describes (docs/security.md#the-audit-log).
import { executeText } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { randomUUID } from "node:crypto";
import { auditActions } from "@/server/domain/access/audit-actions";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import { bodyHash } from "@/server/domain/audit-log/entry";
import type { EventBody } from "@/server/domain/audit-log/entry";
import { jsonText } from "@/server/db/hot/json-text";

export type AuditOutcome = "done" | "refused";

type AuditFact = string | number | boolean | null;

/** A JSON value without secrets. */
export type AuditFacts = Readonly<
  Record<
    string,
    | AuditFact
    | readonly string[]
    | Readonly<Record<string, number>>
    | readonly Readonly<Record<string, AuditFact>>[]
  >
>;

export interface AuditEvent {
  /** A new `randomUUID()`, for callers that later ask for the proof that the event is in the log (server/db/audit-log/event-proof.ts); omitted: a random one. */
  readonly id?: string;
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
  /** For a refused request: the reason. */
  readonly after: AuditFacts | null;
}

/** SQL that inserts the events of one JSON parameter. No other SQL writes to the log. */
export const auditInsert = (parameter: string): string => `
    INSERT INTO audit_event (id, actor_kind, actor_id, actor_name, action, target_kind, target_id, tenant_id, request_id, address, outcome, before, after, body_hash)
    SELECT id, actor_kind, actor_id, actor_name, action, target_kind, target_id, tenant_id, request_id, address, outcome, before, after, decode(body_hash, 'hex')
    FROM jsonb_to_recordset(${parameter}::jsonb) AS e (id uuid, actor_kind text, actor_id text, actor_name text, action text, target_kind text, target_id text, tenant_id uuid, request_id text, address text, outcome text, before jsonb, after jsonb, body_hash text)`;

/** Names that people choose are cut to the length that fits into a log entry; the table accepts nothing longer. */
const longestText = 500;
const short = (text: string | null): string | null => text?.slice(0, longestText) ?? null;

/** The event in the form in which it is read back, with an id. */
const bodyOf = (event: AuditEvent): EventBody => ({
  id: event.id ?? randomUUID(),
  actorKind: event.actor.kind,
  actorId: short(event.actor.id),
  actorName: short(event.actor.name),
  action: event.action,
  targetKind: auditActions[event.action],
  targetId: short(event.targetId),
  tenantId: event.tenantId,
  requestId: short(event.requestId),
  address: short(event.address),
  outcome: event.outcome,
  before: event.before,
  after: event.after,
});

/** The hash of what the database will return: characters that it cannot store are replaced first. */
function storedHash(body: EventBody): string {
  const stored: EventBody = JSON.parse(jsonText(body));
  return bodyHash(stored);
}

/** The parameter for `auditInsert`. */
export const auditText = (events: readonly AuditEvent[]): string =>
  jsonText(
    events.map((event) => {
      const body = bodyOf(event);
      return {
        id: body.id,
        actor_kind: body.actorKind,
        actor_id: body.actorId,
        actor_name: body.actorName,
        action: body.action,
        target_kind: body.targetKind,
        target_id: body.targetId,
        tenant_id: body.tenantId,
        request_id: body.requestId,
        address: body.address,
        outcome: body.outcome,
        before: body.before,
        after: body.after,
        body_hash: storedHash(body),
      };
    }),
  );

/** Writes events in one statement. Pass the transaction of the change. Only refusals, which change nothing, are written outside one. */
export async function writeAudit(tx: SqlReader, ...events: readonly AuditEvent[]): Promise<void> {
  if (events.length > 0) await executeText(tx, auditInsert("$1"), [auditText(events)]);
}
