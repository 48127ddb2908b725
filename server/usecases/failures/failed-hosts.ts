// The failed hosts, by what their messages have in common.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { failurePattern, patternDigest } from "@/server/domain/hosts/failure-pattern";
import { causeOf, isState } from "@/server/domain/lifecycle/states";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import type { Reader } from "@/server/db/prisma";

/** What is read of a message: the rest repeats per device. */
const messageLimit = 2_000;

export interface FailedHost {
  readonly hostId: string;
  readonly name: string;
  readonly cause: FailureCause;
  readonly at: Date;
  readonly message: string;
  readonly model: string;
  readonly sku: string | null;
  readonly site: string;
}

interface FailedRow {
  readonly host_id: string;
  readonly name: string;
  readonly state: string;
  readonly state_since: Date;
  readonly message: string | null;
  readonly serial: string | null;
  readonly model: string | null;
  readonly sku: string | null;
  readonly site: string;
}

export interface FailedGroup {
  readonly digest: string;
  readonly pattern: string;
  /** The one that failed last comes first; never empty. */
  readonly hosts: readonly [FailedHost, ...FailedHost[]];
}

/** Throws on a state that this version does not know. */
export async function readFailedGroups(reader: Reader): Promise<readonly FailedGroup[]> {
  const rows = await queryRows(
    reader,
    sql<FailedRow>`
    SELECT r.host_id::text, r.name, r.state, r.state_since, left(r.last_error, ${messageLimit}) AS message, h.serial, h.model, k.name AS sku, s.name AS site
    FROM host_run r JOIN host h ON h.id = r.host_id JOIN site s ON s.id = r.site_id LEFT JOIN sku k ON k.id = h.sku_id
    WHERE r.state LIKE 'Failed/%' ORDER BY r.state_since DESC, r.host_id`,
  );
  const groups = new Map<string, [FailedHost, ...FailedHost[]]>();
  for (const row of rows) {
    const cause = isState(row.state) ? causeOf(row.state) : null;
    if (cause === null) throw new Error(`host ${row.host_id} is in the unknown state ${row.state}`);
    const message = row.message ?? cause;
    const host: FailedHost = {
      hostId: row.host_id,
      name: row.name,
      cause,
      at: row.state_since,
      message,
      model: row.model ?? "unknown model",
      sku: row.sku,
      site: row.site,
    };
    const pattern = failurePattern(message, [row.name, ...(row.serial === null ? [] : [row.serial])]);
    const known = groups.get(pattern);
    if (known === undefined) groups.set(pattern, [host]);
    else known.push(host);
  }
  return [...groups].map(([pattern, hosts]) => ({ digest: patternDigest(pattern), pattern, hosts }));
}
