// The scenario of `npm run bench -- --latency`: everything besides the timed signals, and the triggers in the database that time them.
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Client } from "pg";
import { z } from "zod";
import { mark } from "@/bench/scale/database";
import type { BenchSystem } from "@/bench/system";

const sceneFile = z.strictObject({
  name: z.string().min(1),
  /** Simulated hosts, all in use; one has the hanging BMC, the others get the signals. */
  hosts: z.int().min(2).max(1_000),
  /** Further hosts that exist only as rows, with a recheck due in the future. */
  rechecks: z.int().min(0).max(100_000),
  /** How long the BMC hangs, and how long signals are sent. */
  hangSeconds: z.int().min(1).max(600),
  /** Hosts that get a signal each second, one after another. */
  signalsPerSecond: z.int().min(1).max(200),
  /** Every `burstEvery`-th host gets this many more signals, `burstGapMs` apart, which arrive while the first one's handler is running. */
  burst: z.int().min(1).max(20),
  burstEvery: z.int().min(1),
  burstGapMs: z.number().min(0),
});

export type Scene = z.infer<typeof sceneFile> & { readonly digest: string };

/** Throws ZodError if the text is not a scenario. */
export function parseScene(text: string): Scene {
  const scene = sceneFile.parse(JSON.parse(text));
  return { ...scene, digest: createHash("sha256").update(JSON.stringify(scene)).digest("hex").slice(0, 12) };
}

export const readScene = (): Scene =>
  parseScene(readFileSync(new URL("latency-scene.json", import.meta.url), "utf8"));

/** Hosts that are not due during the measurement, but that every query for due hosts has to skip. */
export async function addRechecks(client: Client, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await client.query(
    `INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password, network_interfaces)
     SELECT h.id, h.id::text, s.id, 'redfish', h.id::text, h.id, h.id::text, 'none', '', '{p0}' FROM unnest($1::uuid[]) AS h(id), site s WHERE s.name = 'a'`,
    [ids],
  );
  await client.query(
    "INSERT INTO host_run (host_id, site_id, name, state, due_at) SELECT id, site_id, name, 'Enroll', now() + interval '1 hour' FROM host WHERE id = ANY($1::uuid[])",
    [ids],
  );
  await client.query("ANALYZE host, host_run");
}

/** Delays every response of this machine's BMC by `ms`; null restores it. */
export async function hangBmc(
  { control }: Pick<BenchSystem, "control">,
  serial: string,
  ms: number | null,
): Promise<void> {
  if (control === null) throw new Error("there is no simulated fleet");
  const response = await fetch(`${control.url}/hosts/${serial}/faults`, {
    method: ms === null ? "DELETE" : "POST",
    headers: { authorization: `Bearer ${control.token}`, "content-type": "application/json" },
    ...(ms === null ? {} : { body: JSON.stringify({ bmc: { mode: "slow", delayMs: ms } }) }),
  });
  if (!response.ok)
    throw new Error(`the simulator answers ${response.status} to a fault: ${await response.text()}`);
}

/**
 * From now on triggers record, by the database's own clock, when each signal is stored, when the claim reads it, and when that
 * handler's commit removes it. No outside observer adds cost or delay.
 */
export async function startClockwork(client: Client): Promise<void> {
  await client.query(`
    CREATE UNLOGGED TABLE bench_signal (id bigint PRIMARY KEY, host_id uuid NOT NULL, sent timestamptz(6) NOT NULL, generation bigint, handled timestamptz(6));
    CREATE INDEX bench_signal_host ON bench_signal (host_id, generation);
    CREATE UNLOGGED TABLE bench_handler (host_id uuid NOT NULL, generation bigint NOT NULL, began timestamptz(6) NOT NULL, PRIMARY KEY (host_id, generation));
    CREATE FUNCTION bench_signal_sent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO bench_signal (id, host_id, sent) VALUES (NEW.id, NEW.host_id, clock_timestamp()); RETURN NULL; END $$;
    CREATE FUNCTION bench_signal_handled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE bench_signal SET handled = clock_timestamp(), generation = (SELECT r.generation FROM host_run r WHERE r.host_id = OLD.host_id) WHERE id = OLD.id; RETURN NULL; END $$;
    CREATE FUNCTION bench_handler_began() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO bench_handler (host_id, generation, began) VALUES (NEW.host_id, NEW.generation, clock_timestamp()); RETURN NULL; END $$;
    CREATE TRIGGER bench_signal_sent AFTER INSERT ON signal FOR EACH ROW EXECUTE FUNCTION bench_signal_sent();
    CREATE TRIGGER bench_signal_handled AFTER DELETE ON signal FOR EACH ROW EXECUTE FUNCTION bench_signal_handled();
    CREATE TRIGGER bench_handler_began AFTER UPDATE OF generation ON host_run FOR EACH ROW WHEN (NEW.generation > OLD.generation) EXECUTE FUNCTION bench_handler_began();`);
}

/** How many signals of these hosts no handler has removed yet. */
export async function countLeft(client: Client, hostIds: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ left: number }>(
    `SELECT ${mark} count(*)::int AS left FROM bench_signal WHERE host_id = ANY($1::uuid[]) AND handled IS NULL`,
    [hostIds],
  );
  return rows[0]?.left ?? 0;
}

const timed = z.object({
  to_handler: z.number().nullable(),
  to_commit: z.number().nullable(),
  met_handler: z.boolean(),
});

export interface TimedSignal {
  /** Ms from the statement that stored it to the claim that read it; null if none has. */
  readonly toHandlerMs: number | null;
  /** Ms to the end of that handler's commit. */
  readonly toCommitMs: number | null;
  /** It was stored while an earlier handler of its host was running. */
  readonly metHandler: boolean;
}

/** The recorded times of these hosts' signals. */
export async function readTimes(client: Client, hostIds: readonly string[]): Promise<readonly TimedSignal[]> {
  const { rows } = await client.query(
    `SELECT ${mark} (extract(epoch FROM h.began - s.sent) * 1000)::float8 AS to_handler, (extract(epoch FROM s.handled - s.sent) * 1000)::float8 AS to_commit,
       EXISTS (SELECT 1 FROM bench_handler e JOIN bench_signal x ON x.host_id = e.host_id AND x.generation = e.generation
         WHERE e.host_id = s.host_id AND e.generation < s.generation AND e.began <= s.sent AND x.handled > s.sent) AS met_handler
     FROM bench_signal s LEFT JOIN bench_handler h ON h.host_id = s.host_id AND h.generation = s.generation WHERE s.host_id = ANY($1::uuid[])`,
    [hostIds],
  );
  return z
    .array(timed)
    .parse(rows)
    .map(({ to_handler: toHandlerMs, to_commit: toCommitMs, met_handler: metHandler }) => ({
      toHandlerMs,
      toCommitMs,
      metHandler,
    }));
}
