// The pages of a large fleet: what makes them fast at ten thousand hosts, and as fast with a year of history (issue: "With 10,000 hosts").
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fleetFailures } from "@/server/usecases/fleet/failures-over-time";
import { fleetRacks } from "@/server/usecases/fleet/racks";
import { fleetSummary } from "@/server/usecases/fleet/fleet-summary";
import { listHosts } from "@/server/usecases/hosts/list/list-hosts";
import { offerInstances } from "@/server/usecases/instances/offer-instances";
import { hostViews } from "@/server/usecases/hosts/list/host-views";
import { listNext } from "@/server/usecases/next/list-next";
import { createDatabase } from "@/server/db/prisma";
import type { Backend } from "@/server/usecases/backend";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const hosts = 10_000;
/** The tables that grow without limit. */
const history = ["reclamation", "step_run", "state_history"] as const;
let world: World;

const run = (sql: string): Promise<number> => world.backend.database.$executeRawUnsafe(sql);

beforeAll(async () => {
  world = await createWorld();
  // While PostgreSQL analyzes a table by itself, our VACUUM marks no page as visible to all. Then an index alone does not suffice, and each row is read.
  for (const table of ["host", "host_run", ...history])
    await run(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  // The triggers are for the controller's single writes.
  await run("ALTER TABLE host_run DISABLE TRIGGER USER");
  await run(`
    INSERT INTO host (id, name, site_id, rack, slot, hardware_type, serial, system_uuid, macs, bmc_address, bmc_username, bmc_password, network_interfaces)
    SELECT gen_random_uuid(), 'gpu-' || lpad(n::text, 5, '0'), '${world.siteId}', 'R' || n / 20, (n % 20)::text, 'redfish', 'SER' || n, gen_random_uuid(), '{}', 'http://bmc-' || n, 'root', '\\x00', '{dpu0}'
    FROM generate_series(1, ${hosts}) n`);
  await run(`
    INSERT INTO host_run (host_id, site_id, name, state, state_since, limit_at, allocatable, wait_reason)
    SELECT id, site_id, name, s.state, now() - (random() * interval '30 days'), CASE WHEN s.state IN ('Ready', 'Assigned/Ready') THEN NULL ELSE now() + (random() - 0.1) * interval '1 hour' END, s.state = 'Ready', 'waits'
    FROM host, LATERAL (SELECT (ARRAY['Ready','Ready','Ready','Assigned/Ready','Assigned/Ready','Assigned/Ready','Assigned/Ready','WaitingForCleanup/HostCleanup','WaitingForCleanup/Queued','Failed/NVMECleanFailed'])[1 + abs(hashtext(name)) % 10] AS state) s`);
  await run("ALTER TABLE host_run ENABLE TRIGGER USER");
  await trips(1, "random() * interval '1 day'");
  await run("VACUUM ANALYZE");
});
afterAll(() => world.stop());

/** Constraints and indexes of the history tables, dropped and rebuilt for all rows at once: row by row, they took twice as long as the rows themselves. */
const kept = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
  FROM pg_constraint WHERE contype = 'f' AND conrelid IN ('reclamation'::regclass, 'step_run'::regclass)
  UNION ALL SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
  FROM pg_index WHERE indrelid IN ('reclamation'::regclass, 'step_run'::regclass, 'state_history'::regclass)
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`;

/** One ended reclamation per host and round, with two step runs and four states. */
async function trips(count: number, ago: string): Promise<void> {
  const apart = await world.backend.database.$queryRawUnsafe<{ drop: string; make: string }[]>(kept);
  for (const { drop } of apart) await run(drop);
  await run(`
    WITH made AS (
      INSERT INTO reclamation (id, host_id, host_serial, kind, started_at, ended_at, outcome, policy_version, policy, plan_epoch)
      SELECT gen_random_uuid(), id, serial, 'release', ended - interval '40 minutes' * (0.5 + random()), ended, 'ready', 1, '{}', 1
      FROM host, generate_series(1, ${count}) trip, LATERAL (SELECT now() - (${ago}) AS ended FROM (SELECT host.id, trip) x) e
      RETURNING id, host_id, number, started_at, ended_at
    ), steps AS (
      INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, status, attempt, max_attempts, started_at, ended_at)
      SELECT gen_random_uuid(), made.id, host_id, 1, p, 'deploy', 'step_' || p, 'agent', 90 - p, 'default', 'succeeded', 1, 2, started_at, started_at + random() * interval '10 minutes' FROM made, generate_series(0, 1) p
    )
    INSERT INTO state_history (host_id, version, state, reclamation_id, generation, at)
    SELECT host_id, number * 16 + s, 'WaitingForCleanup/Init', id, 1, started_at FROM made, generate_series(1, 4) s`);
  for (const { make } of apart.toReversed()) await run(make);
}

/** What a request cost the database: statements, and per table the rows read by sequential scans and by index. */
interface Work {
  readonly statements: number;
  readonly scanned: Readonly<Record<string, number>>;
  readonly fetched: Readonly<Record<string, number>>;
}

type Counters = readonly { readonly name: string; readonly scanned: bigint; readonly fetched: bigint }[];

/** Runs it on a connection of its own with cold caches, and reads the cost from PostgreSQL's counters. */
async function workOf(ask: (backend: Backend) => Promise<void>): Promise<Work> {
  const database = createDatabase(world.url, { max: 1, applicationName: "counted" });
  const read = async (): Promise<Counters> => {
    await database.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
    await database.$queryRaw`SELECT pg_stat_clear_snapshot()::text`;
    return database.$queryRaw<Counters>`SELECT relname AS name, seq_tup_read AS scanned, coalesce(idx_tup_fetch, 0)::bigint AS fetched FROM pg_stat_user_tables`;
  };
  const executed = async (): Promise<number> => {
    const rows = await database.$queryRaw<
      { count: bigint }[]
    >`SELECT coalesce(sum(generic_plans + custom_plans), 0)::bigint AS count FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_stat_%' AND statement NOT LIKE '%pg_prepared_statements%'`;
    return Number(rows[0]?.count ?? 0);
  };
  try {
    const before = await read();
    const statementsBefore = await executed();
    await ask({ ...world.backend, database });
    const statements = (await executed()) - statementsBefore;
    const after = await read();
    const grown = (which: "scanned" | "fetched") =>
      Object.fromEntries(
        after.flatMap((row) => {
          const count = Number(row[which] - (before.find(({ name }) => name === row.name)?.[which] ?? 0n));
          return count === 0 ? [] : [[row.name, count]];
        }),
      );
    return { statements, scanned: grown("scanned"), fetched: grown("fetched") };
  } finally {
    await database.$disconnect();
  }
}

const list =
  (filter: string) =>
  async (backend: Backend): Promise<void> => {
    expect(
      await listHosts(backend, world.actor("operator"), {
        filter,
        sort: "since",
        descending: true,
        cursor: null,
        limit: 100,
      }),
    ).toMatchObject({ ok: true, value: { problem: null } });
  };

/**
 * The pages that people open first, and their maximum cost: statements, and host rows read in any way. The benchmark measures times
 * (`npm run bench -- --scale`).
 */
const pages: readonly {
  readonly name: string;
  readonly ask: (backend: Backend) => Promise<void>;
  readonly statements: number;
  readonly hostRows: number;
}[] = [
  // The index of states finds these 2,000; the rest are the page's own rows. The third statement uses that index to find states of another release.
  { name: "hosts that come back", ask: list("is:comingBack"), statements: 3, hostRows: 3_000 },
  // Counted once; the page itself is read by its index.
  { name: "all hosts", ask: list(""), statements: 2, hostRows: hosts + 500 },
  {
    name: "the fleet",
    statements: 12,
    hostRows: 2 * hosts,
    ask: async (backend) =>
      expect(await fleetSummary(backend, world.actor("operator"), { hours: 24 })).toMatchObject({
        ok: true,
        value: { hosts },
      }),
  },
  {
    name: "what needs a person",
    // Sites, eleven facts, notes, people, what closed last. Failed hosts are read with their drives' model, the rest is counted.
    statements: 15,
    hostRows: 3 * hosts,
    ask: async (backend) =>
      expect(await listNext(backend, world.actor("operator"), {})).toMatchObject({ ok: true }),
  },
  {
    name: "its failures",
    statements: 2,
    // Reclamations are found by an index of the last ended ones, and failures by one of their own.
    hostRows: 0,
    ask: async (backend) =>
      expect(await fleetFailures(backend, world.actor("operator"), { hours: 24 })).toMatchObject({
        ok: true,
      }),
  },
  {
    name: "its racks",
    statements: 1,
    hostRows: 2 * hosts,
    ask: async (backend) =>
      expect(await fleetRacks(backend, world.actor("operator"), { hours: 24 })).toMatchObject({
        ok: true,
        value: { hosts, racks: expect.arrayContaining([expect.objectContaining({ hosts: [] })]) },
      }),
  },
  {
    name: "the views",
    statements: 1,
    hostRows: hosts,
    ask: async (backend) =>
      expect(await hostViews(backend, world.actor("operator"))).toMatchObject({ ok: true }),
  },
  {
    name: "what a tenant may take",
    statements: 3,
    hostRows: 2 * hosts,
    ask: async (backend) =>
      expect(await offerInstances(backend, world.actor("tenant-admin", "acme"))).toMatchObject({ ok: true }),
  },
];

const rowsOf = ({ scanned, fetched }: Work, table: string): number =>
  (scanned[table] ?? 0) + (fetched[table] ?? 0);

describe("ten thousand hosts", () => {
  it("are shown by few statements that read few rows, and no more of them with a year of history behind", async () => {
    const young = new Map<string, Work>();
    for (const { name, ask } of pages) young.set(name, await workOf(ask));
    await trips(12, "interval '10 days' + random() * interval '300 days'");
    await run("VACUUM ANALYZE");
    for (const { name, ask, statements, hostRows } of pages) {
      const [before, after] = [young.get(name), await workOf(ask)];
      if (before === undefined) throw new Error(`${name} was not counted`);
      for (const work of [before, after]) {
        expect(work.statements, name).toBeGreaterThan(0);
        expect(work.statements, name).toBeLessThanOrEqual(statements);
        expect(rowsOf(work, "host_run") + rowsOf(work, "host"), name).toBeLessThanOrEqual(hostRows);
      }
      for (const table of history) {
        expect(after.scanned[table], `${name}: the whole of ${table} is read`).toBeUndefined();
        // Thirteen times the history, but no more of it is read than what the newest days hold.
        expect(rowsOf(after, table), `${name}: ${table}`).toBeLessThanOrEqual(
          rowsOf(before, table) * 1.2 + 200,
        );
      }
    }
  });
  it.each(["", "state:Failed", "gpu-00", "is:needPerson", "sla:over", "rack:R12"])(
    "are filtered by %j and sorted in every way",
    async (filter) => {
      for (const sort of ["since", "name", "lastReady"] as const) {
        expect(
          await listHosts(world.backend, world.actor("operator"), {
            filter,
            sort,
            descending: true,
            cursor: null,
            limit: 100,
          }),
        ).toMatchObject({ ok: true });
      }
    },
  );
});
