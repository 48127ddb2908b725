// Effects: the permit right before a request, and the outcome (docs/design/datapath.md#effects).
import type { MarkClock } from "@/server/domain/hosts/reset-mark";
import { jsonText } from "@/server/db/hot/json-text";
import { byKey, named, rowsByKey } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

const permit = named<{ id: string }, [string, string]>(
  "effect_permit",
  `
  WITH fence AS (
    UPDATE host_run r SET lease_until = greatest(r.lease_until + interval '1 millisecond', clock_timestamp()
      + i.hold_ms * interval '1 millisecond' -- safety: permit: the lease is prolonged → + 0 * i.hold_ms * interval '1 millisecond'
    )
    FROM (SELECT * FROM ${rowsByKey("q", "host_id uuid, generation bigint, effect_id uuid, hold_ms float8, power boolean, phase text, boot_epoch int, reset_mark text, mark_clock jsonb, held_ms float8, reset_only boolean", "$2")} ORDER BY host_id ${byKey}) i
    WHERE r.host_id = i.host_id
      AND r.generation = i.generation -- safety: permit: generation
      AND r.lease_owner = $1::uuid -- safety: permit: lease owner
      AND r.lease_until > clock_timestamp() -- safety: permit: lease not over
      -- safety: permit: nothing that registers withholds a restart → AND NOT EXISTS (SELECT 1 FROM agent_session g WHERE g.host_id = r.host_id AND g.boot_epoch = i.boot_epoch)
      AND NOT (i.power AND (
        (r.erasing -- safety: permit: no power while a drive may be erasing → false
          AND NOT (coalesce(i.reset_only, false)
            AND (r.context #>> '{boot,epoch}')::int = i.boot_epoch AND r.context #>> '{boot,resetOnly}' = 'true' -- safety: permit: no reset into an erase that its record does not allow
          ))
        OR EXISTS (SELECT 1 FROM step_run t WHERE t.host_id = r.host_id AND t.status = 'running' -- safety: permit: no power while a step works
          AND NOT (
            t."where" = 'controller' -- safety: permit: no power for a step of the agent, whatever another step asked for → true
            AND coalesce((r.context #>> '{cleaning,job,restartEpoch}')::int <= i.boot_epoch, t.step IN ('power_on', 'power_off', 'hold')) -- safety: permit: no power for a step of the controller that did not ask for it
          ))
      ))
    RETURNING r.host_id, i.generation, i.effect_id, i.phase, i.hold_ms, i.reset_mark, i.mark_clock, i.held_ms
  )
  -- The column has whole milliseconds: rounded up, a request of no length would be in progress for up to half of one.
  UPDATE effect e SET status = 'permitted', permit_at = clock_timestamp(), held_until = date_trunc('milliseconds', clock_timestamp()) + coalesce(f.held_ms, f.hold_ms) * interval '1 millisecond', result = jsonb_strip_nulls(jsonb_build_object('phase', f.phase, 'resetMark', f.reset_mark, 'markClock', f.mark_clock))
  FROM fence f WHERE e.id = f.effect_id AND e.host_id = f.host_id AND e.generation = f.generation
  RETURNING e.id`,
);

export interface PermitQuestion {
  readonly hostId: string;
  readonly generation: string;
  readonly effectId: string;
  /** Minimum time that the lease must hold from now; longer than the request's own timeout. */
  readonly holdMs: number;
  /** Within this time the request itself ends; omitted: `holdMs`. If its controller dies, the host is kept for so long. */
  readonly heldMs?: number;
  readonly power: boolean;
  readonly phase: string;
  /** The boot that is ordered, for an effect that boots an agent. */
  readonly bootEpoch: number | null;
  /** A reset that an erase goes on over: permitted while a drive may be erasing, if the boot on record is one. */
  readonly resetOnly?: boolean;
  /** The host's reset mark before a requested restart; null: no restart, or no known mark. */
  readonly resetMark: string | null;
  /** When that mark was read. */
  readonly markClock?: MarkClock | null;
}

/**
 * Asks, immediately before requests are sent, which of them are permitted. Each lease must still be ours, and is extended to at least `holdMs`
 * from now. A power action is refused while a drive may be erasing, unless it is a reset that the erase goes on over, or while a step runs, unless the
 * step is the controller's own and asked for this boot, switches the power, or holds the host. A registration never prevents a restart: otherwise a tenant's system that managed to register
 * would keep running (docs/adr/0020-a-boot-is-proven.md). Returns the effects that may be sent.
 * Throws if two questions are about one host: a statement changes a row only once.
 */
export async function permitEffects(
  database: HotDatabase,
  controllerId: string,
  questions: readonly PermitQuestion[],
): Promise<ReadonlySet<string>> {
  if (new Set(questions.map(({ hostId }) => hostId)).size < questions.length)
    throw new Error("two permits of one host in one statement");
  const rows = await permit(
    database,
    controllerId,
    JSON.stringify(
      questions.map((question) => ({
        host_id: question.hostId,
        generation: question.generation,
        effect_id: question.effectId,
        hold_ms: question.holdMs,
        power: question.power,
        phase: question.phase,
        boot_epoch: question.bootEpoch,
        reset_mark: question.resetMark,
        mark_clock: question.markClock ?? null,
        reset_only: question.resetOnly === true,
        held_ms: question.heldMs ?? null,
      })),
    ),
  );
  return new Set(rows.map((row) => row.id));
}

const settle = named<{ host_id: string }, [string, string]>(
  "effect_settle",
  `
  WITH input AS (
    SELECT * FROM ${rowsByKey("i", "host_id uuid, generation text, effect_id uuid, status text, value jsonb, error jsonb, last boolean, quiet_ms float8", "$2")}
  ), fence AS (
    UPDATE host_run r SET
      lease_owner = CASE WHEN i.last THEN NULL ELSE r.lease_owner END,
      lease_until = CASE WHEN i.last THEN NULL ELSE r.lease_until END,
      due_at = least(r.due_at, now() + i.quiet_ms * interval '1 millisecond')
    FROM (SELECT host_id, generation, bool_or(last) AS last, min(quiet_ms) AS quiet_ms FROM input GROUP BY 1, 2 ORDER BY 1, 2 ${byKey}) i
    WHERE r.host_id = i.host_id AND r.generation = i.generation::bigint AND r.lease_owner = $1::uuid
    RETURNING r.host_id, r.generation
  ), opened AS (
    UPDATE boot_window b SET reset_done_at = now()
    FROM input i JOIN fence f ON f.host_id = i.host_id JOIN effect e ON e.id = i.effect_id AND e.generation = f.generation
    WHERE i.status = 'done' AND e.kind = 'bootAgent' AND e.settled_at IS NULL
      AND i.value #>> '{restart,proof}' IS NOT NULL -- safety: settle: only a proven restart opens a boot
      AND b.host_id = i.host_id AND b.boot_epoch = (e.request ->> 'bootEpoch')::int AND b.reset_done_at IS NULL
  )
  UPDATE effect e SET status = i.status, settled_at = clock_timestamp(),
    result = coalesce(e.result, '{}'::jsonb) || CASE WHEN i.error IS NULL THEN jsonb_build_object('value', i.value)
      WHEN i.value IS NULL THEN jsonb_build_object('error', i.error) ELSE jsonb_build_object('value', i.value, 'error', i.error) END
  FROM input i JOIN fence f ON f.host_id = i.host_id
  WHERE e.id = i.effect_id AND e.generation = f.generation AND e.settled_at IS NULL
  RETURNING e.host_id`,
);

export interface Settlement {
  readonly hostId: string;
  readonly generation: string;
  readonly effectId: string;
  readonly status: "done" | "failed" | "unknown";
  readonly value: unknown;
  readonly error: {
    readonly kind: string;
    readonly message: string;
    /** The BMC's answer as standard codes; omitted if there was none. */
    readonly answer?: { readonly http: number; readonly messageIds: readonly string[] };
  } | null;
  /** No other effect of this host is in progress: the lease ends and the handler runs. */
  readonly last: boolean;
  /** The handler runs after this time at the latest. Other events wake the host as usual. */
  readonly quietMs: number;
}

/** Stores the outcomes of effects in one statement. An effect whose lease was lost changes nothing. A proven restart opens its boot window for registration. */
export async function settleEffects(
  database: HotDatabase,
  controllerId: string,
  settlements: readonly Settlement[],
): Promise<number> {
  if (settlements.length === 0) return 0;
  const rows = await settle(
    database,
    controllerId,
    jsonText(
      settlements.map((row) => ({
        host_id: row.hostId,
        generation: row.generation,
        effect_id: row.effectId,
        status: row.status,
        value: row.value ?? null,
        error: row.error,
        last: row.last,
        quiet_ms: row.quietMs,
      })),
    ),
  );
  return rows.length;
}
