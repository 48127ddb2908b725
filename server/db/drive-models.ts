// The table of drive models: erase results by model, firmware and technique. Each device result and probe is added once (docs/adr/0088-remnant-probe.md).
import { sql } from "kysely";
import type { Database } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import type { Sql } from "@/server/db/sql";
import { inSqlTransaction } from "@/server/db/transaction";
import { deviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { withDurations } from "@/server/domain/cleaning/sanitization/models/durations";
import { eraseRuns } from "@/server/domain/cleaning/sanitization/models/erase-runs";
import { knownMembers } from "@/server/domain/stored";

/** Rows of each kind per transaction. */
const batch = 500;
/** For `pg_try_advisory_xact_lock`: one process at a time, so that no two read the same row of the table. */
const lock = 880_001;

const storedResult = knownMembers(deviceResult);

interface ModelKey {
  readonly model: string;
  readonly firmware: string;
  readonly technique: string;
}

/** What to add to one row of the table. */
interface Added extends ModelKey {
  media: string | null;
  runs: number;
  completed: number;
  stalls: number;
  lies: number;
  probed: number;
  refuted: number;
  canaries: number;
  remnants: number;
  readonly durations: number[];
  readonly hosts: Set<string>;
  firstAt: Date;
  lastAt: Date;
}

class Sums {
  readonly #rows = new Map<string, Added>();

  get rows(): readonly Added[] {
    return [...this.#rows.values()];
  }

  of({ model, firmware, technique }: ModelKey, hostId: string, at: Date): Added {
    const key = JSON.stringify([model, firmware, technique]);
    const known = this.#rows.get(key) ?? {
      ...{ model, firmware, technique, media: null, runs: 0, completed: 0, stalls: 0, lies: 0 },
      ...{ probed: 0, refuted: 0, canaries: 0, remnants: 0, durations: [], hosts: new Set<string>() },
      ...{ firstAt: at, lastAt: at },
    };
    known.hosts.add(hostId);
    if (at < known.firstAt) known.firstAt = at;
    if (at > known.lastAt) known.lastAt = at;
    this.#rows.set(key, known);
    return known;
  }
}

interface ResultRow {
  readonly id: string;
  readonly hostId: string;
  readonly at: Date;
  readonly media: string;
  readonly report: unknown;
  /** Start times of tries on this drive that earlier attempts of the step run already reported. */
  readonly reported: readonly string[];
  /** Another release has had enough time to count it. */
  readonly old: boolean;
}

/** Whether the row is finished with. A report that this release cannot read is left to the release that wrote it. */
function addResult(sums: Sums, { hostId, at, media, report, reported, old }: ResultRow): boolean {
  const device = storedResult.safeParse(report).data;
  if (device === undefined) return old;
  for (const run of eraseRuns(device)) {
    if (reported.includes(run.startedAt)) continue;
    const key = { model: device.model, firmware: device.firmware ?? "", technique: run.technique };
    const row = sums.of(key, hostId, at);
    row.media = media;
    row.runs += 1;
    if (run.completed) row.completed += 1;
    if (run.stalled) row.stalls += 1;
    if (run.lied) row.lies += 1;
    if (run.durationMs !== null) row.durations.push(run.durationMs);
    if (run.probe !== null) addProbe(row, run.probe);
  }
  return true;
}

/** An erase without canaries, or with no readable place, was not probed. */
function addProbe(row: Added, { places, remnants }: { places: number; remnants: number }): void {
  if (places === 0) return;
  row.probed += 1;
  if (remnants > 0) row.refuted += 1;
  row.canaries += places;
  row.remnants += remnants;
}

interface ProbeRow extends ModelKey {
  readonly id: string;
  readonly hostId: string;
  readonly at: Date;
  readonly places: number;
  readonly remnants: number;
}

async function write(tx: Sql, row: Added): Promise<void> {
  const { model, firmware, technique } = row;
  const [known] = await queryRows(
    tx,
    sql<{ durations: number[] }>`SELECT durations FROM drive_model_erase
      WHERE model = ${model} AND firmware = ${firmware} AND technique = ${technique}`,
  );
  const durations = withDurations(known?.durations ?? [], row.durations);
  const longestMs = Math.round(Math.max(0, ...row.durations));
  await execute(
    tx,
    sql`
    INSERT INTO drive_model_erase AS e (model, firmware, technique, media, runs, completed, stalls, lies, probed, refuted, canaries, remnants,
      durations, longest_ms, first_at, last_at)
    VALUES (${model}, ${firmware}, ${technique}, ${row.media}, ${row.runs}, ${row.completed}, ${row.stalls}, ${row.lies}, ${row.probed},
      ${row.refuted}, ${row.canaries}, ${row.remnants}, ${durations}::int[], ${longestMs}, ${row.firstAt}, ${row.lastAt})
    ON CONFLICT (model, firmware, technique) DO UPDATE SET media = coalesce(excluded.media, e.media), runs = e.runs + excluded.runs,
      completed = e.completed + excluded.completed, stalls = e.stalls + excluded.stalls, lies = e.lies + excluded.lies,
      probed = e.probed + excluded.probed, refuted = e.refuted + excluded.refuted, canaries = e.canaries + excluded.canaries,
      remnants = e.remnants + excluded.remnants, durations = excluded.durations, longest_ms = greatest(e.longest_ms, excluded.longest_ms),
      first_at = least(e.first_at, excluded.first_at), last_at = greatest(e.last_at, excluded.last_at)`,
  );
  await execute(
    tx,
    sql`INSERT INTO drive_model_host (model, firmware, technique, host_id)
      SELECT ${model}, ${firmware}, ${technique}, h::uuid FROM unnest(${[...row.hosts]}::text[]) h ON CONFLICT DO NOTHING`,
  );
}

const marked = (tx: Sql, table: "device_result" | "drive_probe", rows: readonly { readonly id: string }[]) =>
  execute(
    tx,
    sql`UPDATE ${sql.table(table)} SET tallied = true WHERE id = ANY(${rows.map(({ id }) => id)}::bigint[])`,
  );

/** The newest rows that were processed, by id. */
interface Reached {
  readonly result: string;
  readonly probe: string;
}

/** How long to keep trying a row that this release cannot read. */
const leftFor = "30 days";

const resultsAfter = (tx: Sql, after: string) =>
  queryRows(
    tx,
    sql<ResultRow>`SELECT d.id::text, d.host_id::text AS "hostId", d.at, d.media, d.report, d.at < now() - ${leftFor}::interval AS old,
        ARRAY(SELECT t ->> 'startedAt' FROM device_result e,
          jsonb_array_elements(CASE jsonb_typeof(e.report -> 'tries') WHEN 'array' THEN e.report -> 'tries' ELSE '[]' END) t
          WHERE e.reclamation_id = d.reclamation_id AND e.step_run_id = d.step_run_id AND e.serial = d.serial AND e.model = d.model
            AND e.id < d.id AND t ->> 'startedAt' IS NOT NULL) AS reported
      FROM device_result d WHERE NOT d.tallied AND d.id > ${after}::bigint ORDER BY d.id LIMIT ${batch} FOR NO KEY UPDATE OF d SKIP LOCKED`,
  );

const probesAfter = (tx: Sql, after: string) =>
  queryRows(
    tx,
    sql<ProbeRow>`SELECT id::text, host_id::text AS "hostId", at, model, coalesce(firmware, '') AS firmware, technique, places, remnants
      FROM drive_probe WHERE NOT tallied AND id > ${after}::bigint ORDER BY id LIMIT ${batch} FOR NO KEY UPDATE SKIP LOCKED`,
  );

/** One batch; null: there are no more. It skips locked rows, so a transaction that deletes a host waits for it and cannot deadlock with it. */
async function tallyBatch(tx: Sql, after: Reached): Promise<Reached | null> {
  const [held] = await queryRows(
    tx,
    sql<{ held: boolean }>`SELECT pg_try_advisory_xact_lock(${lock}) AS held`,
  );
  if (held?.held !== true) return null;
  const results = await resultsAfter(tx, after.result);
  const probes = await probesAfter(tx, after.probe);
  const sums = new Sums();
  const done = results.filter((row) => addResult(sums, row));
  for (const row of probes) {
    if (row.places === 0) continue;
    const sum = sums.of(row, row.hostId, row.at);
    addProbe(sum, row);
    // The device had reported this erase as successful.
    if (row.remnants > 0) sum.lies += 1;
  }
  for (const row of sums.rows) await write(tx, row);
  await marked(tx, "device_result", done);
  await marked(tx, "drive_probe", probes);
  return Math.max(results.length, probes.length) < batch
    ? null
    : { result: results.at(-1)?.id ?? after.result, probe: probes.at(-1)?.id ?? after.probe };
}

/** Adds new results. Any number of processes may run it concurrently. */
export async function tallyErases(database: Database): Promise<void> {
  let after: Reached | null = { result: "0", probe: "0" };
  while (after !== null) {
    const from: Reached = after;
    const done = await inSqlTransaction<Reached | null, never>(database, async (tx) => ({
      ok: true,
      value: await tallyBatch(tx, from),
    }));
    after = done.ok ? done.value : null;
  }
}
