// States of another release in which hosts are now (docs/adr/0024-rolling-upgrade.md).
import { sql } from "kysely";
import type { Reader } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { allStates, isState, storedState } from "@/server/domain/lifecycle/states";
import type { UnknownState } from "@/server/domain/lifecycle/states";

const known = allStates();

/** Skips through the index from one pair of site and state to the next, so it reads as many rows as there are pairs, not hosts. */
export async function readOtherStates(reader: Reader): Promise<readonly UnknownState[]> {
  const rows = await queryRows(
    reader,
    sql<{ state: string }>`
    WITH RECURSIVE pair AS (
      (SELECT site_id, state FROM host_run ORDER BY site_id, state LIMIT 1)
      UNION ALL
      SELECT n.site_id, n.state FROM pair p CROSS JOIN LATERAL (
        SELECT r.site_id, r.state FROM host_run r WHERE (r.site_id, r.state) > (p.site_id, p.state) ORDER BY r.site_id, r.state LIMIT 1) n
    ) SELECT DISTINCT state FROM pair WHERE state <> ALL(${known}) ORDER BY state`,
  );
  return rows.flatMap(({ state: text }) => {
    const state = storedState(text);
    return isState(state) ? [] : [state];
  });
}
