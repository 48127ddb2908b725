// What the brake reads and writes: the cleanings within the policy's window, by what their hosts have in common (docs/cleaning.md#the-brake).
import type { Pool } from "pg";
import { z } from "zod";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";
import { brakeDimensions } from "@/server/domain/cleaning/queue/brake";
import type { FoundBrake, Group, SiteShare, RecentCleaning } from "@/server/domain/cleaning/queue/brake";
import { narrowedTo } from "@/server/domain/cleaning/queue/narrowed";
import type { Part } from "@/server/domain/cleaning/queue/narrowed";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { cleanFailures } from "@/server/domain/lifecycle/states";

const failedStates = cleanFailures.map((cause) => `'Failed/${cause}'`).join(", ");

const failing = named<{ site_id: string; policy: unknown }, []>(
  "brake_sites",
  `
  SELECT s.id::text AS site_id, p.body AS policy FROM site s JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version
  WHERE EXISTS (SELECT 1 FROM host_run r WHERE r.site_id = s.id AND r.state IN (${failedStates}))`,
);

/** Sites with a host whose cleaning failed, and their policy (`readPolicy` throws if this version cannot read it). Without a failure nothing is braked. */
export async function failingSites(
  pool: Pool,
): Promise<readonly { readonly siteId: string; readonly readPolicy: () => Policy }[]> {
  return (await failing(pool)).map((row) => ({
    siteId: row.site_id,
    readPolicy: () => storedPolicy.parse(row.policy),
  }));
}

// An abort is a person's decision and says nothing about the hardware.
const trips = named<
  {
    host_id: string;
    reclamation_id: string;
    failed_ms: number | null;
    model: string | null;
    image: string | null;
    firmware: string[];
    steps: string[];
    drives: string[];
  },
  [string, number]
>(
  "brake_trips",
  `
  WITH trip AS (
    SELECT c.id, c.host_id, c.devices, (SELECT max(s.at) FROM state_history s WHERE s.reclamation_id = c.id AND s.state IN (${failedStates})
      AND s.at > now() - $2 * interval '1 millisecond' AND coalesce(s.reason, '') NOT LIKE 'aborted by %') AS failed_at
    FROM reclamation c JOIN host_run r ON r.host_id = c.host_id
    WHERE r.site_id = $1::uuid AND (c.ended_at IS NULL OR c.ended_at > now() - $2 * interval '1 millisecond')
  )
  SELECT t.host_id::text, t.id::text AS reclamation_id, floor(extract(epoch FROM t.failed_at) * 1000)::float8 AS failed_ms,
    nullif(concat_ws(' ', h.manufacturer, h.model), '') AS model,
    coalesce(
      (SELECT i.version FROM boot_window w JOIN agent_image i ON i.id = w.image_id WHERE w.host_id = t.host_id AND w.opened_at <= coalesce(t.failed_at, now()) ORDER BY w.boot_epoch DESC LIMIT 1),
      (SELECT g.agent_version FROM agent_session g WHERE g.host_id = t.host_id ORDER BY g.boot_epoch DESC LIMIT 1)) AS image,
    ARRAY(SELECT DISTINCT concat_ws(' ', d ->> 'model', d ->> 'firmware') FROM jsonb_array_elements(coalesce(t.devices -> 'expected', '[]')) d WHERE d ? 'firmware') AS firmware,
    ARRAY(SELECT DISTINCT p.interface || '.' || p.step FROM step_run p JOIN step_attempt a ON a.step_run_id = p.id
      WHERE p.reclamation_id = t.id AND (t.failed_at IS NULL OR a.verdict IN ('failed', 'lost'))) AS steps,
    ARRAY(SELECT DISTINCT concat_ws(' ', v.model, v.serial) FROM device_result v
      WHERE v.reclamation_id = t.id AND t.failed_at IS NOT NULL AND v.verdict = 'failed' AND v.serial <> '') AS drives
  FROM trip t JOIN host h ON h.id = t.host_id
  WHERE t.failed_at IS NOT NULL OR EXISTS (SELECT 1 FROM step_run p WHERE p.reclamation_id = t.id AND p.started_at > now() - $2 * interval '1 millisecond')`,
);

// Steps belong to cleanings, not to hosts, so they are counted from the cleanings in the window.
const shares = named<{ hosts: number; dimension: string; value: string; having: number }, [string, string]>(
  "brake_share",
  `
  WITH wanted AS (
    SELECT i.dimension, i.value FROM jsonb_to_recordset($2::jsonb) AS i(dimension text, value text)
  ), own AS (
    SELECT h.id, 'model' AS dimension, concat_ws(' ', h.manufacturer, h.model) AS value FROM host h WHERE h.site_id = $1::uuid
    UNION ALL
    SELECT h.id, 'image', coalesce(
      (SELECT i.version FROM boot_window w JOIN agent_image i ON i.id = w.image_id WHERE w.host_id = h.id ORDER BY w.boot_epoch DESC LIMIT 1),
      (SELECT g.agent_version FROM agent_session g WHERE g.host_id = h.id ORDER BY g.boot_epoch DESC LIMIT 1))
    FROM host h WHERE h.site_id = $1::uuid AND EXISTS (SELECT 1 FROM wanted WHERE dimension = 'image')
    UNION ALL
    SELECT h.id, 'driveFirmware', concat_ws(' ', d ->> 'model', d ->> 'firmware')
    FROM host h JOIN host_inventory v ON v.host_id = h.id AND v.source = 'agent', jsonb_array_elements(coalesce(v.body -> 'storage', '[]')) d
    WHERE h.site_id = $1::uuid AND d ? 'firmware' AND EXISTS (SELECT 1 FROM wanted WHERE dimension = 'driveFirmware')
  )
  SELECT (SELECT count(*)::int FROM host WHERE site_id = $1::uuid) AS hosts, w.dimension, w.value, count(DISTINCT o.id)::int AS having
  FROM wanted w LEFT JOIN own o ON o.dimension = w.dimension AND o.value = w.value GROUP BY w.dimension, w.value`,
);

/** How many of a site's hosts belong to each of these groups. For a step, the cleanings in the window are counted instead. */
export async function readShare(pool: Pool, siteId: string, groups: readonly Group[]): Promise<SiteShare> {
  const asked = groups.filter((group) => group.dimension !== "step");
  const rows = asked.length === 0 ? [] : await shares(pool, siteId, JSON.stringify(asked));
  const counts = new Map(rows.map(({ dimension: of, value, having }) => [`${of} ${value}`, having]));
  return {
    hosts: rows[0]?.hosts ?? 0,
    having: ({ dimension: of, value }) => counts.get(`${of} ${value}`) ?? null,
  };
}

/** Hosts that wait look again, because what is in force changed. */
const wakeAll = (when: string): string => `waiting AS (
    UPDATE host_run r SET due_at = least(coalesce(r.due_at, 'infinity'), now()), wake_seq = r.wake_seq + 1
    WHERE r.site_id = $1::uuid AND r.state IN ('WaitingForCleanup/Queued', 'ManualCleaning/Queued') AND EXISTS (SELECT 1 FROM ${when}) RETURNING r.host_id
  ), told AS (
    INSERT INTO signal (host_id, kind, payload) SELECT host_id, 'look', '{}' FROM waiting
  )`;

const lookAgain = named<{ host_id: string }, []>(
  "brake_look_again",
  `
  UPDATE host_run r SET due_at = now(), wake_seq = r.wake_seq + 1 FROM brake b
  WHERE b.site_id = r.site_id AND b.lifted_at IS NULL AND b.asks = '{}' AND b.narrowed_to IS NOT NULL
    AND r.state IN ('WaitingForCleanup/Queued', 'ManualCleaning/Queued') AND r.due_at IS NULL
    AND strpos(coalesce(r.wait_reason, ''), b.message) > 0 RETURNING r.host_id::text`,
);

/**
 * Makes the hosts that wait for a narrowed brake look again. A controller of 0.2.0 holds the whole group, so hosts that it looked at still wait when it
 * has gone. Returns how many.
 */
export const wakeHeldByNarrowed = async (pool: Pool): Promise<number> => (await lookAgain(pool)).length;

const undecided = named<{ site_id: string }, []>(
  "brake_undecided",
  "SELECT DISTINCT site_id::text FROM brake WHERE lifted_at IS NULL AND decided_at IS NULL AND asks = '{}' AND narrowed_to IS NULL",
);

/** Sites with a brake in force that no person has decided about. Whoever narrows one decides about what it holds until it holds its whole group again. */
export async function undecidedSites(pool: Pool): Promise<readonly string[]> {
  return (await undecided(pool)).map((row) => row.site_id);
}

export interface AskingBrake {
  readonly dimension: string;
  readonly value: string;
  readonly message: string;
  readonly asks: readonly string[];
}

// A host is capacity if it is Ready, or may become so: it is in service, has not failed, and no brake holds it back. The steps of a host are those of its
// last plan. A narrowed brake counts as holding nobody: part of its group begins, and another brake that is on is safer than one that asks.
const ask = named<AskingBrake & { id: string }, [string]>(
  "brake_ask",
  `
  WITH open AS (
    SELECT id, dimension, value, decided_at FROM brake WHERE site_id = $1::uuid AND lifted_at IS NULL AND asks = '{}' AND narrowed_to IS NULL
  ), service AS (
    SELECT h.id, h.sku_id, r.state = 'Ready' AND r.allocatable AS ready FROM host h JOIN host_run r ON r.host_id = h.id
    WHERE h.site_id = $1::uuid AND h.sku_id IS NOT NULL AND NOT h.retired AND NOT r.maintenance AND r.state NOT LIKE 'Failed/%'
  ), held AS (
    SELECT s.id, s.sku_id, s.ready, b.id AS brake_id, b.decided_at FROM service s JOIN host h ON h.id = s.id JOIN open b ON CASE b.dimension
      WHEN 'model' THEN b.value = concat_ws(' ', h.manufacturer, h.model)
      WHEN 'image' THEN b.value = coalesce(
        (SELECT i.version FROM boot_window w JOIN agent_image i ON i.id = w.image_id WHERE w.host_id = h.id ORDER BY w.boot_epoch DESC LIMIT 1),
        (SELECT g.agent_version FROM agent_session g WHERE g.host_id = h.id ORDER BY g.boot_epoch DESC LIMIT 1))
      WHEN 'driveFirmware' THEN EXISTS (SELECT 1 FROM host_inventory v, jsonb_array_elements(coalesce(v.body -> 'storage', '[]')) d
        WHERE v.host_id = h.id AND v.source = 'agent' AND d ? 'firmware' AND b.value = concat_ws(' ', d ->> 'model', d ->> 'firmware'))
      ELSE EXISTS (SELECT 1 FROM step_run p WHERE p.interface || '.' || p.step = b.value AND p.reclamation_id = (
        SELECT c.id FROM reclamation c WHERE c.host_id = h.id AND EXISTS (SELECT 1 FROM step_run o WHERE o.reclamation_id = c.id) ORDER BY c.started_at DESC LIMIT 1))
      END
  ), left_over AS (
    SELECT DISTINCT s.sku_id FROM service s WHERE s.ready OR NOT EXISTS (SELECT 1 FROM held x WHERE x.id = s.id)
  ), taken AS (
    SELECT x.brake_id, array_agg(DISTINCT k.name ORDER BY k.name) AS skus FROM held x JOIN sku k ON k.id = x.sku_id
    WHERE x.decided_at IS NULL AND x.sku_id NOT IN (SELECT sku_id FROM left_over) GROUP BY x.brake_id
  ), asking AS (
    UPDATE brake b SET asks = t.skus FROM taken t WHERE b.id = t.brake_id RETURNING b.id::text, b.dimension, b.value, b.message, b.asks
  ), ${wakeAll("asking")}
  SELECT id, dimension, value, message, asks FROM asking`,
);

/** Takes out of force each brake that would leave a SKU without capacity and that no person has decided about. Returns those: they ask. */
export const askFirst = (database: HotDatabase, siteId: string): Promise<readonly AskingBrake[]> =>
  ask(database, siteId);

const known = named<
  {
    dimension: string;
    value: string;
    lifted_ms: number | null;
    narrowed_to: unknown;
    narrowed_ms: number | null;
  },
  [string, number]
>(
  "brake_known",
  `
  SELECT dimension, value, floor(extract(epoch FROM lifted_at) * 1000)::float8 AS lifted_ms, narrowed_to,
    floor(extract(epoch FROM narrowed_at) * 1000)::float8 AS narrowed_ms FROM brake
  WHERE site_id = $1::uuid AND (lifted_at IS NULL OR lifted_at > now() - $2 * interval '1 millisecond')`,
);

const store = named<{ message: string }, [string, string]>(
  "brake_store",
  `
  WITH engaged AS (
    INSERT INTO brake AS b (id, site_id, dimension, value, failed, started, message, failures)
    SELECT gen_random_uuid(), $1::uuid, i.dimension, i.value, i.failed, i.started, i.message,
      ARRAY(SELECT jsonb_array_elements_text(i.failures)::uuid)
    FROM jsonb_to_recordset($2::jsonb) AS i(dimension text, value text, failed int, started int, message text, failures jsonb)
    ON CONFLICT (site_id, dimension, value) WHERE lifted_at IS NULL DO UPDATE
      SET failed = excluded.failed, started = excluded.started, message = excluded.message, engaged_at = now(),
        failures = b.failures || excluded.failures, narrowed_to = NULL, narrowed_at = NULL, narrowed_by = NULL
      WHERE b.narrowed_to IS NOT NULL
    RETURNING message
  ), ${wakeAll("engaged")}
  SELECT message FROM engaged`,
);

const dimension = z.enum(brakeDimensions);

const isOf = (group: Group, parts: readonly Part[] | null): boolean =>
  parts?.some((part) => part.dimension === group.dimension && part.value === group.value) === true;

/**
 * The cleanings of a site within the policy's window. A failure that is explained by an active brake, or by one lifted since, no longer counts
 * for any group: one cause raises one alert, and the operator has seen it. Groups with an active brake are left out.
 */
export async function readCleanings(
  pool: Pool,
  siteId: string,
  windowMs: number,
): Promise<readonly RecentCleaning[]> {
  const [rows, brakes] = await Promise.all([trips(pool, siteId, windowMs), known(pool, siteId, windowMs)]);
  const seen = brakes.map((row) => ({
    dimension: dimension.parse(row.dimension),
    value: row.value,
    liftedMs: row.lifted_ms,
    narrowedTo: narrowedTo.parse(row.narrowed_to),
    narrowedMs: row.narrowed_ms,
  }));
  return rows.map((row) => {
    const groups: Group[] = [
      ...row.firmware.map((value): Group => ({ dimension: "driveFirmware", value })),
      ...row.steps.map((value): Group => ({ dimension: "step", value })),
      ...(row.image === null ? [] : [{ dimension: "image" as const, value: row.image }]),
      ...(row.model === null ? [] : [{ dimension: "model" as const, value: row.model }]),
    ];
    const failedMs = row.failed_ms;
    /** What was let go on out of a brake's group counts again from then on, as after the brake was lifted. */
    const untilMs = (brake: (typeof seen)[number]): number | null =>
      brake.liftedMs !== null ||
      brake.narrowedTo === null ||
      groups.some((own) => isOf(own, brake.narrowedTo))
        ? brake.liftedMs
        : brake.narrowedMs;
    const dealtWith = (group: Group): boolean =>
      seen.some((brake) => {
        if (brake.dimension !== group.dimension || brake.value !== group.value) return false;
        const until = untilMs(brake);
        return until === null || (failedMs !== null && failedMs <= until);
      });
    return {
      hostId: row.host_id,
      reclamationId: row.reclamation_id,
      failed: failedMs !== null && !groups.some(dealtWith),
      groups: groups.filter((group) => !dealtWith(group)),
      drives: row.drives,
    };
  });
}

/**
 * Engages brakes and wakes waiting hosts. A brake that is already on stays as it is; one that held only a part of its group holds all of it again. Returns
 * the messages of those that changed.
 */
export async function storeBrakes(
  database: HotDatabase,
  siteId: string,
  brakes: readonly (FoundBrake & { readonly failures: readonly string[] })[],
): Promise<readonly string[]> {
  if (brakes.length === 0) return [];
  return (await store(database, siteId, JSON.stringify(brakes))).map((row) => row.message);
}
