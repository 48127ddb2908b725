"use client";
// The health of a host: alerts and their effects, the reports by source, and every change (docs/repair.md).
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AlertTable, ChangeTable, ReportTable } from "@/components/repair/health/health-tables";
import { ApplyDialog, RemoveDialog } from "@/components/repair/health/report-dialogs";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { formatCounted } from "@/components/ui/format/numbers";
import type { HealthReport, HostDetail, HostHealth } from "@/server/surfaces/trpc/types";

const refreshMs = 2_000;

export function HealthTab({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const trpc = useTRPC();
  const { data: health, refetch } = useSuspenseQuery(trpc.health.get.queryOptions({ hostId: host.id }));
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  const [removed, setRemoved] = useState<HealthReport>();
  const [applies, setApplies] = useState(false);
  const done = () => {
    void refetch();
    onDone();
  };
  return (
    <>
      <div className="sec">
        <h2>Alerts</h2>
        <span className="sum cut">{alertSum(health)}</span>
        {health.mayChange ? (
          <Button small onClick={() => setApplies(true)}>
            Add a report…
          </Button>
        ) : null}
      </div>
      <Effects health={health} />
      {health.alerts.length === 0 ? (
        <Empty title={health.level === null ? "No source reports on this host" : "No alerts shown"}>
          Alerts from health sources, and reports added by people, are listed here.
        </Empty>
      ) : (
        <AlertTable caption="Alerts" alerts={health.alerts} />
      )}
      <Hidden health={health} />
      <div className="sec">
        <h2>Reports</h2>
        <span className="sum cut">the last of each source</span>
      </div>
      <ReportTable reports={health.reports} onRemove={health.mayChange ? setRemoved : null} />
      <div className="sec">
        <h2>Changes</h2>
        <span className="sum cut">
          {health.before === null ? "all, newest first" : `the newest ${health.changes.length}`}
        </span>
      </div>
      <ChangeTable changes={health.changes} />
      {removed === undefined ? null : (
        <RemoveDialog
          host={host}
          report={removed}
          reports={health.reports}
          onClose={() => setRemoved(undefined)}
          onDone={done}
        />
      )}
      {applies ? (
        <ApplyDialog host={host} reports={health.reports} onClose={() => setApplies(false)} onDone={done} />
      ) : null}
    </>
  );
}

function alertSum({ alerts, replacedBy, level }: HostHealth): string {
  const counted = alerts.length === 0 ? "none shown" : formatCounted(alerts.length, "alert");
  return [
    level === null ? "no source reports" : counted,
    replacedBy === null ? null : `the report of ${replacedBy} hides the others`,
  ]
    .filter((part) => part !== null)
    .join("; ");
}

/** The effects in force because of alerts, whoever sees the alerts. */
function Effects({ health: { effects } }: { health: HostHealth }) {
  return effects.length === 0 ? null : (
    <ul className="plain after">
      {effects.map(({ classification, words }) => (
        <li key={classification}>
          <Mark tone="attention" label="" /> {words} <span className="text-quiet mono">{classification}</span>
        </li>
      ))}
    </ul>
  );
}

/** Hidden from display, but still counted in Reclaim's decisions. */
function Hidden({ health: { hidden } }: { health: HostHealth }) {
  return hidden.length === 0 ? null : (
    <>
      <div className="sec">
        <h2>Hidden alerts in effect</h2>
        <span className="sum cut">hiding an alert does not open its gate</span>
      </div>
      <AlertTable caption="Hidden alerts in effect" alerts={hidden} />
    </>
  );
}
