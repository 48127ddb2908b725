// The hosts that have waited longest for a person or for something outside: what each waits for, and what to check.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { hostSets, statesOfGroup } from "@/server/domain/hosts/host-groups";
import { stateTable } from "@/server/domain/lifecycle/state-table";
import { isFailed, isState } from "@/server/domain/lifecycle/states";
import type { Database } from "@/server/db/prisma";
import type { WaitingHost } from "@/server/contract/answers/fleet";

const shown = 10;
const waiting = [...hostSets.failed.groups, ...hostSets.waiting.groups].flatMap((group) =>
  statesOfGroup(group),
);
const others = [...hostSets.working.groups, ...hostSets.inUse.groups, ...hostSets.provider.groups].flatMap(
  (group) => statesOfGroup(group),
);

/** What finds them on the hosts page. */
export const waitingFilter = "is:failed,waiting,overLimit";

export async function readWaitingLongest(database: Database): Promise<readonly WaitingHost[]> {
  const rows = await queryRows(
    database,
    sql<{
      host_id: string;
      name: string;
      state: string;
      state_since: Date;
      wait_reason: string | null;
      last_error: string | null;
    }>`
    SELECT host_id::text, name, state, state_since, wait_reason, last_error FROM host_run
    WHERE state = ANY(${waiting}) OR (state = ANY(${others}) AND limit_at < now())
    ORDER BY state_since, host_id LIMIT ${shown}`,
  );
  return rows.flatMap(({ host_id, name, state, state_since, wait_reason, last_error }) => {
    if (!isState(state)) return [];
    const words = stateTable[state];
    const says = (isFailed(state) ? last_error : wait_reason) ?? words.waitsFor;
    return [
      {
        hostId: host_id,
        name,
        state,
        tone: words.tone,
        since: state_since,
        says: says.split("\n", 1).join(""),
        checkNext: words.checkNext,
      },
    ];
  });
}
