// The failed hosts, by cause and device model.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { readCauses } from "@/server/domain/cleaning/failures/cause";
import { groupOf } from "@/server/domain/cleaning/failures/group";
import { causeBrief, checkNext } from "@/server/domain/cleaning/failures/text";
import { patternDigest } from "@/server/domain/hosts/failure-pattern";
import { storedState } from "@/server/domain/lifecycle/states";
import type { Reader } from "@/server/db/prisma";

/** How much of a message is read: the rest repeats for each device. */
const messageLimit = 2_000;

export interface FailedHost {
  readonly hostId: string;
  readonly name: string;
  /** From its state; may be one of another release. */
  readonly cause: string;
  readonly at: Date;
  readonly message: string;
  /** Shortened for a list. */
  readonly brief: string;
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
  readonly causes: unknown;
}

export interface FailedGroup {
  readonly digest: string;
  /** The cause in words; for failures that have only text, the common part of their texts. */
  readonly pattern: string;
  /** Model of the failed device, or of the host. */
  readonly model: string;
  /** What to check next, from the newest failure; null if it has only text. */
  readonly checkNext: string | null;
  /** Most recent failure first; never empty. */
  readonly hosts: readonly [FailedHost, ...FailedHost[]];
}

export async function readFailedGroups(reader: Reader): Promise<readonly FailedGroup[]> {
  const rows = await queryRows(
    reader,
    sql<FailedRow>`
    SELECT r.host_id::text, r.name, r.state, r.state_since, left(r.last_error, ${messageLimit}) AS message, h.serial, h.model, k.name AS sku, s.name AS site, y.causes
    FROM host_run r LEFT JOIN state_history y ON y.host_id = r.host_id AND y.version = r.state_version JOIN host h ON h.id = r.host_id JOIN site s ON s.id = r.site_id LEFT JOIN sku k ON k.id = h.sku_id
    WHERE r.state LIKE 'Failed/%' ORDER BY r.state_since DESC, r.host_id`,
  );
  const groups = new Map<string, FailedGroup & { readonly hosts: [FailedHost, ...FailedHost[]] }>();
  for (const row of rows) {
    const state = storedState(row.state);
    const cause = state.slice("Failed/".length);
    const message = row.message ?? cause;
    const causes = readCauses(row.causes);
    const host: FailedHost = {
      hostId: row.host_id,
      name: row.name,
      cause,
      at: row.state_since,
      message,
      brief: causes === null ? message.split("\n", 1).join("") : causeBrief(causes),
      model: row.model ?? "unknown model",
      sku: row.sku,
      site: row.site,
    };
    const names = [row.name, ...(row.serial === null ? [] : [row.serial])];
    const { key, words, model } = groupOf({ causes, message, names, hostModel: host.model });
    const known = groups.get(key);
    if (known !== undefined) known.hosts.push(host);
    else
      groups.set(key, {
        digest: patternDigest(key),
        pattern: words,
        model,
        checkNext: causes === null || causes[0].key === "other" ? null : checkNext(causes, state),
        hosts: [host],
      });
  }
  return [...groups.values()];
}
