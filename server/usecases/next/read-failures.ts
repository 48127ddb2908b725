// Failed hosts by cause, counted by the database: one row for each cause, whatever the number of hosts (docs/cleaning.md#groups-of-failures).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Reader } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { causeKeys, readCauses } from "@/server/domain/cleaning/failures/cause";
import { groupOf } from "@/server/domain/cleaning/failures/group";
import { storedState } from "@/server/domain/lifecycle/states";
import type { FailureFact } from "@/server/domain/next/host-lines";
import { readAdvice } from "@/server/usecases/hosts/one/read-advice";
import { stopsOf, ticketOf } from "@/server/usecases/hosts/one/read-tried";

/** How much of a message is read: the rest repeats for each device. */
const messageLimit = 2_000;

interface Row {
  readonly hosts: number;
  readonly tenants: readonly string[];
  readonly since: Date;
  readonly last: Date;
  readonly host: string;
  /** Hosts that the same drive stopped again, without and with an open ticket for its replacement. */
  readonly again: number;
  readonly ticketed: number;
  readonly racks: readonly (string | null)[];
  readonly state: string;
  readonly causes: unknown;
  readonly message: string | null;
  /** Of the newest host. */
  readonly hostId: string;
  readonly name: string;
  readonly serial: string | null;
  readonly model: string | null;
}

/** An instance `i` on a host `r` whose tenant waits for the host. */
export const waitingInstance = sql`instance i ON i.host_id = r.host_id AND i.ended_at IS NULL AND i.release_requested_at IS NULL`;

/** What a host failed for can be compared by the database only if this release knows the cause; other failures are compared by their texts. */
const compared = causeKeys.filter((key) => key !== "other");

const rowsOf = (site: RawBuilder<unknown>) => sql<Row>`
  WITH failed AS MATERIALIZED (
    SELECT r.host_id, r.name, r.state, r.state_version, r.state_since, r.last_error, h.rack, h.serial, h.model, i.tenant_id, y.causes -> 0 AS cause,
      coalesce(y.causes -> 0 ->> 'key' = ANY(${compared}), false) AS known,
      CASE WHEN y.causes -> 0 -> 'device' ->> 'kind' = 'drive' THEN y.causes -> 0 -> 'device' ->> 'serial' END AS drive
    FROM host_run r JOIN host h ON h.id = r.host_id LEFT JOIN state_history y ON y.host_id = r.host_id AND y.version = r.state_version LEFT JOIN ${waitingInstance}
    WHERE r.state LIKE 'Failed/%' AND ${site}
  ), counted AS MATERIALIZED (
    SELECT f.*, CASE WHEN f.drive IS NULL THEN 0 ELSE ${stopsOf(sql`f.drive`)} END AS stops, f.drive IS NOT NULL AND ${ticketOf(sql`f.drive`)} IS NOT NULL AS ticketed
    FROM failed f
  ), grouped AS (
    SELECT count(*)::int AS hosts, array_remove(array_agg(DISTINCT tenant_id::text), NULL) AS tenants, min(state_since) AS since, max(state_since) AS last,
      (array_agg(name ORDER BY state_since, host_id))[1] AS host, (array_agg(DISTINCT rack))[1:3] AS racks,
      (array_agg(host_id ORDER BY state_since DESC, host_id))[1] AS newest, count(*) FILTER (WHERE stops > 1 AND NOT ticketed)::int AS again,
      count(*) FILTER (WHERE ticketed)::int AS ticketed
    FROM counted
    GROUP BY CASE WHEN known THEN jsonb_build_array(cause -> 'key', cause -> 'technique', cause -> 'step', cause -> 'status', coalesce(cause -> 'device' ->> 'model', model))
      ELSE to_jsonb(host_id) END
  )
  SELECT g.hosts, g.tenants, g.since, g.last, g.host, g.racks, g.again, g.ticketed, f.state, y.causes, left(f.last_error, ${messageLimit}) AS message, f.host_id::text AS "hostId", f.name, f.serial, f.model
  FROM grouped g JOIN counted f ON f.host_id = g.newest LEFT JOIN state_history y ON y.host_id = f.host_id AND y.version = f.state_version
  ORDER BY g.last DESC, g.newest`;

interface ReadFact extends FailureFact {
  readonly tenantIds: readonly string[];
  /** Of the newest host. */
  readonly hostId: string;
}

function factOf(row: Row): ReadFact {
  const state = storedState(row.state);
  return {
    hosts: row.hosts,
    tenants: row.tenants.length,
    tenantIds: row.tenants,
    since: row.since,
    host: row.host,
    again: row.again,
    ticketed: row.ticketed,
    hostId: row.hostId,
    advice: null,
    racks: row.racks.map((rack) => rack ?? ""),
    state,
    causes: readCauses(row.causes),
    message: row.message ?? state.slice("Failed/".length),
    names: [row.name, ...(row.serial === null ? [] : [row.serial])],
    hostModel: row.model ?? "unknown model",
  };
}

/** Groups of a single host whose own advice is read, the newest first. A site where many hosts fail for reasons of their own must not wait for all of them. */
const advisedAtMost = 20;

/** One statement, and three for each of the newest groups of a single host, one after the other. @param site condition on `host_run r` */
export async function readFailureFacts(
  reader: Reader,
  site: RawBuilder<unknown>,
): Promise<readonly FailureFact[]> {
  const rows = await queryRows(reader, rowsOf(site));
  const groups = new Map<string, ReadFact>();
  for (const row of rows) {
    const fact = factOf(row);
    const { key } = groupOf(fact);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, fact);
    else groups.set(key, merged(known, fact));
  }
  const facts: FailureFact[] = [];
  let advised = 0;
  for (const fact of groups.values()) {
    const isAdvised = fact.hosts === 1 && advised < advisedAtMost;
    if (isAdvised) advised += 1;
    facts.push({ ...fact, advice: isAdvised ? await readAdvice(reader, fact.hostId, fact) : null });
  }
  return facts;
}

/** The first is the newer one, whose words stay. */
function merged(newer: ReadFact, older: ReadFact): ReadFact {
  const tenantIds = [...new Set([...newer.tenantIds, ...older.tenantIds])];
  const first = older.since < newer.since ? older : newer;
  return {
    ...newer,
    hosts: newer.hosts + older.hosts,
    again: newer.again + older.again,
    ticketed: newer.ticketed + older.ticketed,
    tenantIds,
    tenants: tenantIds.length,
    since: first.since,
    host: first.host,
    racks: [...new Set([...newer.racks, ...older.racks])],
  };
}
