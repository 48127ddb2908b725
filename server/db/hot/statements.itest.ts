// Every hot statement fits the schema (PostgreSQL prepares each of them), and no name is used twice.
import { readdirSync } from "node:fs";
import { Client } from "pg";
import { z } from "zod";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHotPool, hotStatements, named } from "@/server/db/hot/pool";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing/test-database";

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  client.on("error", () => undefined); // a pending query fails by itself
  await client.connect();
  const files = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => /^[a-z/-]+\.ts$/.test(name)))
    await import(/* @vite-ignore */ new URL(file, import.meta.url).href);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it("prepares", async () => {
  const statements = [...hotStatements()];
  expect(statements.length).toBeGreaterThan(20);
  const broken: string[] = [];
  for (const [name, text] of statements) {
    await client
      .query(`PREPARE "${name}" AS ${text}`)
      .catch((error: unknown) =>
        broken.push(`${name}: ${error instanceof Error ? error.message : String(error)}`),
      );
  }
  expect(broken).toEqual([]);
});

/** Look at the whole fleet, each some seconds or more apart; `next_due` looks at the first of an index. */
const ofFleet =
  /^(admission_sites|aged_proof_|brake_|effect_sweep|fake_hosts_|gone_hosts|lease_(release_mine|sweep|take_over)|listening_|metrics_|next_due|power_readings_|ready_watch_|signal_sweep)/;
/** Have a row for each host, or many. */
const perHost = new Set([
  "agent_session",
  "boot_window",
  "effect",
  "host",
  "host_run",
  "network_resource",
  "step_attempt",
]);

const scan = z.looseObject({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Cond": z.string().optional(),
  get Plans() {
    return z.array(scan).optional();
  },
});
type Scan = z.infer<typeof scan>;

/** The tables that a plan reads as a whole. */
const readWhole = (node: Scan): readonly string[] => {
  const table = node["Relation Name"];
  const reads =
    /^(Index|Index Only|Seq) Scan$/.test(node["Node Type"]) && table !== undefined && perHost.has(table);
  return [
    ...(reads && node["Index Cond"] === undefined ? [table] : []),
    ...(node.Plans ?? []).flatMap(readWhole),
  ];
};

it("finds rows by key, also by a plan of the time when the tables were empty", async () => {
  const pool = createHotPool(database.url, { max: 1 });
  const wrong: string[] = [];
  for (const [name, text] of hotStatements()) {
    if (ofFleet.test(name)) continue;
    await pool.query(`PREPARE "key_${name}" AS ${text}`);
    const { rows } = await pool.query(
      "SELECT cardinality(parameter_types) AS parameters FROM pg_prepared_statements WHERE name = $1",
      [`key_${name}`],
    );
    const values = Array.from({ length: rows[0].parameters }, () => "NULL").join(", ");
    const plan = await pool.query(
      `EXPLAIN (FORMAT JSON) EXECUTE "key_${name}"${values === "" ? "" : `(${values})`}`,
    );
    const [{ Plan: root }] = z.tuple([z.object({ Plan: scan })]).parse(plan.rows[0]["QUERY PLAN"]);
    wrong.push(...readWhole(root).map((table) => `${name} reads ${table}`));
  }
  await pool.end();
  expect(wrong).toEqual([]);
});

it("refuses a second statement of the same name, and a name that PostgreSQL would cut", () => {
  named("only_once", "SELECT 1");
  expect(() => named("only_once", "SELECT 1")).not.toThrow();
  expect(() => named("only_once", "SELECT 2")).toThrow(/only_once/);
  expect(() => named("x".repeat(64), "SELECT 1")).toThrow(/63/);
});

it("gives bigint columns whole, and survives a lost connection", async () => {
  const lost: Error[] = [];
  const pool = createHotPool(database.url, { max: 1, onError: (error) => lost.push(error) });
  const largest = named<{ readonly n: bigint }, []>("largest", "SELECT 9223372036854775807::bigint AS n");
  expect(await largest(pool)).toEqual([{ n: 9223372036854775807n }]);
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await expect.poll(() => lost.length).toBeGreaterThan(0);
  expect(await largest(pool)).toEqual([{ n: 9223372036854775807n }]);
  await pool.end();
});
