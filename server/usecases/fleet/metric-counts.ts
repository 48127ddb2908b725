// Counts of the fleet for the metrics (docs/operations.md#monitoring).
import { readLastCheck, readLogStart } from "@/server/db/audit-log/check-rows";
import {
  countAlerted,
  countBrakes,
  countDue,
  countFirmwareUpdates,
  countGates,
  countSecurityEvents,
  countStandings,
  countUse,
  countHosts,
  countLeased,
  countMeasured,
  countOverdue,
} from "@/server/db/hot/fleet/metrics-read";
import {
  securityEventKinds,
  securityEventNames,
  type SecurityEventKind,
  type Severity,
} from "@/server/domain/access/security-events/kinds";
import { readLogLag, type LogLag } from "@/server/db/audit-log/log-lag";
import { sqlOn } from "@/server/db/sql";
import type { HotPool } from "@/server/usecases/backend";

export interface MetricCounts {
  readonly hosts: readonly {
    readonly site: string;
    readonly state: string;
    readonly hosts: number;
    /** How many of them have exceeded the limit of their state. */
    readonly above: number;
  }[];
  /** By what is proven of them, and whether they are Ready. */
  readonly standings: readonly {
    readonly site: string;
    readonly standing: string;
    readonly ready: boolean;
    readonly hosts: number;
  }[];
  readonly gates: readonly { readonly gate: string; readonly reclamations: number }[];
  /** Hosts with an alert that keeps them out of allocation. */
  readonly alerted: readonly { readonly site: string; readonly hosts: number }[];
  /** Hosts that repair systems have. */
  readonly leased: readonly { readonly site: string; readonly hosts: number; readonly overdue: number }[];
  /** Those that nobody has acknowledged; each kind, so that an alert ends. */
  readonly securityEvents: readonly {
    readonly kind: SecurityEventKind;
    readonly severity: Severity;
    readonly events: number;
  }[];
  readonly overdue: readonly { readonly site: string; readonly hosts: number }[];
  /** Brakes that are on, and those that ask a person first. */
  readonly brakes: readonly { readonly site: string; readonly on: number; readonly asking: number }[];
  /** The last self-audit: faults of the log, and how many of all faults nobody has acknowledged. */
  readonly checked: { readonly at: Date; readonly logFaults: number; readonly open: number } | null;
  /** When it ended; the beginning of the log if there was none yet; null if there is no log. */
  readonly checkedAt: Date | null;
  /** How far the audit log is behind. */
  readonly logLag: LogLag;
  readonly due: { readonly hosts: number; readonly lagSeconds: number };
  /** Hosts of open firmware rollouts, by what they wait for. Of DPUs nothing is reported. */
  readonly firmware: readonly {
    readonly site: string;
    readonly pending: number;
    readonly running: number;
    readonly failed: number;
  }[];
  /** Hosts of sites that observe or require attestation, by how their newest boot was measured. */
  readonly measured: readonly { readonly site: string; readonly state: string; readonly hosts: number }[];
  /** Hosts and GPUs that can be given to a tenant at once, and those that tenants have. `untold`: hosts whose agent does not tell its GPUs. */
  readonly use: readonly {
    readonly site: string;
    readonly hosts: { readonly usable: number; readonly used: number; readonly untold: number };
    readonly gpus: { readonly total: number; readonly usable: number; readonly used: number };
  }[];
}

export async function readMetricCounts(pool: HotPool): Promise<MetricCounts> {
  const [
    hosts,
    standings,
    [due],
    gates,
    overdue,
    alerted,
    leased,
    brakes,
    checked,
    logLag,
    security,
    use,
    firmware,
    measured,
  ] = await Promise.all([
    countHosts(pool),
    countStandings(pool),
    countDue(pool),
    countGates(pool),
    countOverdue(pool),
    countAlerted(pool),
    countLeased(pool),
    countBrakes(pool),
    readLastCheck(sqlOn(pool)),
    readLogLag(pool),
    countSecurityEvents(pool),
    countUse(pool),
    countFirmwareUpdates(pool),
    countMeasured(pool),
  ]);
  const checkedAt = checked?.at ?? (await readLogStart(sqlOn(pool)));
  return {
    hosts,
    standings,
    gates,
    overdue,
    alerted,
    leased,
    brakes,
    checked,
    checkedAt,
    logLag,
    securityEvents: securityEventNames.map((kind) => ({
      kind,
      severity: securityEventKinds[kind].severity,
      events: security.find((row) => row.kind === kind)?.events ?? 0,
    })),
    firmware,
    measured,
    due: { hosts: due?.hosts ?? 0, lagSeconds: due?.lag_seconds ?? 0 },
    use: use.map(({ site, usable, used, untold, ...gpus }) => ({
      site,
      hosts: { usable, used, untold },
      gpus: { total: gpus.gpus, usable: gpus.gpus_usable, used: gpus.gpus_used },
    })),
  };
}
