// Leases due hosts and returns everything that their handlers see, in one statement (docs/design/datapath.md#claim).
import { z } from "zod";
import { addressIsHeard, clockIsHeard } from "@/server/db/hot/fleet/listening";
import { claimedView } from "@/server/db/hot/host/claimed-view";
import { ms } from "@/server/db/hot/host/columns";
import { knownPolicyKeys } from "@/server/db/hot/host/policy-cache";
import { viewsOfLeasedHosts } from "@/server/db/hot/host/view-query";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";
import type { HostView } from "@/server/domain/hosts/record/view";
import { allStates } from "@/server/domain/lifecycle/states";

/** Hosts that this version may act on: in a state that it knows, and not one of those whose records it could not read. */
const understood = (except: string): string =>
  `state IN (${allStates()
    .map((name) => `'${name}'`)
    .join(", ")}) AND host_id <> ALL(${except}::uuid[])`;

/*
 * A row lock reads the newest version of a row, but everything else in the statement reads its snapshot. A signal that is
 * stored between the two would raise the `wake_seq` that we see without being among the signals that we see, and be lost.
 * So `seen` takes the counters from the snapshot, and a host that another controller worked on in between is left for the next claim.
 */
const statement = named<
  { view: unknown; late_ms: number },
  [string, number, number, readonly string[], readonly string[]]
>(
  "claim_hosts",
  `
  WITH due AS (
    SELECT host_id, due_at, generation FROM host_run
    WHERE due_at <= now()
      AND (lease_owner IS NULL OR lease_until < now()) -- safety: claim: not what another controller has leased
      AND ${understood("$5")}
      AND ( -- safety: gap: nobody is judged before it is moved
        ${clockIsHeard}
      )
      AND ( -- safety: gap: nor while the address of its agent is away
        ${addressIsHeard("host_run")}
      )
      AND database_is_current() -- safety: restore: no host is decided on
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ), seen AS (
    SELECT seen.host_id, due.due_at, seen.wake_seq, seen.evidence_seq FROM due JOIN host_run seen ON seen.host_id = due.host_id
      AND seen.generation = due.generation -- safety: claim: of the generation that was seen
  ), r AS (
    UPDATE host_run u SET lease_owner = $1::uuid, lease_until = clock_timestamp() + $3 * interval '1 millisecond', generation = u.generation + 1
    FROM seen WHERE u.host_id = seen.host_id
    RETURNING u.*, seen.due_at AS woken_at, seen.wake_seq AS seen_wake_seq, seen.evidence_seq AS seen_evidence_seq
  )
  ${viewsOfLeasedHosts}`,
);

export type Claim =
  | { readonly ok: true; readonly lateMs: number; readonly view: HostView }
  /** A row that this version does not understand: the host stays where it is, with this message. */
  | { readonly ok: false; readonly hostId: string; readonly generation: string; readonly message: string };

const fenceOf = z.object({ run: z.object({ hostId: z.string(), generation: z.string() }) });

/** Leases up to `most` due hosts for `leaseMs` under `controllerId`, except those in `except`. Each gets a new generation. */
export async function claimHosts(
  database: HotDatabase,
  controllerId: string,
  most: number,
  leaseMs: number,
  except: readonly string[] = [],
): Promise<readonly Claim[]> {
  const rows = await statement(database, controllerId, most, leaseMs, knownPolicyKeys(), except);
  return rows.map((row): Claim => {
    const parsed = claimedView.safeParse(row.view);
    if (parsed.success) return { ok: true, lateMs: row.late_ms, view: parsed.data };
    const fence = fenceOf.parse(row.view);
    return {
      ok: false,
      hostId: fence.run.hostId,
      generation: fence.run.generation,
      message: z.prettifyError(parsed.error),
    };
  });
}

const next = named<{ in_ms: number | null }, [readonly string[]]>(
  "next_due",
  `
  SELECT greatest(0, ${ms("due_at")} - ${ms("now()")})::float8 AS in_ms FROM host_run
  WHERE due_at IS NOT NULL AND (lease_owner IS NULL OR lease_until < now()) AND ${understood("$1")} AND ${clockIsHeard} AND ${addressIsHeard("host_run")} AND database_is_current()
  ORDER BY due_at LIMIT 1`,
);

/** In how many ms the next unleased host is due, ignoring `except`; null: none. */
export async function nextDueInMs(
  database: HotDatabase,
  except: readonly string[] = [],
): Promise<number | null> {
  return (await next(database, except))[0]?.in_ms ?? null;
}
