// The hosts that have waited longest for a person or for something external: what each waits for, and what to check.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { readCauses } from "@/server/domain/cleaning/failures/cause";
import { causeBrief, checkNext } from "@/server/domain/cleaning/failures/text";
import { hostSets, statesOfGroup } from "@/server/domain/hosts/host-groups";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { isFailed, storedState } from "@/server/domain/lifecycle/states";
import type { UnknownState } from "@/server/domain/lifecycle/states";
import { ofHosts } from "@/server/usecases/fleet/fleet-scope";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import type { Database } from "@/server/db/prisma";
import type { WaitingHost } from "@/server/contract/fleet/fleet-answers";

const shown = 10;
/** They wait regardless of their limit. */
const waiting = [...hostSets.failed.groups, ...hostSets.waiting.groups];
/** They wait only once they exceed their limit. */
const limited = [...hostSets.working.groups, ...hostSets.inUse.groups, ...hostSets.provider.groups];

/** Matches them on the hosts page. */
export const waitingFilter = "is:failed,waiting,overLimit";

export async function readWaitingLongest(
  database: Database,
  scope: FleetScope,
  others: readonly UnknownState[],
): Promise<readonly WaitingHost[]> {
  const statesOf = (groups: typeof waiting | typeof limited) =>
    groups.flatMap((group) => statesOfGroup(group, others));
  const rows = await queryRows(
    database,
    sql<{
      host_id: string;
      name: string;
      state: string;
      state_since: Date;
      wait_reason: string | null;
      last_error: string | null;
      trouble: unknown;
    }>`
    SELECT host_id::text, name, state, state_since, wait_reason, last_error,
      CASE WHEN state LIKE 'Failed/%' THEN context->'trouble' END AS trouble FROM host_run r
    WHERE (state = ANY(${statesOf(waiting)}) OR (state = ANY(${statesOf(limited)}) AND limit_at < now())) AND ${ofHosts(scope)}
    ORDER BY state_since, host_id LIMIT ${shown}`,
  );
  return rows.map(({ host_id, name, state_since, wait_reason, last_error, trouble, ...row }) => {
    const state = storedState(row.state);
    const words = describeState(state);
    const causes = readCauses(trouble);
    const says = (isFailed(state) ? last_error : wait_reason) ?? words.waitsFor;
    return {
      hostId: host_id,
      name,
      state,
      tone: words.tone,
      since: state_since,
      says: causes === null ? says.split("\n", 1).join("") : causeBrief(causes),
      checkNext: causes === null || causes[0].key === "other" ? words.checkNext : checkNext(causes, state),
    };
  });
}
