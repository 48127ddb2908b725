// Many reclamations that end at the same moment, as copies of one that has ended.
import type { ClientBase, Pool } from "pg";

/** Each table's rows of the reclamation, by this column, with these changes. */
const copied = [
  {
    table: "reclamation",
    column: "id",
    changes: "jsonb_build_object('id', c.copy, 'host_id', c.copy, 'ended_at', NULL, 'outcome', NULL)",
  },
  {
    table: "device_result",
    column: "reclamation_id",
    changes: "jsonb_build_object('reclamation_id', c.copy, 'step_run_id', gen_random_uuid())",
  },
  { table: "gate", column: "reclamation_id", changes: "jsonb_build_object('reclamation_id', c.copy)" },
] as const;

/** Copies a reclamation with its results and gates, and ends all copies as Ready in one statement. Returns their ids. */
export async function endCopies(
  database: Pool | ClientBase,
  reclamationId: string,
  count: number,
): Promise<readonly string[]> {
  const { rows: made } = await database.query<{ id: string }>(
    "SELECT gen_random_uuid()::text AS id FROM generate_series(1, $1)",
    [count],
  );
  const ids = made.map(({ id }) => id);
  for (const { table, column, changes } of copied) {
    const { rows } = await database.query<{ names: string }>(
      `SELECT string_agg(quote_ident(attname), ', ') AS names FROM pg_attribute
       WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
         AND attname <> 'number' AND ($1::text = 'reclamation' OR attname <> 'id')`,
      [table],
    );
    const names = rows[0]?.names ?? "";
    await database.query(
      `INSERT INTO ${table} (${names}) SELECT ${names} FROM unnest($1::uuid[]) AS c(copy) CROSS JOIN LATERAL
       (SELECT (jsonb_populate_record(t, ${changes})).* FROM ${table} t WHERE t.${column} = $2) AS made`,
      [ids, reclamationId],
    );
  }
  await database.query(
    `UPDATE reclamation SET ended_at = now(), outcome = 'ready', host_id = (SELECT host_id FROM reclamation WHERE id = $2)
     WHERE id = ANY($1::uuid[])`,
    [ids, reclamationId],
  );
  return ids;
}
