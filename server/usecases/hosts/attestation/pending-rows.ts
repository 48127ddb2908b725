// Measurements that no bundle expects: one row for all hosts of one hardware that have them.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { PcrValues } from "@/server/domain/attestation/measurement";

/** More distinct measurements than anybody reads. */
const rowsShown = 200;

export interface PendingRow {
  readonly site: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly values: PcrValues;
  readonly hosts: number;
  /** Of these, hosts of a site that requires attestation. */
  readonly held: number;
  /** One of them. */
  readonly hostId: string;
  readonly hostName: string;
  readonly since: Date;
}

/** Those that `where` selects of `host_measurement m`, its `host h` and `site s`; the ones with the most hosts first. */
export const readPending = (reader: SqlReader, where: RawBuilder<unknown>): Promise<readonly PendingRow[]> =>
  queryRows(
    reader,
    sql<PendingRow>`
    SELECT s.name AS site, coalesce(h.manufacturer, '') AS manufacturer, coalesce(h.model, '') AS model, m.pcrs AS values, count(*)::int AS hosts,
      (count(*) FILTER (WHERE y.body ->> 'attestation' = 'required'))::int AS held,
      min(h.id::text) AS "hostId", (array_agg(h.name ORDER BY h.id::text))[1] AS "hostName", min(m.measured_at) AS since
    FROM host_measurement m JOIN host h ON h.id = m.host_id JOIN site s ON s.id = h.site_id
      JOIN site_policy y ON y.site_id = s.id AND y.version = s.policy_version
    WHERE m.state = 'PendingBundle' AND ${where} GROUP BY 1, 2, 3, 4 ORDER BY hosts DESC, since LIMIT ${rowsShown}`,
  );
