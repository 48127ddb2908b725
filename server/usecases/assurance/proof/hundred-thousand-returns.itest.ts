// The proof desk after years: what a search reads of a hundred thousand returns, counted in rows, not in time.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase } from "@/server/db/prisma";
import type { Backend } from "@/server/usecases/backend";
import { searchReturns } from "@/server/usecases/assurance/proof/search-returns";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const [hosts, each] = [10_000, 10];
let world: World;

beforeAll(async () => {
  world = await createWorld();
  await world.backend.database.$transaction(
    async (transaction) => {
      const insert = (sql: string) => transaction.$executeRawUnsafe(sql);
      // Triggers and foreign keys are for single writes.
      await insert("SET LOCAL session_replication_role = replica");
      await insert(
        "INSERT INTO tenant (id, org, name) SELECT gen_random_uuid(), 'org-' || n, 'Tenant ' || n FROM generate_series(1, 50) n",
      );
      await insert(`
        INSERT INTO host (id, name, site_id, rack, slot, hardware_type, serial, system_uuid, macs, bmc_address, bmc_username, bmc_password, network_interfaces)
        SELECT gen_random_uuid(), 'gpu-' || lpad(n::text, 5, '0'), '${world.siteId}', 'R' || n / 20, (n % 20)::text, 'redfish', 'SER' || lpad(n::text, 5, '0'), gen_random_uuid(), '{}', 'http://bmc-' || n, 'root', '\\x00', '{dpu0}'
        FROM generate_series(1, ${hosts}) n`);
      await insert(`
        INSERT INTO drive (id, serial, model, search) SELECT gen_random_uuid(), 'PHAB' || lpad(n::text, 5, '0'), 'PM9A3', '' FROM generate_series(1, ${hosts}) n`);
      await insert(`
        INSERT INTO drive_stay (drive_id, host_id, slot, from_at) SELECT d.id, h.id, 'bay 0', now() - interval '4 years'
        FROM drive d JOIN host h ON substr(h.name, 5) = substr(d.serial, 5)`);
      await insert(`
        INSERT INTO instance (id, name, tenant_id, host_id, created_at, release_requested_at, ended_at)
        SELECT gen_random_uuid(), 'i-' || substr(h.name, 5) || '-' || n, t.id, h.id, at - interval '30 days', at, at
        FROM host h CROSS JOIN generate_series(1, ${each}) n
          CROSS JOIN LATERAL (SELECT now() - (n * 90 + abs(hashtext(h.name)) % 90) * interval '1 day' AS at) a
          JOIN tenant t ON t.org = 'org-' || 1 + (abs(hashtext(h.name)) + n) % 50`);
      await insert(`
        INSERT INTO reclamation (id, host_id, host_serial, kind, instance_id, tenant_id, started_at, ended_at, outcome, standing, policy_version, policy, plan_epoch, devices)
        SELECT gen_random_uuid(), i.host_id, h.serial, 'release', i.id, i.tenant_id, i.ended_at, i.ended_at + interval '40 minutes', 'ready',
          CASE abs(hashtext(i.name)) % 500 WHEN 0 THEN 'notSanitized' WHEN 1 THEN 'notProven' WHEN 2 THEN 'provenWithExceptions' ELSE 'proven' END, 1, '{}', 1, '{}'
        FROM instance i JOIN host h ON h.id = i.host_id WHERE i.name LIKE 'i-%'`);
      await insert(`
        INSERT INTO certificate (id, reclamation_id, host_id, kind, type, statement, sha256, event_id, bundle, signed_at)
        SELECT gen_random_uuid(), id, host_id, 'certificate', 'certificate', '{"predicate":{"devices":[]}}', repeat('0', 64), gen_random_uuid(), repeat('x', 3000), ended_at FROM reclamation`);
      await insert(`
        INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, standard, level, technique_table, verdict, reason, report)
        SELECT c.id, c.host_id, gen_random_uuid(), 1, 1, 'PHAB' || substr(c.host_serial, 4), 'PM9A3', 'nvme', 'ieee-2883', 'purge', 2, 'sanitized', 'ok', '{}' FROM reclamation c`);
      await insert(`
        INSERT INTO gate (reclamation_id, gate, status, reason, evidence, generation, evidence_seq)
        SELECT c.id, 'g' || n, 'satisfied', 'ok', '{}', 1, 1 FROM reclamation c CROSS JOIN generate_series(1, 3) n`);
      await insert(`
        INSERT INTO debt (id, chassis_serial, drive_serials, instance_id, tenant_id)
        SELECT gen_random_uuid(), c.host_serial, ARRAY['PHAB' || substr(c.host_serial, 4)], c.instance_id, c.tenant_id FROM reclamation c`);
    },
    { timeout: 600_000 },
  );
  await world.backend.database.$executeRawUnsafe("VACUUM ANALYZE");
}, 600_000);
afterAll(() => world.stop());

type Query = Partial<Parameters<typeof searchReturns>[2]>;

/** Rows read per table, by scans and by indexes, as PostgreSQL counts them for a connection of its own. */
async function rowsOf(ask: (backend: Backend) => Promise<void>): Promise<Record<string, number>> {
  const database = createDatabase(world.url, { max: 1, applicationName: "counted" });
  const read = async () => {
    await database.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
    await database.$queryRaw`SELECT pg_stat_clear_snapshot()::text`;
    return database.$queryRaw<
      { name: string; rows: bigint }[]
    >`SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS rows FROM pg_stat_user_tables`;
  };
  try {
    const before = await read();
    await ask({ ...world.backend, database });
    const after = await read();
    return Object.fromEntries(
      after.flatMap(({ name, rows }) => {
        const count = Number(rows - (before.find((row) => row.name === name)?.rows ?? 0n));
        return count === 0 ? [] : [[name, count]];
      }),
    );
  } finally {
    await database.$disconnect();
  }
}

const large = ["reclamation", "instance", "host", "certificate", "gate", "device_result", "drive", "debt"];

async function search(backend: Backend, query: Query) {
  const found = await searchReturns(backend, world.actor("operator"), {
    ...{ text: "", cursor: null, limit: 50 },
    ...query,
  });
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value;
}

const month = new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 7);

/** What is searched, how many returns that finds, and how many rows of the large tables it may read. */
const searches: readonly (readonly [string, Query, number, number])[] = [
  ["the serial number of a drive", { text: "phab01234" }, each, 200],
  ["the serial number of a host", { text: "SER01234" }, each, 200],
  ["the name of a host", { text: "gpu-01234" }, each, 200],
  ["the name of an instance", { text: "i-01234-3" }, 1, 100],
  ["the beginning of a name", { text: "i-0123" }, 10 * each, 1_500],
  // Of its instances those that were released in that month, to find those whose release began nothing.
  ["a tenant's month", { tenant: "org-7", month }, NaN, 600],
  ["a rare standing", { standing: "notSanitized" }, NaN, 2_000],
];

it.each(searches)("finds %s by its index", async (_what, query, finds, most) => {
  const rows = await rowsOf(async (backend) => {
    const found = await search(backend, query);
    if (!Number.isNaN(finds)) expect(found.tally?.returns).toBe(finds);
    else expect(found.tally?.returns).toBeGreaterThan(0);
  });
  for (const table of large) expect({ table, rows: rows[table] ?? 0 }).toSatisfy((read) => read.rows <= most);
});

it.each<readonly [string, Query]>([
  ["everything", {}],
  ["a site", { site: "a" }],
])("counts %s once, and reads the details of one page only", async (_what, query) => {
  const rows = await rowsOf(async (backend) => {
    expect((await search(backend, query)).tally?.returns).toBe(hosts * each);
  });
  // The list, and the count; the standing of each is in an index.
  expect(rows.reclamation).toBeLessThan(3 * hosts * each);
  expect(rows.instance).toBeLessThan(3 * hosts * each);
  for (const table of ["certificate", "gate", "device_result", "debt"])
    expect({ table, rows: rows[table] ?? 0 }).toSatisfy((read) => read.rows <= 500);
});
