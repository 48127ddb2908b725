// Compares the database with this process's high-water marks and advances it (docs/adr/0026-a-restored-database.md).
// A few statements every two seconds, none per host.
import type { Pool } from "pg";
import { z } from "zod";
import { databaseStatus } from "@/server/domain/database/high-water";
import type { Mark, Marks, DatabaseStatus } from "@/server/domain/database/high-water";

/** How long one comparison is valid. Longer than a pause of the process, and shorter than a restore takes. */
export const confirmedForMs = 15_000;

const moved = z.object({ lineage: z.guid(), epoch: z.coerce.number(), sequence: z.coerce.number() });
const position = moved.extend({
  has_hosts: z.boolean(),
  confirmed: z.boolean(),
  stopped_cause: z.enum(["older", "otherDatabase", "noMark"]).nullable(),
  stopped_message: z.string().nullable(),
});

export interface Moved extends Mark {
  readonly lineage: string;
}

/** Advances the database by one and confirms it, if it is at least as far as `known` and not stopped. Null otherwise. */
export async function moveOn(pool: Pool, known: Moved): Promise<Moved | null> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `UPDATE database_state SET sequence = sequence + 1, confirmed_until = now() + $4 * interval '1 millisecond'
     WHERE id = 1 AND stopped_at IS NULL AND lineage = $1::uuid AND (epoch, sequence) >= ($2::int, $3::bigint) RETURNING lineage::text, epoch, sequence`,
    [known.lineage, known.epoch, known.sequence, confirmedForMs],
  );
  return rows.length === 0 ? null : moved.parse(rows[0]);
}

/** Compares the database with the marks, and stops it if it is not the one they know. Also returns its position. */
export async function judge(
  pool: Pool,
  marks: Marks,
): Promise<{ readonly standing: DatabaseStatus; readonly at: Moved }> {
  const client = await pool.connect();
  // The running statement fails with the connection. Without a listener the process would end, too.
  const lost = (): void => undefined;
  client.on("error", lost);
  let broken = false;
  try {
    await client.query("BEGIN");
    const { rows } = await client.query<
      Record<string, unknown>
    >(`SELECT lineage::text, epoch, sequence, stopped_cause, stopped_message, coalesce(confirmed_until > now(), false) AS confirmed,
      EXISTS (SELECT 1 FROM host) OR EXISTS (SELECT 1 FROM reclamation) AS has_hosts FROM database_state WHERE id = 1 FOR UPDATE`);
    const found = position.parse(rows[0]);
    const at = { lineage: found.lineage, epoch: found.epoch, sequence: found.sequence };
    const judged = databaseStatus({ ...at, hasHosts: found.has_hosts, confirmed: found.confirmed }, marks);
    const own = marks[at.lineage]?.epoch ?? 0;
    if (judged.kind === "stopped" || found.stopped_cause !== null) {
      // A proven restore overrides a cause that only says that it is unknown.
      const cause =
        judged.kind === "stopped" && (found.stopped_cause === null || found.stopped_cause === "noMark")
          ? judged
          : null;
      await client.query(
        `UPDATE database_state SET stopped_at = coalesce(stopped_at, now()), stopped_cause = coalesce($1, stopped_cause), stopped_message = coalesce($2, stopped_message),
           seen_epoch = greatest(seen_epoch, $3::int), confirmed_until = NULL WHERE id = 1`,
        [cause?.cause ?? null, cause?.message ?? null, own],
      );
    }
    await client.query("COMMIT");
    if (judged.kind === "stopped") return { standing: judged, at };
    if (found.stopped_cause !== null)
      return {
        standing: { kind: "stopped", cause: found.stopped_cause, message: found.stopped_message ?? "" },
        at,
      };
    return { standing: judged, at };
  } catch (error) {
    broken = true;
    await client.query("ROLLBACK").catch(lost);
    throw error;
  } finally {
    client.off("error", lost);
    client.release(broken);
  }
}
