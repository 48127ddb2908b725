// The bench's own database and PostgreSQL's counters: commits, statements, WAL. On an embedded PostgreSQL set up as by `npm start`, or on DATABASE_URL.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Client } from "pg";
import { z } from "zod";
import { startEphemeral } from "@/scripts/postgres/ephemeral.mjs";
import { durable } from "@/scripts/postgres/settings.mjs";
import { pinnedNode, root } from "@/scripts/folders.mjs";
import { run } from "@/scripts/setup/command.mjs";
import { dropDatabase } from "@/scripts/testing/drop-database.mjs";
import { postmasterOf } from "@/bench/processor";

export interface BenchDatabase {
  readonly url: string;
  /** "embedded", or the server of DATABASE_URL. */
  readonly where: string;
  readonly version: string;
  /** Null if the server's processes cannot be seen from here. */
  readonly postmaster: number | null;
  /** Whether pg_stat_statements is available. */
  readonly countsStatements: boolean;
  /** A connection for the bench alone. Its own statements are marked and not counted. */
  readonly client: Client;
  readonly close: () => Promise<void>;
}

/** Every statement that the bench itself runs during a measurement contains this mark. */
export const mark = "/* bench */";

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: "reclaim bench" });
  client.on("error", () => undefined); // the statement in progress reports it
  client.on("error", () => undefined); // the query on it fails by itself
  await client.connect();
  return client;
}

async function tryStatistics(client: Client): Promise<boolean> {
  try {
    await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    await client.query("SELECT count(*) FROM pg_stat_statements");
    return true;
  } catch {
    return false; // not preloaded, or we may not create it
  }
}

/** Creates an empty database with a unique name and the migrations of a checkout. `close` removes it. */
export async function openDatabase(given: string | undefined, checkout = root): Promise<BenchDatabase> {
  const server =
    given === undefined || given === ""
      ? await startEphemeral({
          ...durable,
          shared_preload_libraries: "pg_stat_statements",
          "pg_stat_statements.track": "top",
        })
      : { url: given, stop: async () => undefined };
  const target = new URL(server.url);
  target.pathname = `/reclaim_bench_${randomBytes(4).toString("hex")}`;
  const url = target.href;
  try {
    await run(pinnedNode, [join(checkout, "scripts", "migrate.mjs")], {
      name: "the migration",
      env: { DATABASE_URL: url },
    });
    const client = await connected(url);
    const countsStatements = await tryStatistics(client);
    const { rows } = await client.query<{ version: string; pid: number }>(
      "SELECT current_setting('server_version') AS version, pg_backend_pid() AS pid",
    );
    const close = async () => {
      await client.end();
      await dropDatabase(url);
      await server.stop();
    };
    return {
      url,
      where: given ? "the PostgreSQL of DATABASE_URL" : "the embedded PostgreSQL, durable settings",
      version: rows[0]?.version.split(" ")[0] ?? "unknown",
      postmaster: postmasterOf(rows[0]?.pid ?? 0),
      countsStatements,
      client,
      close,
    };
  } catch (error) {
    await dropDatabase(url).catch(() => undefined);
    await server.stop();
    throw error;
  }
}

export interface DatabaseCounts {
  /** Committed transactions in this database, including the bench's own. */
  readonly transactions: number;
  readonly walBytes: number;
  /** Null if they are not counted. */
  readonly statements: number | null;
  /** Size on disk with indexes: of the tables that hold evidence, and of those with limited retention. */
  readonly evidenceBytes: number;
  readonly detailBytes: number;
}

const countsRow = z.object({
  transactions: z.coerce.number(),
  wal: z.coerce.number(),
  statements: z.coerce.number().nullable(),
  evidence: z.coerce.number(),
  detail: z.coerce.number(),
});

/** The tables that each reclamation adds to: docs/operations.md#retention. */
const evidenceTables = [
  "reclamation",
  "step_run",
  "step_attempt",
  "device_result",
  "gate",
  "state_history",
  "audit_event",
  "instance_status_history",
  "debt",
];
const detailTables = ["effect", "agent_log", "boot_window", "agent_session", "intent_refusal"];
const sizeOf = (tables: readonly string[]): string =>
  tables.map((table) => `pg_total_relation_size('${table}')`).join(" + ");

/** Counters since the database was created. Waits until the server has published its sessions' statistics. */
export async function readCounts({ client, countsStatements }: BenchDatabase): Promise<DatabaseCounts> {
  await client.query(`SELECT ${mark} pg_stat_force_next_flush(), pg_stat_clear_snapshot()`);
  const statements = countsStatements
    ? `(SELECT coalesce(sum(calls), 0) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database() AND s.query NOT LIKE '%/* bench */%')`
    : "NULL::bigint";
  const { rows } = await client.query(
    `SELECT ${mark} (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS transactions, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal, ${statements} AS statements, ${sizeOf(evidenceTables)} AS evidence, ${sizeOf(detailTables)} AS detail`,
  );
  const row = countsRow.parse(rows[0]);
  return {
    transactions: row.transactions,
    walBytes: row.wal,
    statements: row.statements,
    evidenceBytes: row.evidence,
    detailBytes: row.detail,
  };
}

/** The difference between two readings. */
export function countsBetween(before: DatabaseCounts, after: DatabaseCounts): DatabaseCounts {
  return {
    transactions: after.transactions - before.transactions,
    walBytes: after.walBytes - before.walBytes,
    statements:
      before.statements === null || after.statements === null ? null : after.statements - before.statements,
    evidenceBytes: after.evidenceBytes - before.evidenceBytes,
    detailBytes: after.detailBytes - before.detailBytes,
  };
}

export interface StatementCost {
  readonly calls: number;
  readonly totalMs: number;
  readonly meanMs: number;
  readonly walBytes: number;
  readonly text: string;
}

const costRow = z.object({
  calls: z.coerce.number(),
  total_exec_time: z.number(),
  mean_exec_time: z.number(),
  wal_bytes: z.coerce.number(),
  query: z.string(),
});

/** Resets the statistics, so that the statement costs are those of the measured part. */
export async function resetStatementCosts({ client, countsStatements }: BenchDatabase): Promise<void> {
  if (countsStatements) await client.query(`SELECT ${mark} pg_stat_statements_reset()`);
}

/** The statements that took the most server time, most expensive first. */
export async function statementCosts(
  { client, countsStatements }: BenchDatabase,
  most: number,
): Promise<readonly StatementCost[]> {
  if (!countsStatements) return [];
  const { rows } = await client.query(
    `SELECT ${mark} calls, total_exec_time, mean_exec_time, wal_bytes, query FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = current_database() AND s.query NOT LIKE '%/* bench */%' ORDER BY total_exec_time DESC LIMIT $1`,
    [most],
  );
  return z
    .array(costRow)
    .parse(rows)
    .map((row) => ({
      calls: row.calls,
      totalMs: row.total_exec_time,
      meanMs: row.mean_exec_time,
      walBytes: row.wal_bytes,
      text: row.query.replace(/\s+/g, " ").trim().slice(0, 110),
    }));
}
