// An event of the audit log as its row has it.
import { entryOf } from "@/server/domain/audit-log/entry";
import type { LoggedEvent } from "@/server/domain/audit-log/entry";

export interface EventRow {
  readonly id: string;
  readonly at: Date;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly action: string;
  readonly target_kind: string | null;
  readonly target_id: string | null;
  readonly tenant_id: string | null;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly outcome: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly body_hash: Buffer | null;
}

/** @param table its name in the statement */
export const eventColumns = (table: string): string =>
  [
    "id",
    "at",
    "actor_kind",
    "actor_id",
    "actor_name",
    "action",
    "target_kind",
    "target_id",
    "tenant_id",
    "request_id",
    "address",
    "outcome",
    "before",
    "after",
    "body_hash",
  ]
    .map((column) => `${table}.${column}`)
    .join(", ");

const eventOf = (row: EventRow): LoggedEvent => ({
  id: row.id,
  at: row.at,
  actorKind: row.actor_kind,
  actorId: row.actor_id,
  actorName: row.actor_name,
  action: row.action,
  targetKind: row.target_kind,
  targetId: row.target_id,
  tenantId: row.tenant_id,
  requestId: row.request_id,
  address: row.address,
  outcome: row.outcome,
  before: row.before,
  after: row.after,
  bodySha256: row.body_hash?.toString("hex") ?? null,
});

/** Its entry; an empty one where the event is gone. */
export const entryOfRow = (row: EventRow | { readonly id: null }): Uint8Array =>
  row.id === null ? new Uint8Array() : entryOf(eventOf(row));
