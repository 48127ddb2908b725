// Reads what was tried about a failed host: stops by drive, open tickets, replaced drives and requested exceptions (docs/next.md#advice).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import { checkOf, replaceAfter } from "@/server/domain/cleaning/failures/text";
import { replacement } from "@/server/domain/hosts/advice/replace-drive";
import { nothingTried } from "@/server/domain/hosts/advice/tried";
import type { Tried, TriedDrive } from "@/server/domain/hosts/advice/tried";
import { isFailed } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import type { Unaccounted } from "@/server/usecases/hosts/one/read-unaccounted";

/** When host `h` was last Ready, for the alias of its row. */
const sinceReady = sql`coalesce((SELECT max(c.ended_at) FROM reclamation c WHERE c.host_id = f.host_id AND c.outcome = 'ready'), '-infinity')`;

/**
 * How often the drive with this serial number stopped the host of the failed state `f` since the host was last Ready. An expression on an alias
 * `f` with `host_id`; a host whose causes are text only is not counted.
 */
export const stopsOf = (serial: ReturnType<typeof sql>) => sql<number>`(
  SELECT count(*)::int FROM state_history y WHERE y.host_id = f.host_id AND y.state LIKE 'Failed/%' AND y.at > ${sinceReady}
    AND y.causes @> jsonb_build_array(jsonb_build_object('device', jsonb_build_object('kind', 'drive', 'serial', ${serial}))))`;

/** Reference of the newest open ticket of the host that asks for the replacement of the drive with this serial number. On the same alias. */
export const ticketOf = (serial: ReturnType<typeof sql>) => sql<string | null>`(
  SELECT t.ref FROM ticket t WHERE t.host_id = f.host_id AND t.state NOT IN ('repaired', 'closed') AND t.category = ${replacement.category} AND starts_with(t.summary, ${replacement.summary})
    AND t.parts @> jsonb_build_array(jsonb_build_object('kind', 'drive', 'serial', ${serial})) ORDER BY t.opened_at DESC, t.id DESC LIMIT 1)`;

interface Row {
  readonly drives: readonly {
    readonly serial: string;
    readonly stops: number;
    readonly ticket: string | null;
  }[];
  readonly exceptions: readonly {
    readonly gate: string;
    readonly drive: string | null;
    readonly approvedBy: string | null;
    readonly validUntil: string;
  }[];
}

interface Stopped {
  readonly hostId: string;
  readonly state: StoredState;
  readonly since: Date;
  /** Null: none is known. */
  readonly causes: Causes | null;
  readonly unaccounted: Pick<Unaccounted, "drives" | "contradictions"> | null;
  /** The current or last reclamation. */
  readonly latest: { readonly id: string } | null;
}

type Named = Pick<TriedDrive, "serial" | "slot" | "model" | "firmware" | "replaceAfter" | "check">;

/** The drives among the causes, in their order, as the causes name them. Of several causes of a drive, the one that calls for another drive first counts. */
function drivesOf(causes: Causes | null, state: StoredState): readonly Named[] {
  const found = new Map<string, Named>();
  for (const cause of causes ?? []) {
    const { device } = cause;
    if (device?.kind !== "drive" || device.serial === undefined) continue;
    const after = replaceAfter(cause.key);
    const known = found.get(device.serial);
    if (known === undefined || (after ?? Infinity) < (known.replaceAfter ?? Infinity))
      found.set(device.serial, {
        serial: device.serial,
        slot: device.slot ?? null,
        model: device.model ?? "",
        firmware: device.firmware ?? "",
        replaceAfter: after,
        check: checkOf(cause, state),
      });
  }
  return [...found.values()];
}

/** Requested since the host stopped; of a Ready host, approved in the reclamation that made it Ready. */
const concerns = ({ state, since, latest }: Stopped) =>
  state === "Ready"
    ? sql`a.decision = 'approved' AND x.reclamation_id = ${latest?.id ?? null}::uuid`
    : sql`a.asked_at >= ${since}`;

/** One statement; none for a host that is neither failed nor Ready. */
export async function readTried(reader: SqlReader, stopped: Stopped): Promise<Tried> {
  const { hostId, state, causes, unaccounted } = stopped;
  if (!isFailed(state) && state !== "Ready") return nothingTried;
  const drives = drivesOf(isFailed(state) ? causes : null, state);
  const serials = drives.map(({ serial }) => serial);
  const [row] = await queryRows(
    reader,
    sql<Row>`
    SELECT coalesce((SELECT json_agg(json_build_object('serial', d.serial, 'stops', ${stopsOf(sql`d.serial`)}, 'ticket', ${ticketOf(sql`d.serial`)}))
        FROM unnest(${serials}::text[]) d(serial)), '[]') AS drives,
      coalesce((SELECT json_agg(json_build_object('gate', x.gate, 'drive', x.drive_serial, 'approvedBy', CASE WHEN a.decision = 'approved' THEN a.decided_by_name END, 'validUntil', a.valid_until)
          ORDER BY a.asked_at DESC, a.id DESC)
        FROM gate_exception x JOIN approval a ON a.id = x.approval_id
        WHERE x.host_id = f.host_id AND ${concerns(stopped)} AND a.voided_at IS NULL AND a.valid_until > now() AND a.decision IS DISTINCT FROM 'rejected'), '[]') AS exceptions
    FROM (SELECT ${hostId}::uuid AS host_id) f`,
  );
  return row === undefined ? nothingTried : triedOf(row, drives, unaccounted);
}

function triedOf(row: Row, drives: readonly Named[], unaccounted: Stopped["unaccounted"]): Tried {
  return {
    drives: drives.map((drive): TriedDrive => {
      const told = row.drives.find(({ serial }) => serial === drive.serial);
      const known = unaccounted?.drives.find(({ key }) => key === drive.serial);
      return {
        ...drive,
        slot: drive.slot ?? known?.slot ?? null,
        stops: told?.stops ?? 0,
        ticket: told?.ticket ?? null,
        gone: known !== undefined && known.refusal === null && !known.listedByBmc,
        successor: known?.successor ?? null,
        signature: known?.disposition?.signature ?? null,
        contradiction: unaccounted?.contradictions.get(drive.serial) ?? null,
      };
    }),
    exceptions: row.exceptions.map((each) => ({ ...each, validUntil: new Date(each.validUntil) })),
  };
}
