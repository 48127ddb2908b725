// An event of the audit log as stored in its row.
import type { LogDatabase } from "@/server/db/audit-log/keys";
import { entryOf, entryOfTexts } from "@/server/domain/audit-log/entry";
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

/** Null: its facts have no canonical form, for example a number too large for JSON. */
function plainEntry(row: EventRow): Uint8Array | null {
  try {
    return entryOf(eventOf(row));
  } catch {
    return null;
  }
}

const noTexts = { before: "null", after: "null" };

/** The facts as the database prints them. */
async function readTexts(
  database: LogDatabase,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly before: string; readonly after: string }>> {
  const { rows } = await database.query<{ id: string; before: string; after: string }>(
    "SELECT id::text AS id, coalesce(before::text, 'null') AS before, coalesce(after::text, 'null') AS after FROM audit_event WHERE id = ANY($1::uuid[])",
    [ids],
  );
  return new Map(rows.map(({ id, ...texts }) => [id, texts]));
}

/**
 * The entry of each row; empty if the event is gone. Nobody who may write an event can write one without an entry: facts without a canonical
 * form are logged by the digest of their text.
 */
export async function entriesOfRows(
  database: LogDatabase,
  rows: readonly (EventRow | { readonly id: null })[],
): Promise<readonly Uint8Array[]> {
  const plain = rows.map((row) => (row.id === null ? new Uint8Array() : plainEntry(row)));
  const others = rows.flatMap((row, at) => (row.id !== null && plain[at] === null ? [row.id] : []));
  if (others.length === 0) return plain.map((entry) => entry ?? new Uint8Array());
  const texts = await readTexts(database, others);
  return rows.map((row, at) =>
    row.id === null
      ? new Uint8Array()
      : (plain[at] ?? entryOfTexts(eventOf(row), texts.get(row.id) ?? noTexts)),
  );
}
