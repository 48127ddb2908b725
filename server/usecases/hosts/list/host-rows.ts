// Turns database rows into rows of the hosts list.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { hostStandingSql } from "@/server/db/host-standing";
import { storedStanding } from "@/server/domain/assurance/standing";
import { readCauses } from "@/server/domain/cleaning/failures/cause";
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import { groupOf } from "@/server/domain/cleaning/failures/group";
import { causeBrief } from "@/server/domain/cleaning/failures/text";
import { healthLevels, formatHealth } from "@/server/domain/repair/health/fold";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import { hostGroup } from "@/server/domain/hosts/host-groups";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { isFailed, isState, storedState } from "@/server/domain/lifecycle/states";
import type { HostRow } from "@/server/contract/hosts/hosts-answers";
import { filterFrom, overdue } from "@/server/usecases/hosts/list/host-filter-sql";

export interface HostRowRecord {
  readonly host_id: string;
  readonly name: string;
  readonly state: string;
  readonly state_version: bigint;
  readonly standing: string;
  readonly state_since: Date;
  readonly limit_at: Date | null;
  readonly limit_passed: boolean;
  readonly overdue: boolean;
  readonly wait_reason: string | null;
  readonly last_error: string | null;
  /** Why a failed host stopped, as stored. */
  readonly trouble: unknown;
  readonly serial: string | null;
  readonly model: string | null;
  readonly clean_step: string | null;
  readonly clean_percent: number | null;
  readonly clean_message: string | null;
  readonly maintenance: boolean;
  readonly allocatable: boolean;
  readonly tenant_name: string | null;
  readonly hardware_type: string;
  readonly site: string;
  readonly rack: string | null;
  readonly slot: string | null;
  readonly sku: string | null;
  readonly last_ready_at: Date | null;
  /** Null if no source reports. */
  readonly health_level: string | null;
  readonly alerts: number | null;
  readonly first_alert: string | null;
  readonly replaced: boolean;
}

/** When the host last became Ready, from the newest reclamation with that outcome. Read per host, by index. */
export const lastReady = sql`(SELECT e.ended_at FROM reclamation e WHERE e.host_id = r.host_id AND e.outcome = 'ready' ORDER BY e.started_at DESC, e.number DESC LIMIT 1)`;

/** Why a failed host stopped. */
export const troubleOfFailed = sql`CASE WHEN r.state LIKE 'Failed/%' THEN r.context->'trouble' END`;

/** From `host_health e` and `host_run r`: when nobody reports on a host any more, its row remains but means nothing. */
export const healthColumns = sql`CASE WHEN r.health IS NOT NULL THEN e.level END AS health_level, e.alerts, e.first_alert, e.replaced_by IS NOT NULL AS replaced`;

/** Words and tone of a host's health, from those columns. */
export const healthMarkOf = (
  row: Pick<HostRowRecord, "health_level" | "alerts" | "first_alert" | "replaced" | "maintenance">,
): HostRow["health"] =>
  formatHealth({
    maintenance: row.maintenance,
    health:
      row.health_level === null
        ? null
        : {
            level: healthLevels.find((level) => level === row.health_level) ?? "healthy",
            alerts: row.alerts ?? 0,
            firstAlert: row.first_alert,
            replaced: row.replaced,
          },
  });

/** All columns for the rows whose ids `page` selects. */
export const selectRows = (page: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  WITH page AS (${page})
  SELECT r.host_id::text, r.name, r.state, r.state_version, r.state_since, r.limit_at, coalesce(r.limit_at < now(), false) AS limit_passed, ${overdue} AS overdue, r.wait_reason, r.last_error,
    ${troubleOfFailed} AS trouble, h.serial, h.model,
    r.clean_step, r.clean_percent, r.clean_message, r.maintenance, r.allocatable, t.name AS tenant_name, h.hardware_type, s.name AS site, h.rack, h.slot, k.name AS sku,
    ${sql.raw(hostStandingSql)} AS standing, ${lastReady} AS last_ready_at, ${healthColumns}
  FROM page JOIN (${filterFrom}) ON r.host_id = page.host_id
  ORDER BY ${order}`;

const firstLine = (text: string | null): string | null => text?.split("\n", 1)[0] ?? null;

/** The host's group of failures: the same cause at the same model. */
function failureOf(
  { last_error: message, name, serial, model }: HostRowRecord,
  causes: Causes | null,
): HostRow["failure"] {
  const { words, model: failed } = groupOf({
    causes,
    message: message ?? "",
    names: serial === null ? [name] : [name, serial],
    hostModel: model ?? "unknown model",
  });
  return { words, model: failed };
}

export function toHostRow(row: HostRowRecord): HostRow {
  const state = storedState(row.state);
  const { tone } = describeState(state);
  const atRest = tone === "neutral";
  const causes = isFailed(state) ? readCauses(row.trouble) : null;
  const detail = isFailed(state)
    ? firstLine(row.last_error)
    : (firstLine(row.clean_message) ?? (atRest ? firstLine(row.last_error) : row.wait_reason));
  return {
    hostId: row.host_id,
    name: row.name,
    state,
    tone,
    standing: storedStanding(row.standing) ?? "notProven",
    live: tone === "working",
    stateSince: row.state_since,
    limitMs: row.limit_at === null ? null : Math.max(0, row.limit_at.getTime() - row.state_since.getTime()),
    overLimit: hostGroup(state, row.limit_passed) === "overLimit",
    overdue: row.overdue,
    detail,
    brief: causes === null ? detail : causeBrief(causes),
    failure: isFailed(state) ? failureOf(row, causes) : null,
    step: row.clean_step,
    percent: row.clean_percent,
    health: healthMarkOf(row),
    tenantName: row.tenant_name,
    fake: isFake({ hardwareType: row.hardware_type }),
    site: row.site,
    rack: row.rack,
    slot: row.slot,
    sku: row.sku,
    lastReadyAt: row.last_ready_at,
    allocatable: row.allocatable && isState(state),
    stateVersion: String(row.state_version),
  };
}
