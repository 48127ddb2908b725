// A host's health for people: its alerts, who raised them, what they do, and every change (docs/repair.md).
import { decide } from "@/server/domain/access/access";
import {
  actingClassifications,
  classificationEffects,
  isActing,
} from "@/server/domain/repair/health/classifications";
import { aggregate, shownAggregate } from "@/server/domain/repair/health/aggregate";
import type { MergedAlert } from "@/server/domain/repair/health/aggregate";
import type { KeptReport } from "@/server/domain/repair/health/change-report";
import { foldHealth, formatHealth } from "@/server/domain/repair/health/fold";
import { keyOf, reportModes, storedBody } from "@/server/domain/repair/health/report";
import type { Alert } from "@/server/domain/repair/health/report";
import { healthTemplates, templateNames } from "@/server/domain/repair/health/templates";
import type { Template } from "@/server/domain/repair/health/templates";
import type {
  HealthAlert,
  HealthChange,
  HealthEffect,
  HealthReport,
  HealthTemplate,
  HostHealth,
} from "@/server/contract/repair/health-answers";
import type { BmcHealth } from "@/server/db/generated/prisma/client";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { readReports } from "@/server/usecases/repair/health/stored-reports";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const changesPerPage = 50;

/** In the order of the table; classifications without an effect are omitted. */
const effectsOf = (classifications: readonly string[]): HealthEffect[] =>
  actingClassifications
    .filter((name) => classifications.includes(name))
    .map((name) => ({ classification: name, words: classificationEffects[name] }));

const alertOf = ({ inAlertSince, ...alert }: Alert) => ({ ...alert, inAlertSince: new Date(inAlertSince) });
const mergedOf = ({ sources, ...alert }: MergedAlert): HealthAlert => ({ ...alertOf(alert), sources });

const reportOf = (report: KeptReport): HealthReport => ({
  source: report.source,
  mode: report.mode,
  observedAt: new Date(report.observedAtMs),
  receivedAt: new Date(report.receivedAtMs),
  reportedBy: report.reportedBy,
  heartbeatSeconds: report.heartbeatSeconds,
  silentSince: report.silentSinceMs === null ? null : new Date(report.silentSinceMs),
  alerts: report.alerts.map(alertOf),
  successes: report.successes,
});

const bmcOf = ({
  readAt,
  notOffered,
  failingSince,
  failure,
  wantedAt,
}: Pick<BmcHealth, "readAt" | "notOffered" | "failingSince" | "failure" | "wantedAt">): NonNullable<
  HostHealth["bmc"]
> => ({
  readAt,
  notOffered,
  failing: failingSince === null ? null : { since: failingSince, why: failure ?? "no reason given" },
  wantedAt,
});

async function readChanges(
  { database }: Backend,
  hostId: string,
  before: string | undefined,
): Promise<{ readonly changes: HealthChange[]; readonly before: string | null }> {
  const rows = await database.healthChange.findMany({
    where: { hostId, ...(before === undefined ? {} : { id: { lt: BigInt(before) } }) },
    orderBy: { id: "desc" },
    take: changesPerPage + 1,
  });
  const page = rows.slice(0, changesPerPage);
  return {
    changes: page.map(({ id, at, source, mode, kind, by, reason, body }) => ({
      id: String(id),
      at,
      source,
      mode: reportModes.find((known) => known === mode) ?? "merge",
      kind: kind === "removed" || kind === "silent" ? kind : "set",
      by,
      reason,
      alerts: storedBody.safeParse(body).data?.alerts.map((alert) => alert.id) ?? [],
    })),
    before: rows.length > changesPerPage ? String(page.at(-1)?.id ?? "") : null,
  };
}

/** Alerts that have effects but are not shown. */
function hiddenOf(all: readonly MergedAlert[], shown: readonly MergedAlert[]): HealthAlert[] {
  const seen = new Set(shown.map(keyOf));
  return all.filter((alert) => !seen.has(keyOf(alert)) && alert.classifications.some(isActing)).map(mergedOf);
}

export async function getHealth(
  backend: Backend,
  actor: Actor,
  { hostId, before }: { readonly hostId: string; readonly before?: string | undefined },
): Promise<Outcome<HostHealth>> {
  const found = await findReadableHost(backend, actor, hostId);
  if (!found.ok) return found;
  const [reports, bmc, run, history] = await Promise.all([
    readReports(backend.database, found.value.id),
    backend.database.bmcHealth.findUnique({ where: { hostId: found.value.id } }),
    backend.database.hostRun.findUnique({
      where: { hostId: found.value.id },
      select: { maintenance: true },
    }),
    readChanges(backend, found.value.id, before),
  ]);
  const folded = foldHealth(reports);
  const shown = shownAggregate(reports);
  const all = aggregate(reports);
  const reported = reports.length > 0;
  return done({
    level: reported ? folded.level : null,
    mark: formatHealth({
      maintenance: run?.maintenance ?? false,
      health: reported
        ? {
            level: folded.level,
            alerts: folded.alerts,
            firstAlert: folded.firstAlert,
            replaced: folded.replacedBy !== null,
          }
        : null,
    }),
    replacedBy: folded.replacedBy,
    alerts: shown.alerts.map(mergedOf),
    successes: shown.successes,
    hidden: hiddenOf(all.alerts, shown.alerts),
    effects: effectsOf(folded.acting?.classifications ?? []),
    reports: reports.map(reportOf),
    bmc: bmc === null ? null : bmcOf(bmc),
    ...history,
    mayChange: run !== null && decide(actor, "host.maintenance", { tenantId: null }) === "allowed",
  });
}

/** The templates that can be applied, each with its effects. */
export function listTemplates(_backend: Backend, actor: Actor): Promise<Outcome<readonly HealthTemplate[]>> {
  const scope = scopeOf(actor, "host.read");
  if (!scope.ok) return Promise.resolve(scope);
  return Promise.resolve(
    done(
      templateNames.map((name) => {
        const { source, alert, purpose }: Template = healthTemplates[name];
        return {
          name,
          purpose,
          source,
          alert: alert === null ? null : { id: alert.id, target: alert.target },
          effects: effectsOf(alert?.classifications ?? []),
        };
      }),
    ),
  );
}
